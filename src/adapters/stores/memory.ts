/**
 * A store in this process's memory: for tests, for the simulator, and for runs nobody wants to keep.
 *
 * It promises no durability and nothing else less: the same order, atomicity, epochs and refusals as a store on disk. No other
 * process can see it, so a lease does not run out; it ends when it is released or its owner is gone.
 */
import { genesis, type Line } from "../../chain.ts";
import type { Owner } from "../../events.ts";
import type { Lease, RunRow, Signal, Store } from "../../ports.ts";
import { ownerIsGone } from "./liveness.ts";
import { checkPlaces, headBefore, leaseLost, outOfPlace, runExists, runOwned, unknownRun } from "./refusals.ts";

/** What a simulator may decide for the store. */
export type MemorySettings = {
  now?: () => number;
  /** Whether an owner's process has ended; a simulator says so of the owners it crashed. */
  gone?: (owner: Owner) => boolean;
};

type Kept = { row: RunRow; epoch: number; ownedAt: number; lines: Line[]; signals: Signal[] };

/** A store that forgets everything when the process ends. */
export function memoryStore(settings: MemorySettings = {}): Store {
  return new MemoryStore(settings);
}

class MemoryStore implements Store {
  readonly place = "memory";
  readonly #now: () => number;
  readonly #gone: (owner: Owner) => boolean;
  readonly #runs = new Map<string, Kept>();

  constructor(settings: MemorySettings) {
    this.#now = settings.now ?? Date.now;
    this.#gone = settings.gone ?? ownerIsGone;
  }

  async create(...[about, owner, lines]: Parameters<Store["create"]>): Promise<Lease> {
    const { id, protocol, question, at } = about;
    if (this.#runs.has(id)) throw runExists(id);
    checkPlaces(id, lines, 0);
    const row: RunRow = {
      id,
      protocol,
      question,
      status: "running",
      stopReason: null,
      createdAt: at,
      updatedAt: at,
      events: lines.length,
      head: lines.at(-1)?.hash ?? genesis,
      owner,
    };
    this.#runs.set(id, { row, epoch: 1, ownedAt: this.#now(), lines: [...lines], signals: [] });
    return { run: id, epoch: 1, owner };
  }

  async claim(run: string, owner: Owner): Promise<Lease> {
    const kept = this.#kept(run);
    const holder = kept.row.owner;
    if (holder && !this.#gone(holder)) throw runOwned(run, holder, kept.ownedAt);
    kept.epoch += 1;
    kept.ownedAt = this.#now();
    kept.row.owner = owner;
    return { run, epoch: kept.epoch, owner };
  }

  async append(...[lease, lines, state]: Parameters<Store["append"]>): Promise<void> {
    const kept = this.#kept(lease.run);
    const { row } = kept;
    if (kept.epoch !== lease.epoch || !row.owner) throw leaseLost(lease, { epoch: kept.epoch, owner: row.owner });
    checkPlaces(lease.run, lines, row.events);
    if ((headBefore(lines) ?? row.head) !== row.head) throw outOfPlace(lease.run, lines[0]?.seq, row.events);
    for (const line of lines) {
      kept.lines.push(line);
      row.head = line.hash;
    }
    row.events = kept.lines.length;
    row.updatedAt = this.#now();
    if (state) {
      row.status = state.status;
      row.stopReason = state.stopReason;
      if (state.stopReason !== null) row.owner = null;
    }
  }

  async release(lease: Lease): Promise<void> {
    const kept = this.#kept(lease.run);
    // A lease that was lost has nothing to give back.
    if (kept.epoch === lease.epoch) kept.row.owner = null;
  }

  async read(run: string, fromSeq = 0): Promise<Line[]> {
    return this.#kept(run).lines.slice(fromSeq);
  }

  async find(run: string): Promise<RunRow | null> {
    const kept = this.#runs.get(run);
    return kept ? this.#shown(kept) : null;
  }

  async list(query: { prefix?: string; limit?: number } = {}): Promise<RunRow[]> {
    const { prefix = "", limit = Number.POSITIVE_INFINITY } = query;
    const found = [...this.#runs.values()].filter((kept) => kept.row.id.startsWith(prefix)).reverse();
    found.sort((one, other) => other.row.createdAt - one.row.createdAt);
    return found.slice(0, limit).map((kept) => this.#shown(kept));
  }

  async signal(run: string, signal: Signal): Promise<void> {
    this.#kept(run).signals.push(signal);
  }

  async signals(run: string): Promise<Signal[]> {
    return this.#runs.get(run)?.signals.splice(0) ?? [];
  }

  async close(): Promise<void> {}

  #kept(run: string): Kept {
    const kept = this.#runs.get(run);
    if (!kept) throw unknownRun(run, this.place);
    return kept;
  }

  /** A copy, so that nobody outside holds the row that is being written; an owner that is gone is not shown as one. */
  #shown(kept: Kept): RunRow {
    const { owner } = kept.row;
    return { ...kept.row, owner: owner && !this.#gone(owner) ? owner : null };
  }
}
