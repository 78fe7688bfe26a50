/** Invariants of budgets, clocks and attempts: what may be spent, when a call may be made again, and that every run ends in time. */

import { lastingKinds } from "../src/errors.ts";
import type { Event } from "../src/events.ts";
import type { Limits } from "../src/limits.ts";
import { type Case, isPure, isUnsent, limitsAt } from "./case.ts";
import type { SimSettings } from "./plan.ts";

const tiny = 1e-6;

type Used = { tokens: number; usd: number; turns: number };

/** I4: no call is made whose cap does not fit, and none is refused that would have fitted. */
export function budgetsHold({ events, attempts, report }: Case): void {
  let limits = (events[0] as Extract<Event, { type: "run-start" }>).limits;
  const spent: Used = { tokens: 0, usd: 0, turns: 0 };
  const open = new Map<string, { tokens: number; usd: number }>();
  let aside: Used = { tokens: 0, usd: 0, turns: 0 };
  const usedFor = (closing: boolean): Used => {
    const reserved = sum(open.values());
    const kept = closing ? { tokens: 0, usd: 0, turns: 0 } : aside;
    const tokens = spent.tokens + reserved.tokens + kept.tokens;
    return { tokens, usd: spent.usd + reserved.usd + kept.usd, turns: spent.turns + kept.turns };
  };
  for (const event of events) {
    limits = limitsAt(event, limits);
    if (event.type === "budget-reserved")
      aside = { tokens: event.aside.tokens, usd: event.aside.usd ?? 0, turns: event.turns };
    else if (event.type === "limit-reached" && event.key !== null)
      refusalIsTrue(event, usedFor(event.key.endsWith("/synthesis")), report);
    else if (event.type === "turn-start") {
      open.set(`${event.key}#${event.attempt}`, { tokens: event.cap.tokens, usd: event.cap.usd ?? 0 });
      if (!event.free) spent.turns++;
      if (limits.onBudget === "continue") continue;
      const used = usedFor(event.act === "synthesis");
      const caps = { tokens: limits.maxTokens, usd: limits.maxUsd, turns: limits.maxTurns };
      for (const name of ["tokens", "usd", "turns"] as const) {
        const cap = caps[name];
        if (cap !== null && used[name] > cap + tiny && !(event.free && name === "turns"))
          report("I4", `${name} are at ${used[name]} of ${cap} with ${event.key}`, event.seq);
      }
    } else if (event.type === "turn-end" || event.type === "attempt-failed" || event.type === "doubt-found") {
      const id = `${event.key}#${event.attempt}`;
      open.delete(id);
      spent.tokens += event.charged.tokens;
      spent.usd += event.charged.usd ?? 0;
      const unsent = isUnsent(event) && event.type === "attempt-failed" && event.retryAt !== null;
      if (unsent && !attempts.get(id)?.start.free) spent.turns--;
      if (!attempts.has(id)) report("I4", `${id} is charged and was never reserved`, event.seq);
    }
  }
}

/** A refusal names what is used, by the checker's own count, and there is no room for what was asked. */
function refusalIsTrue(event: Extract<Event, { type: "limit-reached" }>, used: Used, report: Case["report"]): void {
  if (event.budget === "budget_time") return;
  const counted = { budget_tokens: used.tokens, budget_cost: used.usd, budget_turns: used.turns }[event.budget];
  if (Math.abs(counted - event.used) > tiny)
    report("I4", `${event.key} is refused at ${event.used}, counted ${counted}`, event.seq);
  if (event.used + event.asked <= event.limit - tiny)
    report("I4", `${event.key} is refused and would have fitted`, event.seq);
}

function sum(caps: Iterable<{ tokens: number; usd: number }>): { tokens: number; usd: number } {
  const total = { tokens: 0, usd: 0 };
  for (const cap of caps) {
    total.tokens += cap.tokens;
    total.usd += cap.usd;
  }
  return total;
}

