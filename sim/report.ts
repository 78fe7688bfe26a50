/** What is printed: the summary of many worlds, and the trace of one. */
import type { joined } from "./batch.ts";
import type { Violation } from "./case.ts";
import type { Fate } from "./mutant-gate.ts";
import { sometimes } from "./sometimes.ts";
import type { World } from "./world.ts";

type Joined = ReturnType<typeof joined>;

/** The summary, as lines. */
export function summary(tally: Joined, from: number, fates: readonly Fate[] | null): string[] {
  const violations = tally.failing.reduce((total, { violations }) => total + violations.length, 0);
  const rows: [string, string | number][] = [
    ["runs", `${tally.runs} (seeds ${from} to ${from + tally.runs - 1})`],
    ["twins compared", tally.twins],
    ["crashes", tally.crashes],
    ["recoveries", tally.recoveries],
    ["provider calls", tally.calls],
    ["events", tally.events],
    ["violations", violations],
    ["sometimes reached", `${sometimes.length - neverReached(tally).length} of ${sometimes.length}`],
    ["mutants killed", fates ? `${fates.filter((fate) => fate.killed).length} of ${fates.length}` : "not run"],
    ["runs per core-second", Math.round(tally.runs / tally.cpuSeconds)],
    ["trace hash", tally.trace],
  ];
  return rows.map(([name, value]) => `${name.padEnd(22)}${value}`);
}

export function neverReached(tally: Joined): string[] {
  return sometimes.filter((name) => !tally.counts[name]);
}

/** The sometimes table, two columns wide. */
export function sometimesTable(tally: Joined): string[] {
  const cells = sometimes.map((name) => `${String(tally.counts[name] ?? 0).padStart(8)}  ${name.padEnd(40)}`);
  const half = Math.ceil(cells.length / 2);
  return cells.slice(0, half).map((cell, index) => `${cell}${cells[index + half] ?? ""}`.trimEnd());
}

/** One failing seed: how to see it again, and what it broke. */
export function failure({ seed, violations }: { seed: number; violations: readonly Violation[] }): string[] {
  return [`npm run sim -- --only ${seed}`, ...violations.slice(0, 5).map((violation) => `  ${told(violation)}`)];
}

export function told({ invariant, problem, seq }: Violation): string {
  return `${invariant}${seq === null ? "" : ` at event ${seq}`}: ${problem}`;
}

export function fateLine({ mutant, killed, seeds, invariant, trouble }: Fate): string {
  const outcome = killed ? "killed  " : "SURVIVED";
  return `${outcome} ${String(seeds).padStart(5)} seeds  ${(invariant ?? "").padEnd(6)} ${mutant.name}${trouble ? ` (${trouble})` : ""}`;
}

/** Everything that happened in one world, in order. */
export function trace(world: World): string[] {
  const plan = { ...world.plan, path: Object.fromEntries(world.plan.path) };
  const lines = [`plan ${JSON.stringify(plan)}`, ""];
  for (const { text } of world.store.lines) {
    const { v, run, seq, at, epoch, type, prev, hash, system, user, raw, said, promptHash, ...rest } = JSON.parse(text);
    const body = JSON.stringify(rest);
    lines.push(
      `${String(seq).padStart(4)} ${(at - 1_800_000_000_000).toFixed(0).padStart(10)} ms  epoch ${epoch}  ${type.padEnd(16)} ${body.slice(0, 400)}`,
    );
  }
  lines.push("");
  for (const call of world.provider.calls)
    lines.push(
      `call ${call.key}#${call.attempt} at ${call.at.toFixed(0)} ms by life ${call.life}, ${call.fault ?? "well"}, ${call.tokens} tokens`,
    );
  for (const life of world.lives)
    lines.push(
      `life ${life.index}: ${life.startedAt.toFixed(0)} to ${life.endedAt.toFixed(0)} ms, ${life.dead ? "killed" : life.rest}${life.error ? `, ${String(life.error)}` : ""}`,
    );
  return lines;
}
