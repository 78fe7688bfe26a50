/**
 * The provider behind the simulated seats, and its own record of every call: what it was sent, when, what it did and what it cost.
 *
 * The checker believes this record and the log, and nothing the engine says of itself.
 */
import { SeatError } from "../src/errors.ts";
import type { Call, Occupant, OccupantFactory, Reply, Request } from "../src/ports.ts";
import type { Agenda } from "./agenda.ts";
import type { Life } from "./life.ts";
import type { Fault, Plan, SimSettings } from "./plan.ts";
import { type Part, partOf, replyText } from "./script.ts";

/** One call as the provider remembers it. */
export type CallRecord = {
  life: number;
  key: string;
  attempt: number;
  seat: string;
  round: number;
  act: string;
  /** The true time, and how many lines were on disk then. */
  at: number;
  durable: number;
  system: string;
  user: string;
  canary: string;
  fault: Fault | null;
  /** What it really used, and what it would have charged for it. */
  tokens: number;
  usd: number;
  usageTold: boolean;
  /** Whether the reply says what it cost. */
  usdTold: boolean;
  text: string | null;
  /** When its answer reached the process that asked; null when it never did. */
  answeredAt: number | null;
  /** When it will next take a call of this key, where it said so. */
  notBefore: number | null;
  /** Deltas it sent after the engine had let go of the call. */
  afterwards: number;
};

type Parts = {
  plan: Plan;
  agenda: Agenda<Life>;
  durable: () => number;
  nonce: () => string | null;
  kill: (life: Life) => void;
};

/** Kinds for which the provider does no work at all. */
const free: ReadonlySet<Fault | null> = new Set<Fault>([
  "rate_limited",
  "rate_limited_after",
  "auth",
  "context_overflow",
]);

export class Provider {
  readonly calls: CallRecord[] = [];
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Makes the simulated occupants of one life. */
  factory(life: Life): OccupantFactory {
    return (spec) => {
      const settings = spec.settings as unknown as SimSettings;
      const { endpoint, acts, streams } = settings;
      const cap: Occupant["cap"] = ({ system, user }) => {
        const tokens = Math.ceil((system.length + user.length) / 8) + settings.outTokens;
        return { tokens, usd: settings.usdPerToken === null ? null : tokens * settings.usdPerToken };
      };
      return {
        endpoint,
        pure: false,
        acts,
        streams,
        cap,
        reply: (request, call) => this.#take(life, settings, request, call),
      };
    };
  }

  #take(life: Life, settings: SimSettings, request: Request, call: Call): Promise<Reply> {
    const { plan, agenda, kill } = this.#parts;
    const part = partOf(plan, settings.endpoint, request.key, request.attempt);
    const record = this.#note(life, settings, request, part);
    const { crash } = life.plan;
    if (crash?.when === "after-call" && crash.count === life.calls)
      agenda.after(Math.min(part.ms, 40) / 2, null, () => kill(life));
    life.calls++;
    if (part.fault === "throws_at_once") throw new Error("the adapter broke at once");
    return new Promise((resolve, reject) => {
      const wait = (ms: number, what: () => void) => agenda.after(ms, life, what);
      const answer = (ms: number) => {
        wait(ms, () => {
          if (call.signal.aborted && part.heedsAbort) return;
          record.answeredAt = agenda.now;
          resolve(replyOf(record, settings, part));
        });
      };
      if (settings.streams && !this.#stream(record, part, call, wait)) return;
      const failure = failureOf(part, record);
      if (failure) wait(part.ms, () => reject(failure));
      else if (part.fault === "late") answer(plan.input.limits.turnTimeoutMs + part.ms);
      else if (part.fault === "slow") answer(12_000);
      else if (part.fault !== "hang" && part.fault !== "stall") answer(part.ms);
    });
  }