/** I4: a call is charged what the provider says it used, or its whole cap; never less than it really cost within its cap. */
export function chargesAreHonest({ attempts, plan, report }: Case): void {
  for (const { id, start, settled, call } of attempts.values()) {
    if (!settled || isPure(plan, start.seat)) continue;
    const { charged } = settled;
    const { cap } = start;
    if (settled.type === "doubt-found") {
      if (charged.tokens !== cap.tokens || charged.usd !== cap.usd)
        report("I4", `${id} is in doubt and is not charged its whole cap`, settled.seq);
      continue;
    }
    if (!call) continue;
    const known = settled.usage !== null;
    if (call.usageTold && call.text !== null && settled.type === "turn-end" && !known)
      report("I4", `${id} leaves out the usage the provider told`, settled.seq);
    const least = known ? call.tokens : Math.min(call.tokens, cap.tokens);
    if (charged.tokens < least)
      report("I4", `${id} is charged ${charged.tokens} tokens and used ${least}`, settled.seq);
    const leastUsd = known ? call.usd : Math.min(call.usd, cap.usd ?? 0);
    if (cap.usd !== null && (charged.usd ?? 0) < leastUsd - tiny)
      report("I4", `${id} is charged $${charged.usd} and cost $${leastUsd}`, settled.seq);
    if (settled.type !== "turn-end") continue;
    if (call.usdTold && charged.usd !== call.usd)
      report("I4", `${id} is charged $${charged.usd} and told $${call.usd}`, settled.seq);
    if (known && charged.tokens > cap.tokens !== settled.flags.includes("over_cap"))
      report("I4", `${id} used ${charged.tokens} of ${cap.tokens} tokens and its flags do not say so`, settled.seq);
  }
}

/** I4: what the provider really did stays within the token budget, but for what single calls used above their caps. */
export function trueCostStaysWithin({ calls, attempts, events, report }: Case): void {
  let limits: Limits | null = null;
  for (const event of events) limits = limitsAt(event, limits as Limits);
  if (!limits || limits.maxTokens === null || limits.onBudget === "continue") return;
  let used = 0;
  for (const call of calls) {
    const cap = attempts.get(`${call.key}#${call.attempt}`)?.start.cap.tokens ?? 0;
    used += Math.min(call.tokens, cap);
  }
  const over = [...attempts.values()].reduce((total, { settled, start }) => {
    return total + Math.max(0, (settled?.charged.tokens ?? 0) - start.cap.tokens);
  }, 0);
  if (used > limits.maxTokens + over + tiny) report("I4", `the provider used ${used} tokens of ${limits.maxTokens}`);
}

/** I4: once the seats' time is used up nobody but the synthesizer is asked. */
export function timeIsKept({ events, attempts, world, report }: Case): void {
  const reached = events.find((event) => {
    return event.type === "limit-reached" && event.budget === "budget_time" && event.action === "harvest";
  });
  if (!reached) return;
  // A process that was stopped makes the calls it had recorded when it runs again, and cannot know better.
  if (world.lives.some((life) => life.plan.freeze !== null)) return;
  for (const { start, call } of attempts.values())
    if (call && start.epoch === reached.epoch && call.act !== "synthesis" && world.wallAt(call.at) > reached.at)
      report("I4", `${call.key} was asked after the time was used up`, reached.seq);
}

/** I10: no attempt before its time, at most the attempts allowed and one repair, and none after a miss that lasts. */
export function attemptsAreBounded(each: Case): void {
  const { attempts, calls, plan, missed, report } = each;
  const byKey = Map.groupBy(attempts.values(), (attempt) => attempt.start.key);
  for (const [key, list] of byKey) {
    const unknown = list.filter(({ settled }) => settled?.type === "doubt-found" || isUnsent(settled)).length;
    const repairs = list.filter(({ start }) => start.repairOf !== null).length;
    if (list.length - unknown - repairs > plan.input.limits.attempts)
      report("I10", `${key} was tried ${list.length - unknown - repairs} times`, list.at(-1)?.start.seq);
    const doubtful = list.filter(
      ({ settled, start }) => start.repairOf !== null && settled?.type === "doubt-found",
    ).length;
    if (
      repairs - doubtful - list.filter(({ start, settled }) => start.repairOf !== null && isUnsent(settled)).length >
      1
    )
      report("I10", `${key} was repaired ${repairs} times`, list.at(-1)?.start.seq);
    for (const [index, { start, settled }] of list.entries()) {
      const next = list[index + 1]?.start;
      if (!next || settled?.type !== "attempt-failed" || isUnsent(settled)) continue;
      if (settled.retryAt === null) report("I10", `${key} was tried again after its last attempt`, next.seq);
      else if (next.at < settled.retryAt - tiny && (next.epoch === settled.epoch || !jumps(each)))
        report("I10", `${key} was tried again before its time`, next.seq);
      if (settled.kind === "malformed" && next.repairOf === null)
        report("I10", `${key} was mended by a call that is not recorded as a repair`, next.seq);
      if (start.attempt >= next.attempt) report("I10", `${key} counts its attempts backwards`, next.seq);
    }
  }
  providerTimes(each, calls);
  for (const miss of missed) {
    if (!lastingKinds.has(miss.kind)) continue;
    const again = [...attempts.values()].find(({ start }) => start.seat === miss.seat && start.seq > miss.seq);
    if (again) report("I10", `${miss.seat} was asked again after ${miss.kind}`, again.start.seq);
  }
}

