/**
 * The life of one turn: reserve, record the intent, call, read, record what came back; retry or repair within fixed bounds.
 *
 * What happens next is always decided from the record, so a turn that a crash cut short goes on exactly where it stood. Each attempt is
 * its own intent. Only this file retries; occupants never do.
 */
import { callOccupant } from "./attempt.ts";
import { chargeOf, refusal } from "./budget.ts";
import { chance } from "./chance.ts";
import { type MissKind, SeatError } from "./errors.ts";
import type { Cap, EventOf } from "./events.ts";
import { Halt, type LiveRun, leftBehind } from "./live-run.ts";
import type { Occupant, Reply, Request } from "./ports.ts";
import { promptHash, repairPart, wordsOf } from "./prompt.ts";
import { readReply } from "./reading.ts";
import type { TurnView } from "./transcript.ts";

/** A turn as the room asks for it: everything but the attempt. */
export type Asked = {
  occupant: Occupant;
  request: Omit<Request, "attempt" | "repair">;
  say: string;
  systemHash: string;
  promptHash: string;
  shown: EventOf<"turn-start">["shown"];
  check: ((said: unknown) => string | null) | null;
  /** True for the synthesizer, which may use what was set aside for it. */
  closing: boolean;
  /** True for a judge or synthesizer that costs nothing: it is not counted as a call. */
  free: boolean;
};

/** Kinds that a provider refuses before doing any work, so nothing is charged. */
const unpaid: ReadonlySet<MissKind> = new Set([
  "rate_limited",
  "auth",
  "billing",
  "model_not_found",
  "unsupported",
  "context_overflow",
]);

/** Takes the turn to its outcome, which is then in the record: an end, a miss, or a budget without room. */
export async function takeTurn(live: LiveRun, asked: Asked): Promise<void> {
  for (;;) {
    const turn = live.view.turns.get(asked.request.key);
    await waitFor(live, asked, turn);
    if (live.halt) throw halted(live, asked, turn, live.halt);
    if (live.left.has(asked.request.key)) return miss(live, asked, "left_behind", leftBehind);
    const repair =
      turn?.failed?.kind === "malformed" ? { raw: turn.failed.raw ?? "", problem: turn.failed.cause } : null;
    const attempt = (turn?.attempts ?? 0) + 1;
    const request: Request = {
      ...asked.request,
      attempt,
      repair,
      ...(repair ? { user: asked.request.user + repairPart(repair) } : {}),
    };
    const cap = asked.occupant.cap(request);
    if (noRoom(live, asked, cap)) return;
    live.recorder.append(startOf(live, asked, request, cap, repair ? (turn?.failed?.attempt ?? null) : null));
    await attemptOnce(live, asked, request, cap);
    const state = live.view.turns.get(request.key)?.state;
    if (state === "ended" || state === "missed") return;
  }
}

/** Waits out a provider's limit, our backoff, or an open circuit; a halt or the end of the seats' time wakes it. */
async function waitFor(live: LiveRun, asked: Asked, turn: TurnView | undefined): Promise<void> {
  // No retry is granted a longer wait than this; a longer one means that the clock was set back.
  const retryAt = Math.min(turn?.failed?.retryAt ?? 0, live.world.now() + live.limits.turnTimeoutMs);
  for (;;) {
    const now = live.world.now();
    const rest = live.circuits.restMs(asked.occupant.endpoint, now);
    const latest = asked.closing ? now + live.timeLeft(true) : Number.POSITIVE_INFINITY;
    const until = Math.min(Math.max(retryAt, rest > 0 ? now + rest : 0), latest);
    if (until <= now || live.halt || live.left.has(asked.request.key) || (live.timeIsUp && !asked.closing)) return;
    live.exit();
    await new Promise<void>((resolve) => {
      const wake = () => {
        cancel();
        live.sleepers.delete(wake);
        resolve();
      };
      const cancel = live.world.after(until - now, wake);
      live.sleepers.add(wake);
    });
    await live.enter();
  }
}

/** A turn that waited for its next attempt when the run was cancelled is a miss; one that was paused goes on later. */
function halted(live: LiveRun, asked: Asked, turn: TurnView | undefined, halt: Halt): Halt {
  if (turn && halt.rest === "cancelled") miss(live, asked, "cancelled", "the run was cancelled");
  return halt;
}