  #note(life: Life, settings: SimSettings, request: Request, part: Part): CallRecord {
    const { agenda, plan, nonce, durable } = this.#parts;
    const { key, attempt, round, act, system, user } = request;
    const input = Math.ceil((system.length + user.length) / 8);
    const output = part.overCap ? settings.outTokens + 50 : Math.ceil(settings.outTokens / 2);
    const tokens = free.has(part.fault) || part.fault === "throws_at_once" ? 0 : input + output;
    const record: CallRecord = {
      life: life.index,
      key,
      attempt,
      seat: request.seat.id,
      round,
      act,
      at: agenda.now,
      durable: durable(),
      system,
      user,
      canary: part.canary,
      fault: part.fault,
      tokens,
      usd: tokens * (settings.usdPerToken ?? 0),
      usageTold: part.usageKnown,
      usdTold: part.usageKnown && part.usdKnown && settings.usdPerToken !== null,
      text: textOf(plan, request, part, nonce()),
      answeredAt: null,
      notBefore: null,
      afterwards: 0,
    };
    if (part.fault === "rate_limited_after") record.notBefore = agenda.now + part.ms + retryAfterOf(part);
    this.calls.push(record);
    return record;
  }

  /** Streams a few pieces on the way; false when the stream stands still for good. */
  #stream(record: CallRecord, part: Part, call: Call, wait: (ms: number, what: () => void) => void): boolean {
    if (part.fault === "stall" && part.ms < 1_000) return false;
    wait(Math.min(part.ms / 4, 500), () => call.connected());
    if (part.fault === "stall" && part.ms < 2_000) return false;
    const delta = () => {
      if (call.signal.aborted) record.afterwards++;
      call.delta("…");
    };
    wait(part.ms / 2, delta);
    if (part.fault === "stall") return false;
    if (part.fault === "slow") for (const ms of [4_000, 8_000, 11_000]) wait(ms, delta);
    if (part.fault === "late" && !part.heedsAbort) wait(part.ms + 9_000, delta);
    return true;
  }
}

function textOf(plan: Plan, request: Request, part: Part, nonce: string | null): string | null {
  const { fault, canary } = part;
  if (fault === "hang" || fault === "stall" || failureKind(fault) !== null) return null;
  if (fault === "empty") return "  \n";
  if (fault === "malformed") return `${canary} I would rather not say it in JSON {`;
  if (fault === "schema_miss") return JSON.stringify({ position: canary, answer: 3 });
  const text = replyText(plan, request, part, nonce);
  return fault === "too_large" ? `${text}${" ".repeat(5_000)}.` : text;
}

function failureKind(fault: Fault | null): ConstructorParameters<typeof SeatError>[0] | "throws" | null {
  if (fault === "rate_limited" || fault === "rate_limited_after") return "rate_limited";
  if (fault === "throws" || fault === "throws_at_once") return "throws";
  if (fault === "provider_error" || fault === "refused" || fault === "auth") return fault;
  return fault === "truncated_stream" || fault === "context_overflow" ? fault : null;
}

function failureOf(part: Part, record: CallRecord): Error | null {
  const kind = failureKind(part.fault);
  if (kind === null) return null;
  if (kind === "throws") return new Error("the adapter broke");
  const told = record.usageTold && record.tokens > 0 ? { usage: usageOf(record) } : {};
  if (kind !== "rate_limited") return new SeatError(kind, `the provider says ${kind}`, told);
  return new SeatError(
    kind,
    "too many calls",
    part.fault === "rate_limited" ? {} : { retryAfterMs: retryAfterOf(part) },
  );
}

function retryAfterOf(part: Part): number {
  return 2_000 + part.ms * 10;
}

function replyOf(record: CallRecord, settings: SimSettings, part: Part): Reply {
  const usage = record.usageTold ? usageOf(record) : null;
  return {
    text: record.text ?? "",
    usage,
    ...(record.usdTold ? { usd: record.usd } : {}),
    model: `sim-${settings.outTokens}`,
    finish: part.fault === "cut_short" ? "length" : "stop",
  };
}

function usageOf({ tokens }: CallRecord): { inputTokens: number; outputTokens: number } {
  const inputTokens = Math.floor(tokens / 2);
  return { inputTokens, outputTokens: tokens - inputTokens };
}