function jumps({ plan }: Case): boolean {
  return plan.lives.some((life) => life.clockJumpMs !== 0);
}

/** I10: an endpoint that failed five times in a row is left alone for a while by everyone in that process. */
export function circuitsRest({ events, attempts, plan, report }: Case): void {
  const endpoints = new Map<string, string | null>();
  for (const { id, occupant } of plan.input.seats) endpoints.set(id, (occupant.settings as SimSettings).endpoint);
  for (const [part, chain] of [
    ["judge", plan.input.judges] as const,
    ["synthesizer", plan.input.synthesizers] as const,
  ])
    for (const [index, { kind, settings }] of chain.entries())
      endpoints.set(`${part}-${index + 1}`, kind === "sim" ? (settings as SimSettings).endpoint : null);
  let states = new Map<string, { failures: number; until: number }>();
  let epoch = 0;
  for (const event of events) {
    if (event.epoch !== epoch) states = new Map();
    epoch = event.epoch;
    if (event.type !== "turn-start" && event.type !== "turn-end" && event.type !== "attempt-failed") continue;
    const endpoint = endpoints.get(event.seat);
    if (!endpoint) continue;
    const state = states.get(endpoint) ?? { failures: 0, until: 0 };
    states.set(endpoint, state);
    if (event.type === "turn-end") states.delete(endpoint);
    else if (
      event.type === "turn-start" &&
      event.at < state.until &&
      attempts.get(`${event.key}#${event.attempt}`)?.call
    )
      report("I10", `${event.key} was asked of ${endpoint}, which was to be left alone`, event.seq);
    else if (event.type === "attempt-failed" && (event.kind === "provider_error" || event.kind === "timeout")) {
      state.failures++;
      if (state.failures >= 5) state.until = event.at + 30_000 - tiny;
    }
  }
}

/** The provider's own view: no call of a key before the time it gave, and a pause after each failure it answered with. */
function providerTimes({ world, report }: Case, calls: Case["calls"]): void {
  if (world.plan.lives.some((life) => life.clockJumpMs !== 0)) return;
  const last = new Map<string, Case["calls"][number]>();
  for (const call of calls) {
    const before = last.get(call.key);
    last.set(call.key, call);
    if (before?.notBefore && before.life === call.life && call.at < before.notBefore - tiny)
      report("I10", `${call.key} was asked ${before.notBefore - call.at} ms before the provider allowed it`);
    const failed = before?.fault === "provider_error" || before?.fault === "rate_limited";
    if (failed && before?.life === call.life && call.at < before.at + 500)
      report("I10", `${call.key} was asked again at once after ${before.fault}`);
  }
}

/** I10: a run with a time budget ends within it and ten seconds; the pauses between lives do not count. */
export function endsInTime({ events, end, world, report }: Case): void {
  for (const trouble of world.troubles) report("I10", trouble);
  let limits: Limits | null = null;
  let active = 0;
  let [last] = events;
  for (const event of events) {
    limits = limitsAt(event, limits as Limits);
    if (last && event.epoch === last.epoch) active += Math.max(0, event.at - last.at);
    last = event;
  }
  if (!end) report("I10", "the run has not ended");
  const calm = !world.lives.some((life) => life.plan.store !== null || life.plan.freeze !== null);
  const final = world.lives.at(-1);
  if (
    calm &&
    end?.status === "cancelled" &&
    final &&
    final.endedAt > final.startedAt + (final.plan.cancelAt ?? 0) + 1_000
  )
    report(
      "I10",
      `it ended ${final.endedAt - final.startedAt} ms after its beginning, cancelled at ${final.plan.cancelAt}`,
      end.seq,
    );
  if (!limits || limits.maxTimeMs === null || limits.onBudget === "continue") return;
  // Ten seconds are promised; where neither the store nor the process stood still, one is enough.
  const waited = calm ? 1_000 : 130_000;
  // A run that is to be resumed lets the calls under way finish, each within its own clock.
  const finishing = limits.onBudget === "resume" ? limits.turnTimeoutMs : 0;
  if (active > limits.maxTimeMs + waited + finishing)
    report("I10", `it ran for ${active} ms of ${limits.maxTimeMs}`, end?.seq);
}
