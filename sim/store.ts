/**
 * A store whose disk is the agenda: what is handed to it is done later, in order, or refused, or done without an answer.
 *
 * It keeps its promises the way a disk does. A batch is written whole or not at all, the newest epoch alone may write, and what was
 * acknowledged is never dropped. Each life has its own door, so the store knows who is asking.
 */
import { genesis, type Line } from "../src/chain.ts";
import { StoreError, UsageError } from "../src/errors.ts";
import type { Lease, RunRow, Store } from "../src/ports.ts";
import type { Agenda } from "./agenda.ts";
import type { Dice } from "./dice.ts";
import type { Life } from "./life.ts";

type Job = {
  life: Life;
  commits: boolean;
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

/** One batch as the disk wrote it. */
export type Commit = { life: number; epoch: number; newest: number; from: number; to: number; at: number };

export class SimStore {
  readonly lines: Line[] = [];
  readonly commits: Commit[] = [];
  row: RunRow | null = null;
  epoch = 0;
  /** Refusals, by what they were; the report counts them. */
  readonly refused: string[] = [];
  readonly #agenda: Agenda<Life>;
  readonly #dice: Dice;
  readonly #kill: (life: Life) => void;
  readonly #frozen: (life: Life) => void;
  readonly #lives: readonly Life[];
  readonly #troubleUntil = new Map<Life, number>();
  #jobs: Job[] = [];
  #busy = false;

  constructor(parts: {
    agenda: Agenda<Life>;
    dice: Dice;
    lives: readonly Life[];
    kill: (life: Life) => void;
    frozen: (life: Life) => void;
  }) {
    this.#agenda = parts.agenda;
    this.#dice = parts.dice;
    this.#lives = parts.lives;
    this.#kill = parts.kill;
    this.#frozen = parts.frozen;
  }

  /** The store as one life sees it. */
  door(life: Life): Store {
    const hand = <Value>(work: () => Value, commits = false, mostMs = 3) =>
      this.#hand({ life, work, commits }, mostMs) as Promise<Value>;
    return {
      place: "the simulated store",
      create: (about, owner, lines) => hand(() => this.#create(life, about, owner, lines), true),
      claim: (run, owner) => hand(() => this.#claim(life, run, owner)),
      append: (lease, lines, state) => hand(() => this.#append(life, lease, lines, state), true),
      release: (lease) => hand(() => this.#release(lease)),
      read: (_run, from = 0) => hand(() => this.lines.slice(from)),
      // A store in trouble is slow to tell how things stand, and the engine goes on meanwhile.
      find: () => hand(() => this.row && { ...this.row }, false, life.plan.store ? 1_500 : 3),
      list: () => hand(() => (this.row ? [{ ...this.row }] : [])),
      signal: async () => {},
      signals: async () => [],
      close: async () => {},
    };
  }

  /** What a dying process had handed over is written up to some point and lost after it. */
  abandon(life: Life): void {
    const mine = this.#jobs.filter((job) => job.life === life);
    const written = this.#dice.int(0, mine.length);
    this.#jobs = this.#jobs.filter((job) => job.life !== life);
    for (const job of mine.slice(0, written)) {
      try {
        job.work();
      } catch {
        return;
      }
    }
  }

  #hand(job: Pick<Job, "life" | "work" | "commits">, mostMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ ...job, resolve, reject });
      this.#wake(this.#dice.int(0, mostMs));
    });
  }

  #wake(ms: number): void {
    if (this.#busy || this.#jobs.length === 0) return;
    this.#busy = true;
    this.#agenda.after(ms, null, () => {
      this.#busy = false;
      this.#work();
      this.#wake(this.#dice.int(0, 2));
    });
  }

  #work(): void {
    const job = this.#jobs[0];
    if (!job) return;
    const { life } = job;
    if (life.dead) {
      this.#jobs.shift();
      return;
    }
    const { crash, freeze, store } = life.plan;
    const count = life.commits;
    if (job.commits && crash?.when === "before-commit" && crash.count === count) {
      this.#kill(life);
      return;
    }
    const trouble = job.commits && store && count >= store.fromCommit ? this.#trouble(life, store) : null;
    if (trouble === "still") return;
    this.#jobs.shift();
    if (trouble === "full" || trouble === "broken") {
      this.refused.push(trouble);
      this.#answer(life, () => job.reject(failed(trouble, trouble === "full")));
      return;
    }
    let value: unknown;
    try {
      value = job.work();
    } catch (error) {
      this.#answer(life, () => job.reject(error));
      return;
    }
    if (job.commits) life.commits++;
    if (job.commits && crash?.when === "after-commit" && crash.count === count) {
      this.#kill(life);
      return;
    }
    if (trouble === "lost") {
      this.refused.push("lost");
      this.#answer(life, () => job.reject(failed("lost", true)));
      return;
    }
    if (job.commits && freeze?.afterCommit === count && life.frozenUntil === 0) {
      life.frozenUntil = this.#agenda.now + freeze.ms;
      this.#frozen(life);
    }
    this.#answer(life, () => job.resolve(value));
  }

  /** An answer reaches a stopped process when it runs again. */
  #answer(life: Life, call: () => void): void {
    const wait = life.frozenUntil - this.#agenda.now;
    if (wait > 0) this.#agenda.after(wait, life, call);
    else call();
  }

  /** Whether the planned trouble is on now; `still` keeps the job and comes back for it. */
  #trouble(life: Life, plan: NonNullable<Life["plan"]["store"]>): typeof plan.kind | null {
    const now = this.#agenda.now;
    let until = this.#troubleUntil.get(life);
    if (until === undefined) {
      until = now + plan.ms;
      this.#troubleUntil.set(life, until);
      if (plan.kind === "still") {
        this.refused.push("still");
        this.#busy = true;
        this.#agenda.after(plan.ms, null, () => {
          this.#busy = false;
          this.#wake(0);
        });
        return "still";
      }
      return plan.kind;
    }
    if (now >= until || plan.kind === "still") return null;
    return plan.kind !== "lost" || this.#dice.bool(0.5) ? plan.kind : null;
  }

  #create(
    life: Life,
    about: { id: string; protocol: string; question: string; at: number },
    owner: Life["owner"],
    lines: readonly Line[],
  ): Lease {
    if (this.row) throw new UsageError("run-exists", `A run named ${about.id} exists already.`);
    checkPlaces(lines, 0);
    const { id, protocol, question, at } = about;
    const rest = { status: "running" as const, stopReason: null, createdAt: at, updatedAt: at };
    this.row = { id, protocol, question, ...rest, events: 0, head: genesis, owner };
    this.epoch = 1;
    this.#write(life, lines, 1);
    return { run: id, epoch: 1, owner };
  }

  #claim(life: Life, run: string, owner: Life["owner"]): Lease {
    const row = this.#found(run);
    const holder = row.owner && this.#lives.find((other) => other.owner.pid === row.owner?.pid);
    if (holder && !holder.dead && holder.rest === null && holder.frozenUntil <= this.#agenda.now) {
      throw new StoreError("run-owned", `Run ${run} is driven by process ${holder.owner.pid}.`);
    }
    for (const other of this.#lives) if (other !== life && other.rest === null) other.superseded = true;
    this.epoch++;
    row.owner = owner;
    life.epoch = this.epoch;
    return { run, epoch: this.epoch, owner };
  }

  #append(
    life: Life,
    lease: Lease,
    lines: readonly Line[],
    state?: { status: RunRow["status"]; stopReason: string | null },
  ): void {
    const row = this.#found(lease.run);
    if (lease.epoch !== this.epoch || !row.owner) {
      this.refused.push("fenced");
      throw new StoreError("lease-lost", `Epoch ${lease.epoch} may not write, the newest is ${this.epoch}.`);
    }
    checkPlaces(lines, this.lines.length);
    if (lines[0] && !lines[0].text.includes(`"prev":"${row.head}"`))
      throw new StoreError("internal", `Line ${lines[0].seq} does not follow the last one.`);
    this.#write(life, lines, lease.epoch);
    if (!state) return;
    Object.assign(row, state);
    if (state.stopReason !== null) row.owner = null;
  }

  #write(life: Life, lines: readonly Line[], epoch: number): void {
    const { row } = this;
    if (!row) return;
    life.epoch = epoch;
    const from = this.lines.length;
    for (const line of lines) this.lines.push(line);
    row.events = this.lines.length;
    row.head = this.lines.at(-1)?.hash ?? genesis;
    row.updatedAt = this.#agenda.now;
    const commit = { life: life.index, epoch, newest: this.epoch, from, to: row.events, at: this.#agenda.now };
    this.commits.push(commit);
  }

  #release(lease: Lease): void {
    if (this.row && lease.epoch === this.epoch) this.row.owner = null;
  }

  #found(run: string): RunRow {
    if (this.row?.id !== run) throw new UsageError("unknown-run", `No run named ${run}.`);
    return this.row;
  }
}

function checkPlaces(lines: readonly Line[], next: number): void {
  for (const [index, line] of lines.entries()) {
    if (line.seq !== next + index)
      throw new StoreError("internal", `Line ${line.seq} cannot be added, the next is ${next + index}.`);
  }
}

function failed(kind: string, retryable: boolean): StoreError {
  return new StoreError("store-failed", `The simulated store is ${kind}.`, { retryable });
}
