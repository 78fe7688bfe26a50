/**
 * A store that tells its lines on: the exact text of each, once it is durable and not before.
 *
 * `--jsonl` prints the record itself through this, so what a pipe received can be verified like any export.
 */
import type { Line } from "../../chain.ts";
import type { Store } from "../../ports.ts";

/** The same store; `hear` gets every line that was written through it, in order. */
export function tapped(store: Store, hear: (lines: readonly Line[]) => void): Store {
  return {
    place: store.place,
    create: async (row, owner, lines) => {
      const lease = await store.create(row, owner, lines);
      hear(lines);
      return lease;
    },
    append: async (lease, lines, state) => {
      await store.append(lease, lines, state);
      hear(lines);
    },
    claim: (run, owner) => store.claim(run, owner),
    release: (lease) => store.release(lease),
    read: (run, fromSeq) => store.read(run, fromSeq),
    find: (run) => store.find(run),
    list: (query) => store.list(query),
    signal: (run, signal) => store.signal(run, signal),
    signals: (run) => store.signals(run),
    close: () => store.close(),
  };
}
