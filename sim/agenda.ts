/**
 * The agenda of a world: one queue of things to happen, ordered by virtual time and, at the same time, by a seeded draw.
 *
 * Everything that waits, waits here, so the order of a whole run is decided by the seed and nothing else.
 */

/** One thing to happen; `who` is the life it happens to, null when it happens to the world itself. */
export type Entry<Who> = { at: number; tie: number; who: Who | null; call: (() => void) | null };

export class Agenda<Who> {
  now = 0;
  readonly #heap: Entry<Who>[] = [];
  readonly #draw: () => number;

  constructor(draw: () => number) {
    this.#draw = draw;
  }

  /** Puts something on the agenda; returns how to take it off. */
  after(ms: number, who: Who | null, call: () => void): () => void {
    const entry: Entry<Who> = { at: this.now + Math.max(0, ms), tie: this.#draw(), who, call };
    this.#push(entry);
    return () => {
      entry.call = null;
    };
  }

  /** Puts an entry back at a later time. */
  postpone(entry: Entry<Who>, at: number): void {
    entry.at = Math.max(at, this.now);
    this.#push(entry);
  }

  /** The next entry that was not taken off, with the clock moved to its time; null when nothing is left. */
  next(): Entry<Who> | null {
    for (;;) {
      const entry = this.#pop();
      if (!entry) return null;
      if (entry.call === null) continue;
      if (entry.at > this.now) this.now = entry.at;
      return entry;
    }
  }

  #push(entry: Entry<Who>): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(entry);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const other = heap[above] as Entry<Who>;
      if (!before(entry, other)) break;
      heap[place] = other;
      place = above;
    }
    heap[place] = entry;
  }

  #pop(): Entry<Who> | null {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (!top || !last) return null;
    if (heap.length === 0) return top;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && before(heap[below + 1] as Entry<Who>, heap[below] as Entry<Who>)) below++;
      const other = heap[below] as Entry<Who>;
      if (!before(other, last)) break;
      heap[place] = other;
      place = below;
    }
    heap[place] = last;
    return top;
  }
}

function before(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.at < b.at || (a.at === b.at && a.tie < b.tie);
}
