/** Dice for the simulation: every draw comes from a seed and a name, so a world is the same however many others run beside it. */
import { chance } from "../src/chance.ts";

/** Draws from one seeded stream. */
export class Dice {
  readonly #next: () => number;

  constructor(seed: string, name: string) {
    this.#next = chance(seed, name);
  }

  /** A number in [0, 1). */
  roll(): number {
    return this.#next();
  }

  /** True with the probability given. */
  bool(probability: number): boolean {
    return this.#next() < probability;
  }

  /** An integer from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.#next() * (high - low + 1));
  }

  /** One of the items. */
  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#next() * items.length)] as Item;
  }

  /** Each item with the probability given; a swarm switches features on and off this way. */
  some<Item>(items: readonly Item[], probability: number): Item[] {
    return items.filter(() => this.bool(probability));
  }
}
