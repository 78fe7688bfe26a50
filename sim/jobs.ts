/** Shares the seeds out to worker processes and joins what they found. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { blockSize, joined, type Tally } from "./batch.ts";

/** Runs the seeds in as many processes as told. */
export async function runJobs(
  from: number,
  runs: number,
  jobs: number,
  tell: (done: number) => void,
): Promise<ReturnType<typeof joined>> {
  const blocks = Math.ceil(runs / blockSize);
  const count = Math.max(1, Math.min(jobs, blocks));
  const progress = new Array<number>(count).fill(0);
  const share = Math.ceil(blocks / count) * blockSize;
  const parts = Array.from({ length: count }, (_, index) => {
    const start = from + index * share;
    return inWorker({ from: start, runs: Math.min(share, from + runs - start) }, (done) => {
      progress[index] = done;
      tell(progress.reduce((total, one) => total + one, 0));
    });
  });
  return joined(await Promise.all(parts));
}

function inWorker(batch: { from: number; runs: number }, tell: (done: number) => void): Promise<Tally> {
  const worker = fork(fileURLToPath(new URL("./worker.ts", import.meta.url)), {
    // Memory is reclaimed in this thread alone, so that a core-second is what one core did.
    execArgv: ["--single-threaded-gc", "--max-semi-space-size=128", "--min-semi-space-size=128"],
  });
  return new Promise((resolve, reject) => {
    worker.on("message", (said: { done?: number; tally?: Tally }) => {
      if (said.done !== undefined) tell(said.done);
      if (said.tally) resolve(said.tally);
    });
    worker.on("exit", (code) => reject(new Error(`A worker ended with ${code} before it was done.`)));
    worker.send(batch);
  });
}
