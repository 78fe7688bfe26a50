/** What each seat has seen of the evidence: its own scope, and what peers validly cited before it. Citations are checked against this. */
import type { EvidenceItem } from "./evidence.ts";
import type { Seat } from "./seat.ts";

export class Horizon {
  readonly #evidence: ReadonlyMap<string, EvidenceItem>;
  /** For each seat, the round in which it learnt of each ref; -1 for its own scope. */
  readonly #learnt: Map<string, Map<string, number>>;
  readonly #cited = new Map<string, readonly string[]>();

  constructor(evidence: ReadonlyMap<string, EvidenceItem>, seats: readonly Seat[]) {
    this.#evidence = evidence;
    this.#learnt = new Map(seats.map((seat) => [seat.id, new Map(seat.scope.map((ref) => [ref, -1]))]));
  }

  /** Notes which refs a turn validly cited, so that those who hear the turn are shown them. */
  cite(key: string, refs: readonly string[]): void {
    this.#cited.set(key, refs);
  }

  /** Lets a seat learn what the turns it hears cite; returns all it has learnt from others so far. */
  learn(seat: string, heard: readonly string[], round: number): EvidenceItem[] {
    const known = this.#known(seat);
    for (const key of heard) {
      for (const ref of this.#cited.get(key) ?? []) if (!known.has(ref)) known.set(ref, round);
    }
    return [...known].flatMap(([ref, learntIn]) => (learntIn < 0 ? [] : (this.#evidence.get(ref) ?? [])));
  }

  visible(seat: string): ReadonlySet<string> {
    return new Set(this.#known(seat).keys());
  }

  items(seat: string): EvidenceItem[] {
    return [...this.#known(seat).keys()].flatMap((ref) => this.#evidence.get(ref) ?? []);
  }

  /** The round in which the seat first saw the ref; -1 when it always held it, undefined when it never saw it. */
  learntIn(seat: string, ref: string): number | undefined {
    return this.#known(seat).get(ref);
  }

  #known(seat: string): Map<string, number> {
    const known = this.#learnt.get(seat) ?? new Map<string, number>();
    this.#learnt.set(seat, known);
    return known;
  }
}
