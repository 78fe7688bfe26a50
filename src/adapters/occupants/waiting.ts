/** Waiting that ends at once when the call is aborted, so that a cancelled run does not linger. */
import { ParleyError, SeatError } from "../../errors.ts";

/** Resolves after a while; rejects with the reason of the abort when that comes first. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortedBy(signal));
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", stop, { once: true });
    function done() {
      signal.removeEventListener("abort", stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(abortedBy(signal));
    }
  });
}

/** The engine's own reason for the abort where it gave one; else that the call was cancelled. */
export function abortedBy(signal: AbortSignal): Error {
  if (ParleyError.is(signal.reason)) return signal.reason;
  return new SeatError("cancelled", "The call was stopped before it was answered.", { cause: signal.reason });
}
