/**
 * Every error Parley raises on purpose, divided by who can act on it.
 *
 * One table gives each code its exit status and its meaning, so the command line, the HTTP API and the reference page cannot
 * disagree. Reaching a budget is not an error: it is a `limit-reached` event and an honest ending.
 */

/** What an exit status means; the same table is printed by `parley help exit-codes`. */
export const exitCodes = {
  0: "finished as asked (decided; or shown, exported, verified)",
  1: "internal failure; a report id is printed",
  2: "bad usage, config or question",
  3: "finished without a decision, or a --strict condition is not met",
  4: "credentials missing or refused for every seat that needed them",
  5: "waiting for a person",
  6: "rejected by the owner",
  7: "a budget was reached; what was gathered is kept and shown",
  8: "the record fails verification",
  130: "interrupted; the resume command is printed",
  143: "terminated; the resume command is printed",
} as const;

/** Each code: its exit status, its HTTP status, and the sentence of the reference page. */
export const errorCodes = {
  "bad-usage": { exit: 2, http: 400, means: "A flag, argument or combination of them cannot be used." },
  "bad-config": {
    exit: 2,
    http: 400,
    means: "A config, case, panel or dossier file does not have the shape it must have.",
  },
  "bad-question": {
    exit: 2,
    http: 400,
    means: "The question is empty, too long, or its options cannot be told apart.",
  },
  "bad-name": {
    exit: 2,
    http: 400,
    means: "A run id, seat id or file name holds characters or words that are not allowed.",
  },
  "bad-evidence": {
    exit: 2,
    http: 400,
    means: "An evidence file is missing, binary, too large, or not what its hash says.",
  },
  "evidence-changed": { exit: 2, http: 409, means: "An evidence file is not what it was when the run began." },
  "unknown-protocol": { exit: 2, http: 404, means: "No protocol has this name." },
  "unknown-panel": { exit: 2, http: 404, means: "No panel has this name." },
  "unknown-occupant": { exit: 2, http: 400, means: "No kind of occupant has this name." },
  "unknown-run": { exit: 2, http: 404, means: "No run in this store has this id or prefix." },
  "too-few-seats": { exit: 2, http: 400, means: "The protocol needs more seats than the panel has." },
  "run-exists": { exit: 2, http: 409, means: "A run with this id exists already." },
  "run-over": { exit: 2, http: 409, means: "The run has ended, and an ended run is not changed." },
  "run-owned": { exit: 2, http: 409, means: "Another process drives this run." },
  untrusted: { exit: 2, http: 403, means: "A file asks for a program to be run, and nobody has allowed it yet." },
  "seat-failed": { exit: 3, http: 502, means: "A seat did not answer; the run records it as a miss and goes on." },
  "no-credentials": { exit: 4, http: 401, means: "No seat that needs credentials has working ones." },
  "store-failed": { exit: 1, http: 503, means: "The store cannot be written: full, read-only, locked or broken." },
  "store-version": { exit: 2, http: 409, means: "The store or record was written by a newer version." },
  "lease-lost": { exit: 1, http: 409, means: "Another process took over the run while this one was paused." },
  diverged: {
    exit: 1,
    http: 409,
    means: "A replayed prompt is not the recorded one: the protocol changed under the run.",
  },
  "record-broken": { exit: 8, http: 409, means: "The record does not verify." },
  internal: { exit: 1, http: 500, means: "An assumption inside Parley does not hold." },
} as const;

export type ErrorCode = keyof typeof errorCodes;

type Details = { hint?: string; retryable?: boolean; cause?: unknown };

const mark = Symbol.for("parley.error");

/** The base of every error: a code in words, a sentence with the facts in it, and the next step. */
export class ParleyError extends Error {
  readonly [mark] = true;
  readonly code: ErrorCode;
  readonly hint: string | null;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = details.hint ?? null;
    this.retryable = details.retryable ?? false;
  }

  /** Works across two installed copies of the package, where `instanceof` does not. */
  static is(error: unknown): error is ParleyError {
    return typeof error === "object" && error !== null && mark in error;
  }
}

/** The caller can act: a flag, a file or a name is wrong. */
export class UsageError extends ParleyError {}

/** The operator can act: the disk, the lock or the other process. */
export class StoreError extends ParleyError {}

/** The author of a protocol can act: its code no longer asks what the record says it asked. */
export class Diverged extends ParleyError {
  constructor(key: string, recorded: string, now: string) {
    super(
      "diverged",
      `What the protocol asks in ${key} is not what is on record (${recorded.slice(0, 12)} then, ${now.slice(0, 12)} now).`,
      {
        hint: "The protocol or its options changed under this run. Resume it with the version that began it, or start a new run.",
      },
    );
  }
}

/** Why a seat did not answer. The kinds are the outcomes of the fault table; each is recorded, none is guessed at. */
export const missKinds = [
  "rate_limited",
  "auth",
  "billing",
  "model_not_found",
  "provider_error",
  "timeout",
  "truncated_stream",
  "malformed",
  "refused",
  "empty",
  "context_overflow",
  "output_too_large",
  "agent_crashed",
  "protocol_error",
  "bad_response",
  "evidence_changed",
  "unsupported",
  "in_doubt",
  "left_behind",
  "cancelled",
  "budget",
  "skipped",
] as const;
export type MissKind = (typeof missKinds)[number];

/** Kinds that another try with the same prompt can mend. */
const retryableKinds: ReadonlySet<MissKind> = new Set(["rate_limited", "provider_error", "truncated_stream", "empty"]);

/** Kinds that no later round can mend, so the seat is not asked again in this run. */
export const lastingKinds: ReadonlySet<MissKind> = new Set(["auth", "billing", "model_not_found", "unsupported"]);

type SeatFacts = {
  retryAfterMs?: number;
  raw?: string;
  usage?: { inputTokens: number; outputTokens: number } | undefined;
  usd?: number | undefined;
  requestId?: string;
  retryable?: boolean;
  cause?: unknown;
};

/** A seat can act, or its provider: thrown by occupants, recorded as an attempt that failed. */
export class SeatError extends ParleyError {
  readonly kind: MissKind;
  readonly facts: SeatFacts;

  constructor(kind: MissKind, message: string, facts: SeatFacts = {}) {
    super("seat-failed", message, { retryable: facts.retryable ?? retryableKinds.has(kind), cause: facts.cause });
    this.kind = kind;
    this.facts = facts;
  }

  /** Works across two installed copies of the package. */
  static isSeat(error: unknown): error is SeatError {
    return ParleyError.is(error) && error.code === "seat-failed" && "kind" in error;
  }
}

/** A broken assumption stops the run; assertions stay on in production. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new ParleyError("internal", `Broken assumption: ${message}`);
}
