/**
 * The store on disk: one SQLite file that many processes may read and write.
 *
 * Writes of all runs that fall into one turn of the event loop share one durable commit. A run has one owner at a time; each
 * claim raises its epoch, and every append names its own, so a process that lost a run cannot write to it even if it never noticed.
 */
import { randomBytes } from "node:crypto";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { genesis, type Line } from "../../chain.ts";
import type { Status } from "../../decision.ts";
import { StoreError } from "../../errors.ts";
import type { Owner } from "../../events.ts";
import type { Lease, RunRow, Signal, Store } from "../../ports.ts";
import { CommitQueue, type Write } from "./commit-queue.ts";
import { openDatabase } from "./database.ts";
import { ownerIsGone } from "./liveness.ts";
import {
  checkPlaces,
  headBefore,
  leaseLost,
  mostLines,
  outOfPlace,
  runExists,
  runOwned,
  unknownRun,
} from "./refusals.ts";
import { prepare, type Statements } from "./statements.ts";
import { storeFailure } from "./store-failure.ts";

/** What may be set on a store; all of it has defaults. */
export type SqliteSettings = {
  /** How long a claim holds without being renewed; it is renewed three times as often. */
  leaseMs?: number;
  now?: () => number;
  /** Called with each connection as it is opened. */
  onOpen?: (database: DatabaseSync) => void;
  /** Called after each commit with the number of writes that shared it. */
  onCommit?: (writes: number) => void;
};

type Open = { database: DatabaseSync; sql: Statements };
type Row = Record<string, SQLOutputValue>;

/** A store in a SQLite file, opened when it is first used. */
export function sqliteStore(path: string, settings: SqliteSettings = {}): Store {
  return new SqliteStore(path, settings);
}

class SqliteStore implements Store {
  readonly place: string;
  readonly #settings: SqliteSettings;
  readonly #leaseMs: number;
  readonly #now: () => number;
  readonly #queue: CommitQueue<Statements>;
  /** Marks the runs held through this store, so that one statement renews them all. */
  readonly #holder = randomBytes(8).toString("hex");
  #open: Open | null = null;
  #closed = false;
  #renewal: NodeJS.Timeout | null = null;
  #unreleased: Lease[] = [];
  /** The numbers of the runs that this store writes to. */
  readonly #numbers = new Map<string, number>();

