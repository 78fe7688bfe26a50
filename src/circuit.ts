/**
 * Circuits: one for each endpoint, shared by every seat that calls it.
 *
 * After several failures in a row the endpoint is left alone for a while, so a provider that is down is not asked by every seat in
 * every round. After the rest one more failure opens it again, and one success closes it.
 */
const tolerance = 5;
const restMs = 30_000;

export class Circuits {
  readonly #endpoints = new Map<string, { failures: number; openUntil: number }>();

  /** How long the endpoint must still be left alone; 0 when it may be called. */
  restMs(endpoint: string | null, now: number): number {
    if (endpoint === null) return 0;
    return Math.max(0, (this.#endpoints.get(endpoint)?.openUntil ?? 0) - now);
  }

  /** Takes note of how a call went; only failures of the endpoint itself count, not a seat's bad answer. */
  note(endpoint: string | null, ok: boolean, now: number): void {
    if (endpoint === null) return;
    if (ok) {
      this.#endpoints.delete(endpoint);
      return;
    }
    const state = this.#endpoints.get(endpoint) ?? { failures: 0, openUntil: 0 };
    this.#endpoints.set(endpoint, state);
    state.failures++;
    if (state.failures >= tolerance) state.openUntil = now + restMs;
  }
}
