/** Runs worlds until one breaks an invariant, and says which: the process in which a mutant is hunted. */
import { runBatch } from "./batch.ts";

const limit = Number(process.argv[2] ?? 1_000);
process.on("uncaughtException", (error) => {
  console.log(`caught by crash after 1\n${error.stack}`);
  process.exit(0);
});
let done = 0;
while (done < limit) {
  const { failing, runs } = await runBatch({ from: done, runs: Math.min(500, limit - done), stopAtFirst: true });
  done += runs;
  const [first] = failing;
  if (!first) continue;
  console.log(`caught by ${first.violations[0]?.invariant} after ${done}`);
  for (const { invariant, problem } of first.violations.slice(0, 3))
    console.log(`  seed ${first.seed}: ${invariant} ${problem.slice(0, 300)}`);
  break;
}
