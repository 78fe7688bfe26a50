/**
 * A process of its own that uses a store, for the tests that need a second process.
 *
 * It takes a path, a run and what to do, prints one JSON line with the outcome, and with `hold` stays alive until it is killed.
 * With `write` it appends until it is killed, and prints the number of each line once the store has acknowledged it.
 */
import { writeSync } from "node:fs";
import { sqliteStore } from "../../src/adapters/stores/sqlite.ts";
import { systemWorld } from "../../src/adapters/world.ts";
import { ParleyError } from "../../src/errors.ts";
import type { Lease } from "../../src/ports.ts";

const [path = "", run = "", deed = ""] = process.argv.slice(2);
const store = sqliteStore(path);
const { owner } = systemWorld();
let found: string | undefined;

try {
  found = (await store.find(run))?.id;
  const about = { id: run, protocol: "debate", question: "Which?", at: 1000 };
  const lease = deed.startsWith("create") ? await store.create(about, owner, []) : await store.claim(run, owner);
  console.log(JSON.stringify({ epoch: lease.epoch, pid: process.pid }));
  if (deed.endsWith("write")) await writeForever(lease);
  if (deed.endsWith("hold")) setInterval(() => {}, 1000);
  else await store.close();
} catch (error) {
  const { code, message, retryable } = ParleyError.is(error)
    ? error
    : { code: null, message: String(error), retryable: null };
  console.log(JSON.stringify({ found, code, message, retryable }));
}

async function writeForever(lease: Lease): Promise<never> {
  for (let seq = 0; ; seq++) {
    await store.append(lease, [{ seq, hash: `hash ${seq}`, text: `line ${seq}` }]);
    // Straight to the pipe: a line that waits in this process's memory would be lost with it.
    writeSync(1, `${seq}\n`);
  }
}
