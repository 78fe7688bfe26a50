/** Budgets: whether a call may be made, decided from the record before it is made. Reserving the cap, not the estimate, keeps the promise. */
import type { Cap, EventOf } from "./events.ts";
import type { Limits } from "./limits.ts";
import type { View } from "./transcript.ts";

export type Refusal = Pick<EventOf<"limit-reached">, "budget" | "limit" | "used" | "asked">;

/** A call before it is made: what it may cost, whether it is the synthesizer's, and whether it counts as a call at all. */
type Call = { cap: Cap; closing: boolean; free: boolean };

/** Why a call with this cap has no room, or null. Calls of the judge and the synthesizer may use what was set aside for them. */
export function refusal(view: View, limits: Limits, call: Call, now: number): Refusal | null {
  const { cap, closing, free } = call;
  const aside = closing ? { tokens: 0, usd: 0, turns: 0 } : view.aside;
  const tokens = view.spent.tokens + view.reserved.tokens + aside.tokens;
  if (limits.maxTokens !== null && tokens + cap.tokens > limits.maxTokens) {
    return { budget: "budget_tokens", limit: limits.maxTokens, used: tokens, asked: cap.tokens };
  }
  const usd = view.spent.usd + view.reserved.usd + aside.usd;
  if (limits.maxUsd !== null && usd + (cap.usd ?? 0) > limits.maxUsd + 1e-9) {
    return { budget: "budget_cost", limit: limits.maxUsd, used: usd, asked: cap.usd ?? 0 };
  }
  const turns = view.spent.turns + aside.turns;
  if (limits.maxTurns !== null && !free && turns + 1 > limits.maxTurns) {
    return { budget: "budget_turns", limit: limits.maxTurns, used: turns, asked: 1 };
  }
  const active = activeMs(view, now);
  if (limits.maxTimeMs !== null && active >= limits.maxTimeMs) {
    return { budget: "budget_time", limit: limits.maxTimeMs, used: active, asked: 0 };
  }
  return null;
}

/** Running time so far; the pauses between two ownerships do not count. */
export function activeMs(view: View, now: number): number {
  return view.activeMs + Math.max(0, now - view.updatedAt);
}

/** What a call is charged: what the provider told, and the whole cap for what it did not tell; never a guess below it. */
export function chargeOf(
  cap: Cap,
  usage: { inputTokens: number; outputTokens: number } | null,
  usd: number | null | undefined = null,
): Cap {
  const tokens = usage ? usage.inputTokens + usage.outputTokens : cap.tokens;
  const over = cap.usd !== null && tokens > cap.tokens ? (cap.usd * tokens) / Math.max(1, cap.tokens) : cap.usd;
  return { tokens, usd: usd ?? over };
}
