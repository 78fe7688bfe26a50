/**
 * One simulated world: a plan, a clock, a store, a provider, and the lives that drive the run one after another.
 *
 * `step` lets one thing happen. The loop drains all microtasks between two steps, so an engine never runs beside the world and a
 * killed life is simply never told anything again.
 */
import { code } from "../src/adapters/occupants/code.ts";
import { ParleyError } from "../src/errors.ts";
import type { Event } from "../src/events.ts";
import { protocols } from "../src/protocols/index.ts";
import { type Drive, type Outcome, resume, run } from "../src/run.ts";
import type { View } from "../src/transcript.ts";
import { Agenda } from "./agenda.ts";
import { Dice } from "./dice.ts";
import { type Life, lifeOf } from "./life.ts";
import { type LifePlan, quiet } from "./life-plan.ts";
import type { Plan } from "./plan.ts";
import { Provider } from "./provider.ts";
import { rewordedProtocols } from "./reworded.ts";
import { SimStore } from "./store.ts";

/** What a listener was told, with how much was on disk at that time. */
export type Shown = { life: number; seq: number; type: string; at: number; durable: number };

/** The wall clock at the beginning of every world. */
const dawn = 1_800_000_000_000;
const livesLimit = 14;
/** No run may take longer than this in virtual time, whatever happens to it. */
const timeLimitMs = 3_600_000;

export class World {
  readonly plan: Plan;
  readonly agenda: Agenda<Life>;
  readonly store: SimStore;
  readonly provider: Provider;
  readonly lives: Life[] = [];
  readonly shown: Shown[] = [];
  /** The view the last drive gave back. */
  view: View | null = null;
  /** What the world itself found wrong: a run that never ends, or ends in an error nobody planned. */
  readonly troubles: string[] = [];
  readonly refusedRivals: string[] = [];
  crashes = 0;
  done = false;
  #nonce: string | null = null;

  constructor(plan: Plan) {
    this.plan = plan;
    const dice = new Dice(plan.name, "agenda");
    this.agenda = new Agenda(() => dice.roll());
    this.store = new SimStore({
      agenda: this.agenda,
      dice: new Dice(plan.name, "store"),
      lives: this.lives,
      kill: (life) => this.#kill(life),
      frozen: (life) =>
        this.agenda.after(life.frozenUntil - this.agenda.now > 5_000 ? 1_000 : 10, null, () => this.#live()),
    });
    this.provider = new Provider({
      plan,
      agenda: this.agenda,
      durable: () => this.store.lines.length,
      nonce: () => this.#nonce,
      kill: (life) => this.#kill(life),
    });
    this.#live();
  }

  /** What the wall clock of the first life shows at a true time. */
  wallAt(trueTime: number): number {
    return dawn + trueTime;
  }

  /** Lets the next thing happen; false when nothing is left to happen. */
  step(): boolean {
    for (;;) {
      const entry = this.agenda.next();
      if (!entry) return this.#finish();
      const { who } = entry;
      if (who?.dead) continue;
      if (who && who.frozenUntil > this.agenda.now) {
        this.agenda.postpone(entry, who.frozenUntil);
        continue;
      }
      if (this.agenda.now > timeLimitMs) {
        this.troubles.push(`still going after ${timeLimitMs / 60_000} min of virtual time`);
        return this.#finish();
      }
      entry.call?.();
      return true;
    }
  }

  #finish(): boolean {
    if (!this.done && this.lives.at(-1)?.rest !== "ended") this.troubles.push("the run stands still and has not ended");
    this.done = true;
    return false;
  }

  /** A new process drives the run. */
  #live(): void {
    if (this.lives.length >= livesLimit) {
      this.troubles.push(`not ended after ${livesLimit} lives`);
      return;
    }
    const index = this.lives.length;
    const plan = this.plan.lives[index] ?? quiet;
    const offset = index === 0 ? 0 : (this.lives[index - 1]?.offset ?? 0) + plan.clockJumpMs;
    const life = lifeOf(index, plan, offset, this.agenda.now);
    life.reworded = plan.reworded && this.#allWereAsked();
    const before = this.lives.at(-1);
    this.lives.push(life);
    this.#schedule(life, plan);
    const drive = this.#drive(life);
    const driven = this.store.row
      ? resume(this.plan.input.id, drive, this.#changes(before))
      : run(this.plan.input, drive);
    driven.then(
      (outcome) => this.#rest(life, outcome, null),
      (error) => this.#rest(life, null, error),
    );
  }

