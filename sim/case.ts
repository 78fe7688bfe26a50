/**
 * What the checker works on: the lines as they stand in the store, read here and nowhere else, beside the provider's own record.
 *
 * The engine's state is not in it. What the last drive gave back to its caller is, because that is what a person is shown.
 */
import type { Event, EventOf } from "../src/events.ts";
import type { Limits } from "../src/limits.ts";
import type { Plan } from "./plan.ts";
import type { CallRecord } from "./provider.ts";
import type { World } from "./world.ts";

/** A broken promise: which, what, and at which event. */
export type Violation = { invariant: string; problem: string; seq: number | null };

export type Settlement = EventOf<"turn-end"> | EventOf<"attempt-failed"> | EventOf<"doubt-found">;

/** One attempt as the log tells it, with the provider's memory of it. */
export type Attempt = {
  id: string;
  start: EventOf<"turn-start">;
  settled: Settlement | null;
  call: CallRecord | null;
};

export type Case = {
  world: World;
  plan: Plan;
  events: readonly Event[];
  start: EventOf<"run-start">;
  attempts: ReadonlyMap<string, Attempt>;
  /** Answers by key. */
  ends: ReadonlyMap<string, EventOf<"turn-end">>;
  missed: readonly EventOf<"turn-missed">[];
  ballots: readonly EventOf<"ballot-cast">["ballot"][];
  calls: readonly CallRecord[];
  end: EventOf<"run-end"> | null;
  report: (invariant: string, problem: string, seq?: number | null) => void;
};

/** Reads the lines and lays out the case; null when the run was never begun. */
export function caseOf(world: World, violations: Violation[]): Case | null {
  const report: Case["report"] = (invariant, problem, seq = null) => violations.push({ invariant, problem, seq });
  const events = world.store.lines.map((line) => JSON.parse(line.text) as Event);
  const [start] = events;
  if (start?.type !== "run-start") return null;
  const attempts = new Map<string, Attempt>();
  const ends = new Map<string, EventOf<"turn-end">>();
  const missed: EventOf<"turn-missed">[] = [];
  const ballots: EventOf<"ballot-cast">["ballot"][] = [];
  let end: EventOf<"run-end"> | null = null;
  for (const event of events) {
    if (event.type === "turn-start") {
      const id = `${event.key}#${event.attempt}`;
      if (attempts.has(id)) report("I1", `${id} has two intents`, event.seq);
      attempts.set(id, { id, start: event, settled: null, call: null });
    } else if (event.type === "turn-end" || event.type === "attempt-failed" || event.type === "doubt-found") {
      settle(attempts, event, report);
      if (event.type === "turn-end") ends.set(event.key, event);
    } else if (event.type === "turn-missed") missed.push(event);
    else if (event.type === "ballot-cast") ballots.push(event.ballot);
    else if (event.type === "run-end") end ??= event;
  }
  const { calls } = world.provider;
  for (const call of calls) {
    const attempt = attempts.get(`${call.key}#${call.attempt}`);
    if (attempt) attempt.call ??= call;
  }
  return { world, plan: world.plan, events, start, attempts, ends, missed, ballots, calls, end, report };
}

function settle(attempts: ReadonlyMap<string, Attempt>, event: Settlement, report: Case["report"]): void {
  const id = `${event.key}#${event.attempt}`;
  const attempt = attempts.get(id);
  if (!attempt) report("I2", `${event.type} of ${id}, which has no intent`, event.seq);
  else if (attempt.settled) report("I2", `${id} is settled twice: ${attempt.settled.type}, ${event.type}`, event.seq);
  else attempt.settled = event;
}

/** The limits in force at each event, by walking the log with it. */
export function limitsAt(event: Event, limits: Limits): Limits {
  return event.type === "run-start" || event.type === "run-resumed" ? event.limits : limits;
}

/** Whether the occupant of a chair or a seat is made of code, and so never asks the provider. */
export function isPure(plan: Plan, seat: string): boolean {
  const [part, place] = seat.split("-");
  const chain = part === "judge" ? plan.input.judges : part === "synthesizer" ? plan.input.synthesizers : null;
  return chain?.[Number(place) - 1]?.kind === "code";
}

export function isSeat(plan: Plan, name: string): boolean {
  return plan.path.has(name);
}

/** The exact words of an answer: the record leaves them out where they are what was read from them, to the letter. */
export function rawOf(end: EventOf<"turn-end">): string {
  return end.raw ?? JSON.stringify(end.said);
}

/** An attempt that never reached anyone, or cost nothing and is made again: it is charged nothing and counts as no try. */
export function isUnsent(settled: Settlement | null): boolean {
  if (settled?.type !== "attempt-failed" || settled.charged.tokens > 0) return false;
  return settled.kind === "cancelled" || settled.kind === "budget";
}
