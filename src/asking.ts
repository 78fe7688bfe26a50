/**
 * Asking: from a protocol's brief to the request an occupant is given, and to what the record says of it.
 *
 * Here a seat's isolation is made: it is shown its own scope, what its peers cited before it, and words of earlier rounds only, in an
 * order drawn from the run's seed, under letters unless the protocol names them.
 */
import type * as z from "zod";
import { sha256 } from "./chain.ts";
import { shuffled } from "./chance.ts";
import { assert } from "./errors.ts";
import type { Horizon } from "./horizon.ts";
import type { LiveRun } from "./live-run.ts";
import type { Heard } from "./ports.ts";
import { fenceOf, promptHash, sayPart, systemPart, userPart } from "./prompt.ts";
import type { Brief, Turn } from "./protocol.ts";
import type { Seat } from "./seat.ts";
import type { Asked } from "./turn.ts";

type Put = { seat: Seat; key: string; round: number; brief: Brief; reply: z.ZodType; closing: boolean };

export class Asking {
  readonly #live: LiveRun;
  readonly #horizon: Horizon;
  /** Seat to label. The judge and the synthesizer have none: they hold no seat. */
  readonly #labels: ReadonlyMap<string, string>;
  readonly #systems = new Map<string, { text: string; hash: string }>();
  readonly #own = new Map<string, Turn<unknown>>();

  constructor(live: LiveRun, horizon: Horizon) {
    this.#live = live;
    this.#horizon = horizon;
    this.#labels = new Map(Object.entries(live.start.labels).map(([label, seat]) => [seat, label]));
  }

  /** Remembers what a seat said last, which its next prompt repeats. */
  heard(turn: Turn<unknown>): void {
    if (turn.said !== null) this.#own.set(turn.seat, turn);
  }

  /** Everything about the turn but the attempt. */
  prepare({ seat, key, round, brief, reply, closing }: Put): Asked {
    const { start, view, limits } = this.#live;
    const occupant = this.#live.occupants.get(seat.id);
    assert(occupant, `nobody occupies ${seat.id}`);
    const hear = brief.hear ?? [];
    const onPanel = this.#labels.has(seat.id);
    const earlier = hear.every((turn) => turn.round < round);
    assert(earlier || !onPanel, `${key} would hear words of its own round`);
    const cited = hear.map((turn) => turn.key);
    const learnt = onPanel ? this.#horizon.learn(seat.id, cited, round) : [];
    const shown = shuffled(hear, start.seed, key);
    const heard = shown.map((turn) => this.#hearing(turn, brief.named ?? false));
    const own = onPanel ? (this.#own.get(seat.id) ?? null) : null;
    const ownSaid = own?.said ?? null;
    const say = sayPart(brief.say, reply);
    const system = this.#system(seat, onPanel);
    const fence = fenceOf(start.nonce, key);
    const user = userPart({ say, fence, learnt, heard, own: ownSaid, peerChars: limits.peerChars });
    const evidence = onPanel ? this.#horizon.items(seat.id) : [...view.evidence.values()];
    const { run } = view;
    const { question } = start;
    const { act } = brief;
    return {
      occupant,
      request: {
        run,
        key,
        seat,
        round,
        act,
        system: system.text,
        user: user.text,
        question,
        evidence,
        heard,
        own: ownSaid,
        reply,
      },
      say,
      systemHash: system.hash,
      promptHash: promptHash(system.hash, user.text),
      shown: {
        turns: shown.map((turn) => turn.key),
        refs: learnt.map((item) => item.ref),
        own: own?.key ?? null,
        cut: user.cut,
        named: brief.named ?? false,
      },
      check: brief.check ?? null,
      closing,
      free: occupant.pure && !onPanel,
    };
  }

  #hearing(turn: Turn<unknown>, named: boolean): Heard {
    const label = named ? turn.seat : (this.#labels.get(turn.seat) ?? turn.seat);
    return { label, key: turn.key, round: turn.round, said: turn.said };
  }

  #system(seat: Seat, onPanel: boolean): { text: string; hash: string } {
    const known = this.#systems.get(seat.id);
    if (known !== undefined) return known;
    const { start, view } = this.#live;
    const refs = onPanel ? seat.scope : seat.role === "judge" ? [] : [...view.evidence.keys()];
    const scope = refs.flatMap((ref) => view.evidence.get(ref) ?? []);
    const text = systemPart(seat, start.question, scope, fenceOf(start.nonce, seat.id), onPanel);
    const system = { text, hash: sha256(text) };
    this.#systems.set(seat.id, system);
    return system;
  }
}