function miss(live: LiveRun, asked: Asked, kind: MissKind, cause: string): void {
  const { key, seat, round, act } = asked.request;
  live.recorder.append({ type: "turn-missed", key, seat: seat.id, round, act, kind, cause });
}

/** Whether a budget has no room for the call; reaching one is recorded with the call that was not made. */
function noRoom(live: LiveRun, asked: Asked, cap: Cap): boolean {
  const { key } = asked.request;
  const { onBudget } = live.limits;
  const late = live.timeIsUp && !asked.closing;
  const refused = late
    ? timeRefusal(live)
    : refusal(live.view, live.limits, { cap, closing: asked.closing, free: asked.free }, live.world.now());
  if (!refused) return false;
  if (onBudget === "continue") {
    const told = live.view.limitsReached.some(
      (limit) => limit.budget === refused.budget && limit.action === "continue",
    );
    if (!told) live.recorder.append({ type: "limit-reached", key, ...refused, action: "continue" });
    return false;
  }
  live.recorder.append({ type: "limit-reached", key, ...refused, action: onBudget });
  if (onBudget === "resume") {
    live.stop(new Halt("waiting", "A budget is reached."));
    throw live.halt;
  }
  miss(live, asked, "budget", "a budget had no room for the call");
  return true;
}

function timeRefusal(live: LiveRun) {
  const limit = live.limits.maxTimeMs ?? 0;
  return { budget: "budget_time" as const, limit, used: Math.round(limit - live.timeLeft(true)), asked: 0 };
}

function startOf(
  live: LiveRun,
  asked: Asked,
  request: Request,
  cap: Cap,
  repairOf: number | null,
): Omit<EventOf<"turn-start">, "v" | "run" | "seq" | "at" | "epoch"> {
  const { key, attempt, round, act, system } = request;
  return {
    type: "turn-start",
    key,
    attempt,
    seat: request.seat.id,
    round,
    act,
    system: live.view.told.has(request.seat.id) ? null : system,
    say: live.view.asked.get(act) === asked.say ? null : asked.say,
    shown: asked.shown,
    promptHash: repairOf === null ? asked.promptHash : promptHash(asked.systemHash, request.user),
    cap,
    free: asked.free,
    repairOf,
  };
}

async function attemptOnce(live: LiveRun, asked: Asked, request: Request, cap: Cap): Promise<void> {
  const { occupant } = asked;
  if (!occupant.pure) {
    await live.recorder.durable();
    if (neverSent(live, asked, request)) return;
  }
  const began = live.world.now();
  try {
    const wholeMs = Math.min(
      occupant.patient ? Number.POSITIVE_INFINITY : live.limits.turnTimeoutMs,
      asked.closing ? Math.max(1, live.timeLeft(true)) : Number.POSITIVE_INFINITY,
    );
    const reply = await callOccupant(live, occupant, request, {
      wholeMs,
      delta: (text) => live.recorder.pass({ type: "turn-delta", key: request.key, seat: request.seat.id, text }),
      late: (reply) => keepLate(live, request, reply),
    });
    accept(live, asked, request, cap, reply, live.world.now() - began);
  } catch (error) {
    const seatError = SeatError.isSeat(error)
      ? error
      : new SeatError("provider_error", String((error as Error)?.message ?? error), { cause: error });
    if (live.recorder.failure) throw live.recorder.failure;
    fail(live, asked, request, cap, seatError, null);
  }
}

/** Whether the run was halted, or the seats' time used up, while the intent was being made durable: then the call does not leave. */
function neverSent(live: LiveRun, asked: Asked, request: Request): boolean {
  const free = { tokens: 0, usd: 0 };
  if (live.halt) {
    const error = new SeatError("cancelled", "the call was never sent");
    fail(live, asked, request, free, error, live.halt.rest !== "cancelled");
    throw live.halt;
  }
  if (!live.timeIsUp || asked.closing) return false;
  fail(live, asked, request, free, new SeatError("budget", "the time was used up before the call was sent"), false);
  return true;
}

