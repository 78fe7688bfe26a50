/**
 * The simulation's front door: `npm run sim -- --runs N --seed S`.
 *
 * It exits with 1 when an invariant broke, a mutant survived, or a long run never reached something that must happen sometimes.
 */
import { parseArgs } from "node:util";
import { twinsDiffer } from "./batch.ts";
import type { Case, Violation } from "./case.ts";
import { check } from "./checker.ts";
import { runJobs } from "./jobs.ts";
import { runWorlds } from "./loop.ts";
import { runMutants } from "./mutant-gate.ts";
import { planOf } from "./plan.ts";
import { failure, fateLine, neverReached, sometimesTable, summary, told, trace } from "./report.ts";
import { twinOf } from "./twin.ts";

/** From this many runs on, everything that must happen sometimes must have happened. */
const strictFrom = 20_000;
const mutantsFrom = 1_000;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: "0" },
    jobs: { type: "string", default: "1" },
    only: { type: "string" },
    mutants: { type: "boolean" },
    "no-mutants": { type: "boolean", default: false },
    strict: { type: "boolean", default: false },
    twice: { type: "boolean", default: false },
  },
});
const print = (...lines: string[]) => console.log(lines.join("\n"));
process.exitCode = values.only === undefined ? await runMany() : await runOne(number("only", values.only));

async function runMany(): Promise<number> {
  const runs = number("runs", values.runs);
  const from = number("seed", values.seed);
  const jobs = number("jobs", values.jobs);
  const tally = await runJobs(from, runs, jobs, (done) => {
    if (done % 25_000 === 0) console.error(`${done} of ${runs} runs`);
  });
  for (const each of tally.failing.slice(0, 10)) print(...failure(each));
  const withMutants = !values["no-mutants"] && (values.mutants || runs >= mutantsFrom);
  const fates = withMutants ? await runMutants(null, jobs, (fate) => console.error(fateLine(fate))) : null;
  print("", ...sometimesTable(tally), "", ...summary(tally, from, fates));
  const never = neverReached(tally);
  if (never.length > 0) print(`never reached: ${never.join(", ")}`);
  const alive = fates?.filter((fate) => !fate.killed) ?? [];
  for (const fate of alive) print(fateLine(fate));
  const same = !values.twice || (await again(from, runs, jobs, tally.trace));
  const reached = never.length === 0 || !(values.strict || runs >= strictFrom);
  return tally.failing.length === 0 && alive.length === 0 && same && reached ? 0 : 1;
}

async function again(from: number, runs: number, jobs: number, trace: string): Promise<boolean> {
  const second = await runJobs(from, runs, jobs, () => {});
  print(second.trace === trace ? "run twice: the same trace hash" : `run twice: the trace hash is now ${second.trace}`);
  return second.trace === trace;
}

async function runOne(seed: number): Promise<number> {
  const broken: Violation[] = [];
  let first: Case | null = null;
  await runWorlds([planOf(seed)].values(), (world) => {
    if (first) {
      broken.push(...twinsDiffer(first, world, {}));
      return null;
    }
    const { violations, facts } = check(world);
    broken.push(...violations);
    print(...trace(world), "");
    first = facts;
    return facts && twinOf(facts);
  });
  print(...broken.map(told), `${broken.length} violations`);
  return broken.length === 0 ? 0 : 1;
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`--${name} must be a whole number, not ${JSON.stringify(text)}.`);
  process.exit(2);
}