  #allWereAsked(): boolean {
    const asked = this.store.lines.filter(
      ({ text }) => text.includes('"type":"turn-start"') && text.includes("/answer"),
    );
    return this.plan.input.seats.every(({ id }) => asked.some(({ text }) => text.includes(`"round-0/${id}/answer"`)));
  }

  #drive(life: Life): Drive {
    return {
      store: this.store.door(life),
      world: {
        now: () => dawn + this.agenda.now + life.offset,
        after: (ms, call) => this.agenda.after(ms, life, call),
        token: (bytes) => this.#token(bytes),
        owner: life.owner,
      },
      occupants: { sim: this.provider.factory(life), code },
      protocols: life.reworded ? rewordedProtocols : protocols,
      ...(life.cancel ? { cancel: life.cancel.signal } : {}),
      ...(life.pause ? { pause: life.pause.signal } : {}),
      onEvent: (event: Event) => {
        if (event.type === "turn-delta") return;
        const { seq, type, at } = event;
        this.shown.push({ life: life.index, seq, type, at, durable: this.store.lines.length });
      },
    };
  }

  #schedule(life: Life, plan: LifePlan): void {
    const { cancelAt, pauseAt, rivalAt } = plan;
    if (cancelAt !== null) this.agenda.after(cancelAt, life, () => life.cancel?.abort());
    if (pauseAt !== null) this.agenda.after(pauseAt, life, () => life.pause?.abort());
    if (rivalAt !== null) this.agenda.after(rivalAt, null, () => this.#rival(life));
  }

  /** Another process tries to drive the run while its owner is alive; it must be told so, and do nothing. */
  #rival(owner: Life): void {
    const mayRest = this.plan.input.limits.onBudget === "resume";
    if (owner.dead || owner.rest !== null || !this.store.row || owner.epoch === 0 || mayRest) return;
    const rival = lifeOf(900 + owner.index, quiet, owner.offset, this.agenda.now);
    resume(this.plan.input.id, this.#drive(rival)).then(
      (outcome) => {
        if (owner.rest === null && outcome.rest !== "ended") this.troubles.push("two processes drove the run at once");
      },
      (error) => this.refusedRivals.push(ParleyError.is(error) ? error.code : String(error)),
    );
  }

  /** What the person who resumes the run says: a bigger budget, or what becomes of a call in doubt. */
  #changes(before: Life | undefined): { limits?: Record<string, unknown> } {
    if (before?.rest !== "waiting") return {};
    const dice = new Dice(this.plan.name, `changes-${before.index}`);
    const { limits } = this.plan.input;
    const more = <Value extends number | null>(value: Value) =>
      value === null ? null : Math.ceil(value * 4 + 5_000 * (before.index + 1));
    const budgets = {
      maxTokens: more(limits.maxTokens),
      maxUsd: more(limits.maxUsd),
      maxTurns: more(limits.maxTurns),
      maxTimeMs: more(limits.maxTimeMs === null ? null : limits.maxTimeMs + 600_000),
    };
    return {
      limits: { inDoubt: dice.pick(["retry", "fail"]), ...(dice.bool(0.8) || before.index > 4 ? budgets : {}) },
    };
  }

  #rest(life: Life, outcome: Outcome | null, error: unknown): void {
    life.rest = outcome?.rest ?? "failed";
    life.error = error;
    life.endedAt = this.agenda.now;
    if (life.superseded) return;
    if (outcome) this.view = outcome.view;
    if (life.rest === "ended") return;
    if (life.reworded && ParleyError.is(error) && error.code === "diverged") {
      this.agenda.after(1_000, null, () => this.#live());
      return;
    }
    if (error && !expected(error)) {
      this.troubles.push(`a drive failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return;
    }
    this.agenda.after(100_000, null, () => this.#live());
  }

  #kill(life: Life): void {
    if (life.dead || life.rest !== null) return;
    life.dead = true;
    life.endedAt = this.agenda.now;
    this.crashes++;
    this.store.abandon(life);
    if (!life.superseded) this.agenda.after(this.#pauseAfter(life), null, () => this.#live());
  }

  #pauseAfter(life: Life): number {
    return new Dice(this.plan.name, `pause-${life.index}`).pick([1, 1_000, 50_000]);
  }

  /** The same tokens whenever the run is begun; the nonce is the one of sixteen bytes. */
  #token(bytes: number): string {
    const dice = new Dice(this.plan.name, `token-${bytes}`);
    let text = "";
    while (text.length < bytes * 2)
      text += Math.floor(dice.roll() * 0x100000000)
        .toString(16)
        .padStart(8, "0");
    const token = text.slice(0, bytes * 2);
    if (bytes === 16) this.#nonce = token;
    return token;
  }
}

/** Errors that a plan brings about: the store's, and the loss of the lease. */
function expected(error: unknown): boolean {
  return ParleyError.is(error) && (error.code === "store-failed" || error.code === "lease-lost");
}
