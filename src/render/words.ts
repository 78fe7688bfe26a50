/** What each status, stop reason and kind of miss means, in words. Typed by their lists, so that a new one cannot be forgotten. */
import type { Status, StopReason, Votes } from "../decision.ts";
import type { MissKind } from "../errors.ts";

/** How a run stands. */
export const statusWords: Readonly<Record<Status, string>> = {
  queued: "the run has not begun",
  running: "the run is under way",
  waiting: "the run waits and can be resumed",
  decided: "the panel decided",
  undecided: "the panel did not decide",
  cancelled: "the run was cancelled; what was gathered is kept",
  failed: "the run failed; what was gathered is kept",
};

/** Why a run ended. */
export const stopWords: Readonly<Record<StopReason, string>> = {
  converged: "the panel agreed",
  stalled: "nobody moved any more",
  rounds_done: "the rounds ran out before the panel agreed",
  no_consensus: "the panel did not agree",
  quorum_lost: "too few seats answered",
  budget_time: "the time budget was reached",
  budget_tokens: "the token budget was reached",
  budget_cost: "the money budget was reached",
  budget_turns: "the budget of calls was reached",
  judge_failed: "no judge could be heard",
  accepted: "the owner accepted it",
  needs_revision: "the owner asks for a revision",
  rejected: "the owner rejected it",
  escalated: "it was passed on to someone who may decide it",
  blocked: "a veto or a failed check blocks it",
  approval_denied: "the approval was denied",
  approval_expired: "the approval did not come in time",
  cancelled_by_user: "it was cancelled on request",
  config_invalid: "the configuration cannot be used",
  store_failed: "the store could not be written",
  integrity_failed: "the record does not verify",
  internal_error: "an assumption inside Parley did not hold",
};

/** What happened to a seat that did not answer, to stand after its name. */
export const missWords: Readonly<Record<MissKind, string>> = {
  rate_limited: "was rate limited",
  auth: "had its credentials refused",
  billing: "has no credit",
  model_not_found: "names a model that was not found",
  provider_error: "met a provider error",
  timeout: "timed out",
  truncated_stream: "was cut off in mid-reply",
  malformed: "gave an unreadable reply",
  refused: "refused to answer",
  empty: "gave an empty reply",
  context_overflow: "could not hold the whole prompt",
  output_too_large: "gave a reply too large to read",
  agent_crashed: "crashed",
  protocol_error: "broke its protocol",
  bad_response: "gave a response that cannot be used",
  evidence_changed: "found its evidence changed",
  unsupported: "cannot do what was asked",
  in_doubt: "was cut off by a crash",
  left_behind: "was left behind once the quorum had answered",
  cancelled: "was cancelled",
  budget: "was not called: no budget was left",
  skipped: "was not called",
};

/** The words of a kind, or of any other word that a newer record may hold. */
export function missText(kind: string): string {
  return (missWords as Readonly<Record<string, string>>)[kind] ?? "did not answer";
}

/** A clause as a sentence: a capital at its beginning, a full stop at its end. */
export function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${/[.!?…]$/.test(clause) ? "" : "."}`;
}

/** Why no answer leads. */
export function leaderlessText(votes: Votes): string {
  return votes.answers.length === 0 ? "Nobody answered." : "No answer leads: the panel is split.";
}
