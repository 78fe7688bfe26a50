/**
 * Progress as append-only lines, for pipes, logs and screen readers: the time, the run, then `name=value` pairs.
 *
 * One line for each event worth a reader's attention and none for the rest. Each value is one word or a quoted text, so that a
 * seat's words can neither begin a line nor pass for another pair.
 */
import type { Event, EventOf, EventType } from "../events.ts";
import type { View } from "../transcript.ts";
import { clock, span } from "./figures.ts";
import { oneLine } from "./safe.ts";
import { numberOf, textOf } from "./said.ts";

type Pairs = Record<string, string | number | boolean | null>;
type Teller<Type extends EventType> = (event: EventOf<Type>, view: View) => Pairs | null;

/** The line of an event, or null when it is not worth one. The view may already hold the event. */
export function eventLine(event: Event, view: View): string | null {
  const teller = tellers[event.type] as Teller<EventType> | undefined;
  const pairs = teller?.(event, view) ?? null;
  if (pairs === null) return null;
  const words = Object.entries(pairs).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${valueText(value)}`],
  );
  return [clock(event.at), valueText(event.run), ...words].join(" ");
}

const tellers: { [Type in EventType]?: Teller<Type> } = {
  "run-start": (event) => ({ protocol: event.protocol, seats: event.seats.length, seed: event.seed }),
  "run-resumed": (event) => ({ resumed: true, epoch: event.epoch }),
  "round-start": (event) => ({ round: event.round, name: event.name }),
  "round-end": ({ round, answered, missing, stop }) => ({
    round,
    answered: answered.length,
    missing: missing.length > 0 ? missing.join(",") : null,
    stop,
  }),
  "turn-end": (event) => ({
    round: event.round,
    seat: event.seat,
    act: event.act,
    answer: textOf(event.said, "answer"),
    confidence: numberOf(event.said, "confidence"),
    took: brief(event.latencyMs),
    flags: event.flags.length > 0 ? event.flags.join(",") : null,
  }),
  "turn-missed": ({ round, seat, act, kind, cause }) => ({ round, seat, act, missed: kind, cause }),
  "attempt-failed": (event, view) => ({
    round: view.turns.get(event.key)?.round ?? null,
    seat: event.seat,
    attempt: event.attempt,
    failed: event.kind,
    wait: event.retryAt === null ? null : brief(event.retryAt - event.at),
    cause: event.cause,
  }),
  "turn-late": ({ seat, key }) => ({ seat, late: key }),
  "doubt-found": (event, view) => ({
    round: view.turns.get(event.key)?.round ?? null,
    seat: event.seat,
    doubt: event.key,
    attempt: event.attempt,
    cap: event.charged.tokens,
    policy: event.policy,
  }),
  "score-given": ({ round, share, convergence, judge, unanimous }) => ({
    round,
    agreement: rounded(share),
    convergence: convergence === null ? null : rounded(convergence),
    judge,
    unanimous,
  }),
  "limit-reached": ({ budget, limit, used, asked, action, key }) => ({
    reached: budget,
    limit,
    used,
    asked,
    action,
    call: key,
  }),
  "note-made": ({ text }) => ({ note: text }),
  "decision-reached": ({ decision }, view) => ({
    outcome: decision.outcome,
    answer: decision.answer,
    leading: decision.answer === null ? decision.leading : null,
    agreement: rounded(decision.confidence.agreement),
    flips: decision.flips.length,
    dissent: view.dissent.length,
  }),
  "run-end": ({ status, stopReason, error }, view) => ({
    status,
    stop: stopReason,
    degraded: view.degraded.length > 0 ? view.degraded.length : null,
    calls: view.spent.turns,
    tokens: view.spent.tokens,
    time: brief(view.activeMs),
    error: error ? `${error.code}: ${error.message}` : null,
  }),
};

/** A span as one word. */
function brief(ms: number): string {
  return span(ms).replace(" ", "");
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function valueText(value: string | number | boolean): string {
  const text = oneLine(String(value), 200);
  return /^[^\s"=]+$/u.test(text) ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
}
