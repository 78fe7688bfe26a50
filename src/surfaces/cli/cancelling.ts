/** Hears `parley cancel` from another process: the request waits in the store, and the owner of the run looks for it. */
import type { Store } from "../../ports.ts";

const pollMs = 250;

/** Looks for a request to cancel until it is closed; `run` gives the run's id once it has one. */
export function hearCancel(store: Store, run: () => string): { signal: AbortSignal; close(): void } {
  const cancel = new AbortController();
  let looking = false;
  const timer = setInterval(async () => {
    if (looking || !run()) return;
    looking = true;
    // A store that cannot be read now stops the run by itself at its next write; a look more or less changes nothing.
    const signals = await store.signals(run()).catch(() => []);
    if (signals.some((signal) => signal.name === "cancel")) cancel.abort();
    looking = false;
  }, pollMs);
  timer.unref();
  return { signal: cancel.signal, close: () => clearInterval(timer) };
}
