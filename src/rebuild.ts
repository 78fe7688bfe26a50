/**
 * Making a prompt again from the record, word for word.
 *
 * The record keeps every word once: what a seat was shown of others is kept by reference. This puts the text together as it was sent
 * and checks it against the recorded hash, so an auditor reads the very prompt or is told that this Parley words it otherwise.
 */
import { sha256 } from "./chain.ts";
import type { Event, EventOf } from "./events.ts";
import { fenceOf, promptHash, repairPart, userPart } from "./prompt.ts";

export type Prompt = { system: string; user: string; exact: boolean };

/** The prompt of one attempt; null when the record has no such attempt. */
export function promptOf(events: readonly Event[], key: string, attempt = 1): Prompt | null {
  const at = events.findIndex((event) => event.type === "turn-start" && event.key === key && event.attempt === attempt);
  const intent = events[at];
  const start = events[0];
  if (intent?.type !== "turn-start" || start?.type !== "run-start") return null;
  const before = events.slice(0, at + 1);
  const system = lastOf(before, (event) => (event.seat === intent.seat ? event.system : null));
  const say = lastOf(before, (event) => (event.act === intent.act ? event.say : null));
  const ends = new Map(before.flatMap((event) => (event.type === "turn-end" ? [[event.key, event] as const] : [])));
  const labels = new Map(Object.entries(start.labels).map(([label, seat]) => [seat, label]));
  const evidence = new Map(
    before.flatMap((event) => (event.type === "evidence-added" ? [[event.item.ref, event.item] as const] : [])),
  );
  const limits = before.findLast((event) => event.type === "run-resumed")?.limits ?? start.limits;
  const { text } = userPart({
    say,
    fence: fenceOf(start.nonce, key),
    learnt: intent.shown.refs.flatMap((ref) => evidence.get(ref) ?? []),
    heard: intent.shown.turns.flatMap((turn) => heardFrom(ends.get(turn), intent.shown.named ? null : labels)),
    own: intent.shown.own === null ? null : (ends.get(intent.shown.own)?.said ?? null),
    peerChars: limits.peerChars,
  });
  const user = text + repairOf(before, intent);
  return { system, user, exact: promptHash(sha256(system), user) === intent.promptHash };
}

function lastOf(events: readonly Event[], pick: (event: EventOf<"turn-start">) => string | null): string {
  for (const event of events.toReversed()) {
    const found = event.type === "turn-start" ? pick(event) : null;
    if (found !== null) return found;
  }
  return "";
}

function heardFrom(end: EventOf<"turn-end"> | undefined, labels: ReadonlyMap<string, string> | null) {
  if (!end) return [];
  return [{ label: labels?.get(end.seat) ?? end.seat, key: end.key, round: end.round, said: end.said }];
}

function repairOf(events: readonly Event[], intent: EventOf<"turn-start">): string {
  if (intent.repairOf === null) return "";
  const failed = events.find(
    (event) => event.type === "attempt-failed" && event.key === intent.key && event.attempt === intent.repairOf,
  );
  return failed?.type === "attempt-failed" ? repairPart({ raw: failed.raw ?? "", problem: failed.cause }) : "";
}
