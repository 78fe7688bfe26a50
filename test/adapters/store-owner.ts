/**
 * A process of its own that uses a store, for the tests that need a second process.
 *
 * It takes a path, a run and what to do, prints one JSON line with the outcome, and with `hold` stays alive until it is killed.
 */
import { sqliteStore } from "../../src/adapters/stores/sqlite.ts";
import { systemWorld } from "../../src/adapters/world.ts";
import { ParleyError } from "../../src/errors.ts";

const [path = "", run = "", deed = ""] = process.argv.slice(2);
const store = sqliteStore(path);
const { owner } = systemWorld();
let found: string | undefined;

try {
  found = (await store.find(run))?.id;
  const about = { id: run, protocol: "debate", question: "Which?", at: 1000 };
  const lease = deed.startsWith("create") ? await store.create(about, owner, []) : await store.claim(run, owner);
  console.log(JSON.stringify({ epoch: lease.epoch, pid: process.pid }));
  if (deed.endsWith("hold")) setInterval(() => {}, 1000);
  else await store.close();
} catch (error) {
  const { code, message, retryable } = ParleyError.is(error)
    ? error
    : { code: null, message: String(error), retryable: null };
  console.log(JSON.stringify({ found, code, message, retryable }));
}
