/**
 * Group commit: everything asked for in one turn of the event loop is written in one transaction.
 *
 * The cost of a durable write is the wait for the disk, and it is the same for one line and for a thousand. A write that is
 * refused leaves its neighbours alone; a transaction that fails is rolled back whole and fails everyone in it.
 */
import { ParleyError } from "../../errors.ts";

/** The transaction a queue writes in. */
export type Transaction<Tools> = {
  /** Starts it, opening whatever must be open. */
  begin(): Tools;
  commit(): void;
  /** Undoes what was written; it does not throw. */
  rollback(): void;
  /** What the callers are told when the transaction fails. */
  failure(error: unknown): ParleyError;
};

/** A write throws a `ParleyError` to be refused, before it has changed anything; any other error fails the transaction. */
export type Write<Tools, Value> = (tools: Tools) => Value;

type Entry<Tools> = {
  write: Write<Tools, unknown>;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
  value: unknown;
  refusal: ParleyError | null;
};

/** As many share one commit; more would hold the event loop, and their lines in memory, for longer than the disk is worth. */
const mostWrites = 128;

/** Writes waiting for the end of this turn of the event loop. */
export class CommitQueue<Tools> {
  readonly #transaction: Transaction<Tools>;
  readonly #onCommit: ((writes: number) => void) | undefined;
  #waiting: Entry<Tools>[] = [];

  constructor(transaction: Transaction<Tools>, onCommit?: (writes: number) => void) {
    this.#transaction = transaction;
    this.#onCommit = onCommit;
  }

  /** Resolves with what the write returned once it is durable. */
  add<Value>(write: Write<Tools, Value>): Promise<Value> {
    return new Promise<unknown>((resolve, reject) => {
      const waiting = this.#waiting.push({ write, resolve, reject, value: undefined, refusal: null });
      if (waiting === 1) setImmediate(() => this.flush());
      if (waiting >= mostWrites) this.flush();
    }) as Promise<Value>;
  }

  /** Writes what is waiting now. */
  flush(): void {
    const entries = this.#waiting;
    if (entries.length === 0) return;
    this.#waiting = [];
    try {
      this.#writeAll(entries);
    } catch (error) {
      this.#transaction.rollback();
      const failure = this.#transaction.failure(error);
      for (const entry of entries) entry.reject(failure);
      return;
    }
    this.#onCommit?.(entries.length);
    for (const entry of entries) {
      if (entry.refusal) entry.reject(entry.refusal);
      else entry.resolve(entry.value);
    }
  }

  #writeAll(entries: Entry<Tools>[]): void {
    const tools = this.#transaction.begin();
    for (const entry of entries) {
      try {
        entry.value = entry.write(tools);
      } catch (error) {
        if (!ParleyError.is(error)) throw error;
        entry.refusal = error;
      }
    }
    this.#transaction.commit();
  }
}
