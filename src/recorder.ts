/**
 * The recorder: the one pen of a run.
 *
 * Every event is sealed and folded at once, and goes to the store at the end of the current step, so events that happen together
 * share a commit. `durable()` is what the room waits for before a call leaves. Listeners hear an event only when it is on disk: what
 * was shown never un-happens.
 */
import type { Line } from "./chain.ts";
import { genesis, seal } from "./chain.ts";
import type { Status } from "./decision.ts";
import { assert, ParleyError, StoreError } from "./errors.ts";
import { type Event, type EventBody, type EventOf, eventVersion } from "./events.ts";
import type { Lease, Store, World } from "./ports.ts";
import { advance, type View } from "./transcript.ts";

type Written = { event: Event; line: Line };

/** How long a store that is full or locked is waited for before the run stops. */
const storeWaitMs = 60_000;

/** A longer record has lost its purpose, and no budget allows for it. */
const mostEvents = 50_000;

export class Recorder {
  readonly view: View;
  /** Set once the store has failed for good; nothing can be recorded after it. */
  failure: ParleyError | null = null;
  readonly #store: Store;
  readonly #world: World;
  readonly #listen: ((event: Event) => void) | undefined;
  readonly lease: Lease;
  #head: string;
  /** Sealed and not yet acknowledged by the store, oldest first. */
  #unwritten: Written[] = [];
  /** How many of those have been handed to the store. */
  #sent = 0;
  #last: Promise<void> = Promise.resolve();
  #scheduled: Promise<void> | null = null;
  #recovery: Promise<void> | null = null;

  constructor(options: {
    view: View;
    head?: string;
    readonly lease: Lease;
    store: Store;
    world: World;
    listen?: (event: Event) => void;
  }) {
    this.view = options.view;
    this.#head = options.head ?? genesis;
    this.lease = options.lease;
    this.#store = options.store;
    this.#world = options.world;
    this.#listen = options.listen;
  }

  /** Seals the event and takes it into the view; it is on its way to the store when this returns. */
  append(body: EventBody): void {
    this.#seal(body);
    if (!this.#recovery) this.#scheduled ??= this.#schedule();
  }

  /** Resolves when everything appended so far is as durable as the store promises. */
  async durable(): Promise<void> {
    if (this.failure) throw this.failure;
    while (this.#unwritten.length > 0 && !this.failure) {
      await (this.#recovery ?? this.#scheduled ?? this.#last);
    }
    if (this.failure) throw this.failure;
  }

  /** Tells listeners of a piece of a reply; such events are never stored. */
  pass(body: Omit<EventOf<"turn-delta">, "v" | "run" | "seq" | "at" | "epoch">): void {
    const { run, events: seq } = this.view;
    this.#tell({ v: eventVersion, run, seq, at: this.#world.now(), epoch: this.lease.epoch, ...body });
  }

  /** Hands over the first events of a new run, which is what creates it; what follows may share their commit. */
  create(bodies: readonly EventBody[], row: { id: string; protocol: string; question: string }): void {
    for (const body of bodies) this.#seal(body);
    const batch = [...this.#unwritten];
    const lines = batch.map((written) => written.line);
    this.#sent = batch.length;
    this.#last = this.#store.create({ ...row, at: this.#world.now() }, this.#world.owner, lines).then(
      () => this.#acknowledge(batch),
      (error) => this.#fail(error),
    );
  }

  /** Waits for the last write, and gives up the right to write where the end of the run has not done so. */
  async close(): Promise<void> {
    await this.durable();
    if (this.view.stopReason === null) await this.#store.release(this.lease);
  }

  #seal(body: EventBody): void {
    if (this.failure) throw this.failure;
    assert(this.view.stopReason === null, `${body.type} comes after the end of the run`);
    assert(this.view.events < mostEvents, `a run has at most ${mostEvents} events`);
    const place = {
      run: this.lease.run,
      seq: this.view.events,
      at: this.#world.now(),
      epoch: this.lease.epoch,
      prev: this.#head,
    };
    const { event, line } = seal(body, place);
    advance(this.view, event);
    this.#head = line.hash;
    this.#unwritten.push({ event, line });
  }

  /** Hands over, one step later, all that was appended by then. */
  async #schedule(): Promise<void> {
    await null;
    this.#scheduled = null;
    this.#last = this.#send();
    await this.#last;
  }

  async #send(): Promise<void> {
    const batch = this.#unwritten.slice(this.#sent);
    if (batch.length === 0 || this.failure) return;
    this.#sent += batch.length;
    try {
      await this.#store.append(
        this.lease,
        batch.map((written) => written.line),
        this.#state(),
      );
    } catch (error) {
      if (this.failure) return;
      this.#recovery ??= this.#recover(error);
      await this.#recovery;
      return;
    }
    this.#acknowledge(batch);
  }

  /** The store keeps the order, so a batch that is written says the same of everything before it. */
  #acknowledge(batch: readonly Written[]): void {
    const count = this.#unwritten.lastIndexOf(batch.at(-1) as Written) + 1;
    const done = this.#unwritten.splice(0, count);
    this.#sent = Math.max(0, this.#sent - count);
    if (this.#listen) for (const { event } of done) this.#tell(event);
  }

  /** A listener's trouble is its own: the record does not depend on who watches. */
  #tell(event: Event): void {
    try {
      this.#listen?.(event);
    } catch {
      // A closed page or a full pipe must not end the run, let alone the other runs of the process.
    }
  }

  #state(): { status: Status; stopReason: string | null } {
    return { status: this.view.status, stopReason: this.view.stopReason };
  }

  /** Tries again while the trouble may pass, then gives up for good. No call is made meanwhile: each waits for `durable`. */
  async #recover(first: unknown): Promise<void> {
    let error = first;
    const giveUpAt = this.#world.now() + storeWaitMs;
    for (let wait = 100; ParleyError.is(error) && error.retryable; wait = Math.min(wait * 2, 5_000)) {
      if (this.#world.now() + wait > giveUpAt) break;
      await new Promise<void>((resolve) => this.#world.after(wait, resolve));
      const batch = [...this.#unwritten];
      const state = this.#state();
      this.#sent = batch.length;
      try {
        const rest = batch.slice(await this.#written(batch)).map((written) => written.line);
        if (rest.length > 0) await this.#store.append(this.lease, rest, state);
        this.#acknowledge(batch);
        if (this.#unwritten.length === 0) {
          // Whatever is appended from here on is scheduled again.
          this.#recovery = null;
          return;
        }
        wait = 50;
      } catch (again) {
        error = again;
      }
    }
    this.#fail(error);
    this.#recovery = null;
  }

  #fail(error: unknown): void {
    const wrapped = () => new StoreError("store-failed", `The store failed: ${String(error)}.`, { cause: error });
    this.failure ??= ParleyError.is(error) ? error : wrapped();
  }

  /** A commit may have happened although its answer was lost; the head tells how many of the lines the store holds. */
  async #written(batch: readonly Written[]): Promise<number> {
    const row = await this.#store.find(this.lease.run);
    return row === null ? 0 : batch.findIndex(({ line }) => line.hash === row.head) + 1;
  }
}
