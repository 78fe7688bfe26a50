/** A batch of seeds: runs their worlds, checks each, compares twins, and adds everything up. */
import { createHash } from "node:crypto";
import type { Case } from "./case.ts";
import { caseOf, type Violation } from "./case.ts";
import { check } from "./checker.ts";
import { runWorlds } from "./loop.ts";
import { type Plan, planOf } from "./plan.ts";
import { type Counts, noteWorld } from "./sometimes.ts";
import { compareTwins, twinOf } from "./twin.ts";
import type { World } from "./world.ts";

export type Tally = {
  runs: number;
  twins: number;
  crashes: number;
  recoveries: number;
  calls: number;
  events: number;
  counts: Counts;
  failing: { seed: number; violations: Violation[] }[];
  /** One hash for each block of seeds, so that batches can be joined in any order. */
  traces: [from: number, hash: string][];
  cpuSeconds: number;
};

/** Seeds whose traces are hashed together; work is shared out in whole blocks, so the hash does not depend on how. */
export const blockSize = 1_000;

export type BatchOptions = {
  from: number;
  runs: number;
  /** Begins no further world once one has broken something that this says yes to. */
  enough?: (violation: Violation) => boolean;
  progress?: (done: number) => void;
};

/** Runs the seeds of a batch. */
export async function runBatch({ from, runs, enough, progress }: BatchOptions): Promise<Tally> {
  const tally: Tally = {
    runs: 0,
    twins: 0,
    crashes: 0,
    recoveries: 0,
    calls: 0,
    events: 0,
    counts: {},
    failing: [],
    traces: [],
    cpuSeconds: 0,
  };
  const began = process.cpuUsage();
  const ends = new Map<number, string>();
  const waiting = new Map<number, Case>();
  let stopped = false;
  const fail = (seed: number, violations: Violation[]) => {
    if (violations.length > 0) tally.failing.push({ seed, violations });
    if (enough && violations.some(enough)) stopped = true;
  };
  function* plans(): Generator<Plan> {
    for (let seed = from; seed < from + runs && !stopped; seed++) yield planOf(seed);
  }
  await runWorlds(plans(), (world) => {
    const { seed } = world.plan;
    const first = waiting.get(seed);
    if (first) {
      waiting.delete(seed);
      tally.twins++;
      fail(seed, twinsDiffer(first, world, tally.counts));
      return null;
    }
    const { violations, facts } = check(world);
    add(tally, world, facts);
    fail(seed, violations);
    ends.set(seed, traceOf(world));
    if (tally.runs % 5_000 === 0) progress?.(tally.runs);
    const twin = facts && violations.length === 0 && seed % 8 === 0 ? twinOf(facts) : null;
    if (twin && facts) waiting.set(seed, facts);
    return twin;
  });
  for (let block = from; block < from + runs; block += blockSize) {
    const trace = createHash("sha256");
    for (let seed = block; seed < Math.min(block + blockSize, from + runs); seed++)
      trace.update(`${seed} ${ends.get(seed)}\n`);
    tally.traces.push([block, trace.digest("hex")]);
  }
  const { user, system } = process.cpuUsage(began);
  tally.cpuSeconds = (user + system) / 1e6;
  return tally;
}

/** Several batches as one. */
export function joined(tallies: readonly Tally[]): Tally & { trace: string } {
  const sum = (pick: (tally: Tally) => number) => tallies.reduce((total, tally) => total + pick(tally), 0);
  const counts: Counts = {};
  for (const tally of tallies)
    for (const [name, count] of Object.entries(tally.counts) as [keyof Counts, number][])
      counts[name] = (counts[name] ?? 0) + count;
  const traces = tallies.flatMap((tally) => tally.traces).sort((a, b) => a[0] - b[0]);
  return {
    runs: sum((tally) => tally.runs),
    twins: sum((tally) => tally.twins),
    crashes: sum((tally) => tally.crashes),
    recoveries: sum((tally) => tally.recoveries),
    calls: sum((tally) => tally.calls),
    events: sum((tally) => tally.events),
    cpuSeconds: sum((tally) => tally.cpuSeconds),
    counts,
    traces,
    failing: tallies.flatMap((tally) => tally.failing).sort((a, b) => a.seed - b.seed),
    trace: createHash("sha256").update(JSON.stringify(traces)).digest("hex"),
  };
}

/** What a world did, in one line: its record's head, and what its provider and its listeners saw. */
function traceOf(world: World): string {
  return `${world.store.row?.head} ${world.provider.calls.length} ${world.shown.length} ${world.agenda.now}`;
}

/** What a world did that its undisturbed twin did not. */
export function twinsDiffer(first: Case, twin: World, counts: Counts): Violation[] {
  const violations: Violation[] = [];
  const other = caseOf(twin, violations);
  if (!other) return [{ invariant: "I9", problem: "the twin never began", seq: null }];
  violations.push(...compareTwins(first, other));
  if (violations.length === 0) counts["resumed run equals its twin"] = (counts["resumed run equals its twin"] ?? 0) + 1;
  return violations;
}

function add(tally: Tally, world: World, facts: Case | null): void {
  tally.runs++;
  tally.crashes += world.crashes;
  tally.recoveries += Math.max(0, world.lives.length - 1);
  tally.calls += world.provider.calls.length;
  tally.events += world.store.lines.length;
  if (facts) noteWorld(facts, tally.counts);
}