  constructor(path: string, settings: SqliteSettings) {
    this.place = path;
    this.#settings = settings;
    this.#leaseMs = settings.leaseMs ?? 15_000;
    this.#now = settings.now ?? Date.now;
    this.#queue = new CommitQueue<Statements>(
      {
        begin: () => this.#begin(),
        commit: () => this.#open?.sql.commit.run(),
        rollback: () => this.#rollback(),
        failure: (error) => storeFailure(error, path),
      },
      settings.onCommit,
    );
  }

  create(...[about, owner, lines]: Parameters<Store["create"]>): Promise<Lease> {
    return this.#write((sql) => {
      const { id, protocol, question, at } = about;
      checkPlaces(id, lines, 0);
      const now = this.#now();
      const head = lines.at(-1)?.hash ?? genesis;
      const holding = [JSON.stringify(owner), now, now + this.#leaseMs, this.#holder] as const;
      const made = sql.create.run(id, protocol, question, at, at, lines.length, head, ...holding);
      if (made.changes === 0) throw runExists(id);
      this.#numbers.set(id, Number(made.lastInsertRowid));
      addLines(sql, Number(made.lastInsertRowid), lines);
      this.#keepRenewing();
      return { run: id, epoch: 1, owner };
    });
  }

  claim(run: string, owner: Owner): Promise<Lease> {
    return this.#write((sql) => {
      const row = sql.ownership.get(run);
      if (!row) throw unknownRun(run, this.place);
      const holder = this.#living(row);
      if (holder) throw runOwned(run, holder, Number(row.owned_at));
      const epoch = Number(row.epoch) + 1;
      const now = this.#now();
      sql.claim.run(epoch, JSON.stringify(owner), now, now + this.#leaseMs, this.#holder, run);
      this.#keepRenewing();
      return { run, epoch, owner };
    });
  }

  append(...[lease, lines, state]: Parameters<Store["append"]>): Promise<void> {
    return this.#write((sql) => {
      const { run, epoch } = lease;
      const first = lines[0]?.seq ?? null;
      if (first !== null) checkPlaces(run, lines, first);
      const events = first === null ? null : first + lines.length;
      const head = lines.at(-1)?.hash ?? null;
      const follows = headBefore(lines);
      const change = state?.stopReason ? sql.appendEnd : sql.appendWithState;
      const { changes } = state
        ? change.run(this.#now(), events, head, state.status, state.stopReason, run, epoch, first, follows)
        : sql.append.run(this.#now(), events, head, run, epoch, first, follows);
      if (changes === 0) throw this.#whyNot(sql, lease, first);
      addLines(sql, this.#number(sql, run), lines);
      if (state?.stopReason) this.#numbers.delete(run);
    });
  }

  async release(lease: Lease): Promise<void> {
    try {
      await this.#write((sql) => void sql.release.run(lease.run, lease.epoch));
      this.#numbers.delete(lease.run);
    } catch (error) {
      // The run would stay owned for as long as this process lives, so it is let go with the next renewal.
      this.#unreleased.push(lease);
      throw error;
    }
  }

  async read(run: string, fromSeq = 0): Promise<Line[]> {
    return this.#query((sql) => {
      const row = sql.ownership.get(run);
      if (!row) throw unknownRun(run, this.place);
      const first = Number(row.no) * mostLines;
      const rows = sql.lines.all(first + fromSeq, first + mostLines);
      return rows.map((row) => ({ seq: Number(row.place) - first, hash: String(row.hash), text: String(row.text) }));
    });
  }

  async find(run: string): Promise<RunRow | null> {
    return this.#query((sql) => {
      const row = sql.find.get(run);
      return row ? this.#shown(row) : null;
    });
  }

  async list(query: { prefix?: string; limit?: number } = {}): Promise<RunRow[]> {
    const { prefix = "", limit = -1 } = query;
    return this.#query((sql) => {
      const rows = prefix ? sql.newestWithPrefix.all(prefix, prefix, limit) : sql.newest.all(limit);
      return rows.map((row) => this.#shown(row));
    });
  }

  signal(run: string, signal: Signal): Promise<void> {
    return this.#write((sql) => {
      if (!sql.ownership.get(run)) throw unknownRun(run, this.place);
      sql.signal.run(run, signal.name, signal.at);
    });
  }

  async signals(run: string): Promise<Signal[]> {
    // Drivers ask often and there is seldom anything, so the write lock is only taken when there is.
    if (!this.#query((sql) => sql.waiting.get(run))) return [];
    const taken = await this.#write((sql) => sql.take.all(this.#now(), run));
    taken.sort((one, other) => Number(one.place) - Number(other.place));
    return taken.map((row) => ({ name: row.name as Signal["name"], at: Number(row.at) }));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    if (this.#renewal) {
      this.#stopRenewing();
      // Nobody can write through this store any more, so its runs are free for others at once.
      this.#write((sql) => void sql.releaseAll.run(this.#holder)).catch(() => {});
    }
    this.#queue.flush();
    this.#closed = true;
    this.#open?.database.close();
    this.#open = null;
  }

  #write<Value>(write: Write<Statements, Value>): Promise<Value> {
    return this.#closed ? Promise.reject(this.#isClosed()) : this.#queue.add(write);
  }

  #query<Value>(ask: (sql: Statements) => Value): Value {
    try {
      return ask(this.#ready());
    } catch (error) {
      throw storeFailure(error, this.place);
    }
  }

  #begin(): Statements {
    const sql = this.#ready();
    sql.begin.run();
    return sql;
  }

  #ready(): Statements {
    if (this.#closed) throw this.#isClosed();
    if (!this.#open) {
      const database = openDatabase(this.place, this.#settings.onOpen);
      this.#open = { database, sql: prepare(database) };
    }
    return this.#open.sql;
  }

  #rollback(): void {
    const database = this.#open?.database;
    try {
      // SQLite has already rolled back after some failures, and a second ROLLBACK would be one more.
      if (database?.isTransaction) database.exec("ROLLBACK");
    } catch {
      // A connection that cannot even roll back is given up; closing it rolls back, and the next write opens another.
      this.#open = null;
      database?.close();
    }
  }

  /** The number of a run, which never changes. */
  #number(sql: Statements, run: string): number {
    const known = this.#numbers.get(run) ?? Number(sql.ownership.get(run)?.no);
    this.#numbers.set(run, known);
    return known;
  }

  /** Why an append changed nothing. */
  #whyNot(sql: Statements, lease: Lease, first: number | null): Error {
    const row = sql.ownership.get(lease.run);
    if (!row) return unknownRun(lease.run, this.place);
    const epoch = Number(row.epoch);
    const owner = ownerOf(row);
    if (epoch !== lease.epoch || !owner) return leaseLost(lease, { epoch, owner });
    return outOfPlace(lease.run, first ?? undefined, Number(row.events));
  }

  /** The owner, if its lease still runs and its process may still be there. */
  #living(row: Row): Owner | null {
    const owner = ownerOf(row);
    return owner && Number(row.lease_until) > this.#now() && !ownerIsGone(owner) ? owner : null;
  }

  #shown(row: Row): RunRow {
    return {
      id: String(row.id),
      protocol: String(row.protocol),
      question: String(row.question),
      status: row.status as Status,
      stopReason: row.stop_reason as string | null,
      createdAt: Number(row.created_at),
      updatedAt: Number(row.updated_at),
      events: Number(row.events),
      head: String(row.head),
      owner: this.#living(row),
    };
  }

  #keepRenewing(): void {
    this.#renewal ??= setInterval(() => this.#renew(), this.#leaseMs / 3).unref();
  }

  #stopRenewing(): void {
    if (this.#renewal) clearInterval(this.#renewal);
    this.#renewal = null;
  }

  #renew(): void {
    const unreleased = this.#unreleased.splice(0);
    const renewed = this.#write((sql) => {
      for (const lease of unreleased) sql.release.run(lease.run, lease.epoch);
      const { changes } = sql.renew.run(this.#now() + this.#leaseMs, this.#holder);
      if (changes === 0) this.#stopRenewing();
    });
    // A renewal that fails is tried again at the next tick, twice before the lease runs out.
    renewed.catch(() => void this.#unreleased.push(...unreleased));
  }

  #isClosed(): StoreError {
    return new StoreError("store-failed", `The store ${this.place} is closed.`, { hint: "Open it again." });
  }
}

function addLines(sql: Statements, no: number, lines: readonly Line[]): void {
  for (const { seq, hash, text } of lines) sql.addLine.run(no * mostLines + seq, hash, text);
}

function ownerOf(row: Row): Owner | null {
  return typeof row.owner === "string" ? (JSON.parse(row.owner) as Owner) : null;
}