/** Reads the reply; an unreadable one is a failed attempt whose text is kept, since it was paid for. */
function accept(live: LiveRun, asked: Asked, request: Request, cap: Cap, reply: Reply, latencyMs: number): void {
  const { limits } = live;
  const facts = {
    raw: reply.text,
    usage: reply.usage ?? undefined,
    ...(reply.requestId ? { requestId: reply.requestId } : {}),
  };
  if (reply.text.length > limits.replyChars) {
    throw new SeatError(
      "output_too_large",
      `the reply has ${reply.text.length} characters, ${limits.replyChars} are read`,
      facts,
    );
  }
  if (reply.text.trim() === "") throw new SeatError("empty", "the reply is empty", facts);
  const reading = readReply(reply.text, request.reply);
  const problem = reading.problem ?? asked.check?.(reading.said) ?? null;
  if (problem !== null) {
    const cut = reply.finish === "length" ? "the reply was cut at its length limit, be shorter; " : "";
    throw new SeatError("malformed", `${cut}${problem}`, facts);
  }
  live.circuits.note(asked.occupant.endpoint, true, live.world.now());
  const usage = reply.usage ?? null;
  const charged = chargeOf(cap, usage, reply.usd);
  const flags = [
    ...(request.repair ? ["repaired"] : []),
    ...(reply.finish === "length" ? ["truncated"] : []),
    ...(usage === null && cap.tokens > 0 ? ["usage_unknown"] : []),
    ...(charged.tokens > cap.tokens ? ["over_cap"] : []),
  ];
  const { key, attempt, round, act } = request;
  live.recorder.append({
    type: "turn-end",
    key,
    attempt,
    seat: request.seat.id,
    round,
    act,
    said: reading.said as EventOf<"turn-end">["said"],
    raw: wordsOf(reading.said) === reply.text ? null : reply.text,
    charged,
    usage,
    latencyMs,
    requestId: reply.requestId ?? null,
    model: reply.model ?? null,
    flags,
  });
}

/** Records a failed attempt and, where no further one is to be made, the miss in the same breath. */
function fail(live: LiveRun, asked: Asked, request: Request, cap: Cap, error: SeatError, again: boolean | null): void {
  const { key, attempt } = request;
  const seat = request.seat.id;
  const now = live.world.now();
  const usage = error.facts.usage ?? null;
  const charged = usage
    ? chargeOf(cap, usage, error.facts.usd)
    : unpaid.has(error.kind)
      ? { tokens: 0, usd: cap.usd === null ? null : 0 }
      : cap;
  if (error.kind === "provider_error" || error.kind === "timeout")
    live.circuits.note(asked.occupant.endpoint, false, now);
  const retryAt = again === null ? retryTime(live, asked, request, error, now) : again ? now : null;
  const raw = error.facts.raw === undefined ? null : error.facts.raw.slice(0, live.limits.replyChars);
  live.recorder.append({
    type: "attempt-failed",
    key,
    attempt,
    seat,
    kind: error.kind,
    cause: error.message,
    raw,
    charged,
    usage,
    requestId: error.facts.requestId ?? null,
    retryAt,
  });
  if (retryAt === null) miss(live, asked, error.kind, error.message);
}

/** When the next attempt may be made, or null when this was the last one. */
function retryTime(live: LiveRun, asked: Asked, request: Request, error: SeatError, now: number): number | null {
  const turn = live.view.turns.get(request.key);
  if (!turn || live.halt?.rest === "cancelled" || live.left.has(request.key)) return null;
  const interrupted = error.kind === "cancelled" && asked.occupant.patient && live.halt;
  if (interrupted || (error.kind === "malformed" && turn.repairs === 0)) return now;
  if (!error.retryable || turn.repairs > 0) return null;
  if (error.kind === "empty" && turn.failed?.kind === "empty") return null;
  const tried = turn.attempts - turn.doubts - turn.unsent;
  if (tried >= live.limits.attempts) return null;
  const jitter = 0.5 + chance(live.start.nonce, `${request.key}#${request.attempt}`)();
  const wait = Math.max(error.facts.retryAfterMs ?? 0, 1_000 * 2 ** (tried - 1) * jitter);
  if (wait > live.limits.turnTimeoutMs || wait > live.timeLeft(asked.closing)) return null;
  return now + wait;
}

function keepLate(live: LiveRun, request: Request, reply: Reply): void {
  if (live.view.stopReason !== null || live.recorder.failure || live.halt || typeof reply?.text !== "string") return;
  const { key, attempt } = request;
  const raw = reply.text.slice(0, live.limits.replyChars);
  live.recorder.append({ type: "turn-late", key, attempt, seat: request.seat.id, raw, usage: reply.usage ?? null });
}
