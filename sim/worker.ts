/** One worker process: runs the batch it is sent and sends back the tally. */
import { type BatchOptions, runBatch } from "./batch.ts";

// Errors are thrown by the thousand here, and nobody reads where; `--only` runs with full traces.
Error.stackTraceLimit = 0;
process.once("message", async (options: BatchOptions) => {
  const tally = await runBatch({ ...options, progress: (done) => process.send?.({ done }) });
  process.send?.({ tally }, undefined, {}, () => process.disconnect());
});
