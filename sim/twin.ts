/**
 * Twins: a world to which nothing happens from outside, beside the one that crashed. When no call was in doubt, both must come to the
 * same decision by the same events, whatever the order; only times, epochs and hashes may differ.
 */
import type { Event } from "../src/events.ts";
import type { Case, Violation } from "./case.ts";
import type { Plan } from "./plan.ts";

/** The plan of the twin, or null when the world's outcome may rightly depend on when things happened. */
export function twinOf({ plan, world, events, end }: Case): Plan | null {
  if (!plan.timeless || plan.lives.length === 0 || end?.status === "cancelled" || world.lives.length < 2) return null;
  const disturbed = events.some((event) => {
    if (event.type === "doubt-found") return true;
    return event.type === "attempt-failed" && event.kind === "cancelled";
  });
  return disturbed ? null : { ...plan, lives: [] };
}

/** I9: the events of both, without what may differ. */
export function compareTwins(first: Case, twin: Case): Violation[] {
  const one = bodies(first.events);
  const other = bodies(twin.events);
  const extra = one.filter((body) => !other.includes(body));
  const missing = other.filter((body) => !one.includes(body));
  if (extra.length === 0 && missing.length === 0 && one.length === other.length) return [];
  const problem = `a resumed run differs from an undisturbed one: ${extra[0] ?? "nothing"} instead of ${missing[0] ?? "nothing"}`;
  return [{ invariant: "I9", problem: problem.slice(0, 800), seq: null }];
}

function bodies(events: readonly Event[]): string[] {
  const told: string[] = [];
  for (const event of events) {
    if (event.type === "run-resumed" || event.type === "turn-late") continue;
    const { at, epoch, seq, prev, hash, latencyMs, retryAt, system, say, owner, ...body } = event as Event &
      Record<string, unknown>;
    told.push(JSON.stringify(body));
  }
  return told.sort();
}
