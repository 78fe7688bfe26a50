/**
 * What will happen to each life of a run: one life is one process that drives it, from its start to its end, its rest or its crash.
 */
import type { Dice } from "./dice.ts";

export type LifePlan = {
  /** Where the process dies; commits and calls are counted within the life. */
  crash: { when: "before-commit" | "after-commit" | "after-call"; count: number } | null;
  /** The process is stopped and comes back after another has taken over. */
  freeze: { afterCommit: number; ms: number } | null;
  /** The store is full for a while, breaks for this process, loses one answer, or stands still. */
  store: { kind: "full" | "broken" | "lost" | "still"; fromCommit: number; ms: number } | null;
  pauseAt: number | null;
  cancelAt: number | null;
  /** How far the wall clock is from where it would be, when the life begins. */
  clockJumpMs: number;
  /** A second process tries to take the run over while this one is alive. */
  rivalAt: number | null;
  /** The process has another wording of the protocol than the one the run began with. */
  reworded: boolean;
};

/** A life to which nothing happens. */
export const quiet: LifePlan = {
  crash: null,
  freeze: null,
  store: null,
  pauseAt: null,
  cancelAt: null,
  clockJumpMs: 0,
  rivalAt: null,
  reworded: false,
};

/** The lives of a run; any life after the last is quiet. */
export function livesOf(dice: Dice, timed: boolean): LifePlan[] {
  const first = lifeOf(dice, timed, 0.7);
  if (!first.crash && !first.freeze) return [first, lifeOf(dice, timed, 0.1)];
  const second = lifeOf(dice, timed, 0.3);
  if (dice.bool(0.04)) return [first, { ...quiet, reworded: true }, second];
  return [first, second, lifeOf(dice, timed, 0.15)];
}

function lifeOf(dice: Dice, timed: boolean, trouble: number): LifePlan {
  const life = { ...quiet };
  if (dice.bool(0.15) && !timed) life.clockJumpMs = dice.pick([-3_600_000, -3_600_000, -5_000, 40_000, 86_400_000]);
  if (!dice.bool(trouble)) return life;
  const kind = dice.roll();
  if (kind < 0.6)
    life.crash = { when: dice.pick(["before-commit", "after-commit", "after-call"]), count: dice.int(0, 12) };
  else if (kind < 0.68) life.freeze = { afterCommit: dice.int(1, 8), ms: dice.pick([2_000, 30_000, 400_000]) };
  else if (kind < 0.83) {
    life.store = {
      kind: dice.pick(["full", "broken", "lost", "lost", "still"]),
      fromCommit: dice.int(0, 8),
      ms: dice.pick([300, 5_000, 90_000]),
    };
    if (timed && dice.bool(0.5)) life.store = { kind: "still", fromCommit: dice.int(0, 3), ms: 90_000 };
    if (dice.bool(0.2)) life.crash = { when: "after-call", count: dice.int(1, 8) };
  } else if (kind < 0.92) {
    life.pauseAt = dice.int(0, 4_000);
    if (dice.bool(0.5)) life.cancelAt = life.pauseAt + dice.int(0, 2_000);
  } else if (kind < 0.97) life.cancelAt = dice.int(0, 12_000);
  else life.rivalAt = dice.int(1, 4_000);
  return life;
}
