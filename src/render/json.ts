/**
 * The view of a run as plain JSON, for `--json`, the HTTP API and programs that read them.
 *
 * Strings are exact here, also hostile ones; `jsonText` writes them with JSON escapes, so that the text is safe to print and still
 * parses to the same strings.
 */
import type { StopReason } from "../decision.ts";
import { ParleyError } from "../errors.ts";
import type { Event } from "../events.ts";
import type { TurnView, View } from "../transcript.ts";
import { evidenceUse, stopOf } from "./facts.ts";
import { iso } from "./figures.ts";
import { safeJson } from "./safe.ts";

export type OutcomeWord = "converged" | "stalled" | "unresolved" | "budget" | "quorum_lost";
export type TurnOutcome = "ok" | "failed" | "abstained" | "in_doubt" | "skipped" | "running";

/** The run's ending in one of five words; null while it has not ended. */
export function outcomeWord(view: View): OutcomeWord | null {
  const reason = stopOf(view);
  return reason === null ? null : outcomeOf(reason);
}

function outcomeOf(reason: StopReason): OutcomeWord {
  if (reason === "converged" || reason === "accepted") return "converged";
  if (reason === "stalled" || reason === "quorum_lost") return reason;
  return reason.startsWith("budget_") ? "budget" : "unresolved";
}

/** Everything a program may want of a run, as JSON values: lists and objects, no maps. */
export function jsonView(view: View, options: { head?: string | undefined; place?: string | undefined } = {}) {
  return {
    ok: view.status !== "failed",
    run: view.run,
    status: view.status,
    waiting: view.waiting,
    stopReason: stopOf(view),
    outcome: outcomeWord(view),
    error: view.error === null ? null : { ...view.error, hint: null },
    degraded: view.degraded,
    inDoubt: view.doubts,
    ...jsonStart(view),
    decision: view.decision,
    votes: view.decision?.votes ?? null,
    flips: view.decision?.flips ?? [],
    dissent: view.decision?.dissent ?? view.dissent,
    rounds: view.rounds,
    turns: [...view.turns.values()].map(jsonTurn),
    ballots: view.ballots,
    scores: view.scores.map(ownFields),
    budget: {
      spent: view.spent,
      reserved: view.reserved,
      aside: view.aside,
      limits: view.limits,
      reached: view.limitsReached.map(ownFields),
    },
    evidence: jsonEvidence(view),
    notes: view.notes,
    late: view.late,
    startedAt: view.start ? iso(view.startedAt) : null,
    updatedAt: view.start ? iso(view.updatedAt) : null,
    activeMs: view.activeMs,
    events: view.events,
    head: options.head ?? null,
    place: options.place ?? null,
  };
}

/** What was asked, of whom, and how; the same for the whole run. */
function jsonStart({ start }: View) {
  const seats = start?.seats ?? [];
  return {
    protocol: start && { name: start.protocol, version: start.protocolVersion, options: start.options },
    question: start?.question ?? null,
    seats: seats.map(({ id, role, weight, occupant: { name, lineage } }) => ({
      id,
      role,
      weight,
      occupant: name,
      lineage,
    })),
    seed: start?.seed ?? null,
  };
}

function jsonEvidence(view: View) {
  const { cited, invalid } = evidenceUse(view);
  return { given: [...view.evidence.values()].map(({ ref, hash, source }) => ({ ref, hash, source })), cited, invalid };
}

/** An event without its envelope: the time it was written differs from one resumption to the next, what it says does not. */
function ownFields<Type extends Event>({ v, run, seq, at, epoch, type, ...rest }: Type) {
  return rest;
}

function jsonTurn(turn: TurnView) {
  const why = turn.missed ?? turn.failed;
  return {
    key: turn.key,
    seat: turn.seat,
    round: turn.round,
    act: turn.act,
    outcome: turnOutcome(turn),
    kind: why?.kind ?? null,
    cause: why?.cause ?? null,
    attempts: turn.attempts,
    flags: turn.flags,
    latencyMs: turn.latencyMs,
  };
}

/** What became of a turn: a refusal abstains, a call never made is skipped, and one cut off by a crash is neither ok nor failed. */
export function turnOutcome(turn: TurnView): TurnOutcome {
  if (turn.state === "ended") return "ok";
  if (turn.state === "in-doubt") return "in_doubt";
  if (!turn.missed) return "running";
  if (turn.missed.kind === "in_doubt") return "in_doubt";
  if (turn.missed.kind === "refused") return "abstained";
  return turn.attempts === 0 || turn.missed.kind === "skipped" || turn.missed.kind === "budget" ? "skipped" : "failed";
}

/** An error as the one object that `--json` prints. */
export function jsonError(error: unknown): {
  ok: false;
  error: { code: string; message: string; hint: string | null };
} {
  if (ParleyError.is(error))
    return { ok: false, error: { code: error.code, message: error.message, hint: error.hint } };
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, error: { code: "internal", message, hint: null } };
}

/** A value as JSON text that holds no character a terminal acts on, and parses to the exact value. */
export function jsonText(value: unknown, indent = 2): string {
  return safeJson(JSON.stringify(value, null, indent) ?? "null");
}
