/** A life: one simulated process that drives a run, and what the world notes about it. */
import type { Owner } from "../src/events.ts";
import type { LifePlan } from "./life-plan.ts";

export type Life = {
  index: number;
  plan: LifePlan;
  owner: Owner;
  /** It speaks in other words than the record's; set only when the record holds words to differ from. */
  reworded: boolean;
  /** Its process has died: nothing reaches it any more. */
  dead: boolean;
  /** Its process is stopped until then; what reaches it waits. */
  frozenUntil: number;
  /** Another life has taken the run over. */
  superseded: boolean;
  /** How its drive came to rest, once it has. */
  rest: "ended" | "paused" | "waiting" | "failed" | null;
  error: unknown;
  epoch: number;
  commits: number;
  calls: number;
  /** The wall clock less the true one. */
  offset: number;
  startedAt: number;
  endedAt: number;
  cancel: AbortController | null;
  pause: AbortController | null;
};

export function lifeOf(index: number, plan: LifePlan, offset: number, now: number): Life {
  return {
    index,
    plan,
    owner: { host: "sim", pid: index + 1, started: String(index) },
    reworded: false,
    dead: false,
    frozenUntil: 0,
    superseded: false,
    rest: null,
    error: null,
    epoch: 0,
    commits: 0,
    calls: 0,
    offset,
    startedAt: now,
    endedAt: 0,
    cancel: plan.cancelAt === null ? null : new AbortController(),
    pause: plan.pauseAt === null ? null : new AbortController(),
  };
}
