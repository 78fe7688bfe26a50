/**
 * The gate: how many calls one process has under way at once, over all its runs.
 *
 * Whoever waits has built no prompt yet, so thousands of runs in flight cost little more than their records. The oldest run goes
 * first: runs are finished rather than all kept half done.
 */
import type { World } from "./ports.ts";

/** More calls at once cost memory and sockets and make few providers faster; a process that needs more says so. */
const mostCalls = 256;

type Waiter = { order: number; enter: () => void; gone: boolean };

export class Gate {
  readonly #most: number;
  #inside = 0;
  #runs = 0;
  /** A binary heap: the oldest run's waiter on top. */
  readonly #waiting: Waiter[] = [];

  constructor(most: number = mostCalls) {
    this.#most = most;
  }

  /** A place in the order of runs; the lower goes first. */
  order(): number {
    return this.#runs++;
  }

  /** Takes a place at once and returns null, or returns how to wait for one. */
  enter(order: number): { entered: Promise<void>; leave: () => void } | null {
    if (this.#inside < this.#most) {
      this.#inside++;
      return null;
    }
    const waiter: Waiter = { order, enter: () => {}, gone: false };
    const entered = new Promise<void>((resolve) => {
      waiter.enter = resolve;
    });
    this.#push(waiter);
    return {
      entered,
      leave: () => {
        // A waiter that gives up still enters, and its caller exits again: one way through, so no place is ever lost.
        if (waiter.gone) return;
        waiter.gone = true;
        this.#inside++;
        waiter.enter();
      },
    };
  }

  exit(): void {
    this.#inside--;
    while (this.#inside < this.#most && this.#waiting.length > 0) {
      const waiter = this.#pop();
      if (waiter.gone) continue;
      waiter.gone = true;
      this.#inside++;
      waiter.enter();
    }
  }

  #push(waiter: Waiter): void {
    const heap = this.#waiting;
    let at = heap.push(waiter) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if ((heap[up] as Waiter).order <= waiter.order) break;
      heap[at] = heap[up] as Waiter;
      at = up;
    }
    heap[at] = waiter;
  }

  #pop(): Waiter {
    const heap = this.#waiting;
    const top = heap[0] as Waiter;
    const last = heap.pop() as Waiter;
    let at = 0;
    while (heap.length > 0) {
      const left = 2 * at + 1;
      const right = left + 1;
      const down = right < heap.length && (heap[right] as Waiter).order < (heap[left] as Waiter).order ? right : left;
      if (down >= heap.length || (heap[down] as Waiter).order >= last.order) break;
      heap[at] = heap[down] as Waiter;
      at = down;
    }
    if (heap.length > 0) heap[at] = last;
    return top;
  }
}

const gates = new WeakMap<World, Gate>();

/** The gate of a process, which its world stands for; a simulated world has one of its own. */
export function gateOf(world: World): Gate {
  const known = gates.get(world) ?? new Gate(world.callsAtOnce);
  gates.set(world, known);
  return known;
}
