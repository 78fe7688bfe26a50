/** Runs worlds until one breaks an invariant that the mutant should break, and says which: the process in which a mutant is hunted. */
import { runBatch } from "./batch.ts";
import type { Violation } from "./case.ts";
import { mutants } from "./mutants.ts";

const limit = Number(process.argv[2] ?? 1_000);
const mutant = mutants.find(({ name }) => name === process.env.PARLEY_MUTANT);
const expected = ({ invariant }: Violation) => mutant?.caughtBy.includes(invariant) ?? true;
let done = 0;
process.on("uncaughtException", (error) => {
  console.log(`caught by crash after ${done + 1}\n${error.stack}`);
  process.exit(0);
});
while (done < limit) {
  const { failing, runs } = await runBatch({ from: done, runs: Math.min(500, limit - done), enough: expected });
  done += runs;
  const caught = failing.find(({ violations }) => violations.some(expected));
  if (!caught) continue;
  const first = caught.violations.find(expected);
  console.log(`caught by ${first?.invariant} after ${done}\n  seed ${caught.seed}: ${first?.problem.slice(0, 300)}`);
  break;
}
