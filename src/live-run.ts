/**
 * A run being driven: its record, its occupants, the calls under way, and whether anything more may be asked.
 *
 * A halt is not an ending: the protocol is left where it stands, and the record brings it back there. Only `run.ts` turns a
 * cancelled run into an ended one.
 */
import { activeMs } from "./budget.ts";
import type { Circuits } from "./circuit.ts";
import type { MissKind } from "./errors.ts";
import type { EventOf } from "./events.ts";
import { type Gate, gateOf } from "./gate.ts";
import type { Limits } from "./limits.ts";
import type { Occupant, World } from "./ports.ts";
import type { Recorder } from "./recorder.ts";
import type { View } from "./transcript.ts";

/** Why a driven run stops without having ended. */
export class Halt extends Error {
  readonly rest: "paused" | "waiting" | "cancelled";

  constructor(rest: "paused" | "waiting" | "cancelled", message: string) {
    super(message);
    this.rest = rest;
  }
}

export const leftBehind = "the round closed with a quorum before it answered";

/** The part of the time budget kept for a synthesizer that has to be called. */
const closingShare = 0.2;

export class LiveRun {
  readonly start: EventOf<"run-start">;
  readonly recorder: Recorder;
  readonly world: World;
  readonly circuits: Circuits;
  /** By seat id, and `judge-1`, `synthesizer-1` … for the chains. */
  readonly occupants: ReadonlyMap<string, Occupant>;
  /** How to cut off each call under way, by its key. */
  readonly calls = new Map<string, (kind: MissKind, cause: string) => void>();
  /** Keys of the calls under way that have no clock. */
  readonly patient = new Set<string>();
  /** How to wake each turn that waits for its next attempt. */
  readonly sleepers = new Set<() => void>();
  /** Keys of turns whose round has closed without them. */
  readonly left = new Set<string>();
  halt: Halt | null = null;
  /** Set when the time for seats is used up; what remains is the synthesizer's. */
  timeIsUp = false;
  readonly #gate: Gate;
  readonly #order: number;
  #cancelDeadline: (() => void) | null = null;

  constructor(parts: Pick<LiveRun, "start" | "recorder" | "world" | "circuits" | "occupants">) {
    this.start = parts.start;
    this.recorder = parts.recorder;
    this.world = parts.world;
    this.circuits = parts.circuits;
    this.occupants = parts.occupants;
    this.#gate = gateOf(parts.world);
    this.#order = this.#gate.order();
  }

  get view(): View {
    return this.recorder.view;
  }

  get limits(): Limits {
    return this.view.limits ?? this.start.limits;
  }

  /** Takes a place among the calls of this process: at once, which is null, or when the promise resolves or the run is woken. */
  enter(): Promise<void> | null {
    const place = this.#gate.enter(this.#order);
    if (!place) return null;
    this.sleepers.add(place.leave);
    return place.entered.then(() => {
      this.sleepers.delete(place.leave);
    });
  }

  exit(): void {
    this.#gate.exit();
  }

  /** Lets calls under way finish, and no other begin. One that takes its own time, as a person does, is not waited for. */
  stop(halt: Halt): void {
    this.halt ??= halt;
    for (const key of [...this.patient]) this.calls.get(key)?.("cancelled", "the run was interrupted");
    for (const wake of [...this.sleepers]) wake();
  }

  /** Closes a round over the turns it no longer waits for, whether they are called or wait for their next attempt. */
  leaveBehind(keys: Iterable<string>): void {
    for (const key of keys) {
      this.left.add(key);
      this.calls.get(key)?.("left_behind", leftBehind);
    }
    for (const wake of [...this.sleepers]) wake();
  }

  /** Cuts off every call under way. */
  abort(kind: MissKind, cause: string): void {
    for (const cut of [...this.calls.values()]) cut(kind, cause);
    for (const wake of [...this.sleepers]) wake();
  }

  /** Milliseconds that calls of seats, or of the synthesizer, may still take; infinite without a time budget. */
  timeLeft(closing: boolean): number {
    const { maxTimeMs, onBudget } = this.limits;
    if (maxTimeMs === null || onBudget === "continue") return Number.POSITIVE_INFINITY;
    const whole = closing ? maxTimeMs : maxTimeMs * (1 - this.#closingShare());
    return Math.max(0, whole - activeMs(this.view, this.world.now()));
  }

  /** Watches the time budget; reaching it cuts off the seats' calls and is recorded once. */
  watchTime(): void {
    const { maxTimeMs } = this.limits;
    if (maxTimeMs === null) return;
    const whole = maxTimeMs * (1 - this.#closingShare());
    const wait = whole - activeMs(this.view, this.world.now());
    this.#cancelDeadline = this.world.after(Math.max(0, wait), () => this.#reachTime(maxTimeMs));
  }

  unwatchTime(): void {
    this.#cancelDeadline?.();
  }

  #closingShare(): number {
    const synthesizer = this.occupants.get("synthesizer-1");
    return synthesizer && !synthesizer.pure ? closingShare : 0;
  }

  #reachTime(limit: number): void {
    if (this.recorder.failure || this.view.stopReason !== null) return;
    const { onBudget } = this.limits;
    const used = Math.round(activeMs(this.view, this.world.now()));
    this.recorder.append({
      type: "limit-reached",
      key: null,
      budget: "budget_time",
      limit,
      used,
      asked: 0,
      action: onBudget,
    });
    if (onBudget === "continue") return;
    if (onBudget === "resume") {
      this.stop(new Halt("waiting", "The time budget is reached."));
      return;
    }
    this.timeIsUp = true;
    this.abort("budget", "the time budget is used up");
  }
}
