/**
 * Reads what seats said, as the deterministic occupants need it.
 *
 * The room has read every turn with its schema already; what arrives here is still data from others, so anything that is not a
 * position is left out and nothing is guessed.
 */
import * as z from "zod";
import { canonical } from "../../answers.ts";
import type { Heard } from "../../ports.ts";
import { Revision } from "../../position.ts";

/** One turn as a position: the answer in its canonical form, the citations as given, and the refs without their quotes. */
export type Position = Omit<Revision, "verdict"> & {
  label: string;
  round: number;
  cites: readonly string[];
  refs: ReadonlySet<string>;
};

const Said = Revision.extend({
  agreements: Revision.shape.agreements.default([]),
  disagreements: Revision.shape.disagreements.default([]),
  changedBy: Revision.shape.changedBy.default(null),
  verdict: z.unknown(),
});

/** The turn as a position, or null when it is none. */
export function positionOf(turn: Heard, options: readonly string[]): Position | null {
  const read = Said.safeParse(turn.said);
  if (!read.success) return null;
  const cites = read.data.claims.flatMap((claim) => claim.refs);
  return {
    ...read.data,
    label: turn.label,
    round: turn.round,
    answer: canonical(read.data.answer, options),
    cites,
    refs: new Set(cites.map(refOf)),
  };
}

/** Every position heard, in the order heard. */
export function positionsOf(heard: readonly Heard[], options: readonly string[]): Position[] {
  return heard.map((turn) => positionOf(turn, options)).filter((position) => position !== null);
}

/** The newest position of each label, by label: the order in which turns are heard is shuffled and means nothing. */
export function latestOf(positions: readonly Position[]): Position[] {
  const byLabel = new Map<string, Position>();
  for (const position of positions) {
    if (position.round >= (byLabel.get(position.label)?.round ?? 0)) byLabel.set(position.label, position);
  }
  return [...byLabel.values()].sort((a, b) => (a.label < b.label ? -1 : 1));
}

/** The ref of a citation, without its quote. */
export function refOf(cite: string): string {
  const at = cite.indexOf("#");
  return at < 0 ? cite : cite.slice(0, at);
}

/**
 * The refs a sentence names: in square brackets, or as a word of their own. A ref of small letters alone counts in brackets only,
 * since it could be any word of the language.
 */
export function refsIn(sentence: string, known: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const [, ref] of sentence.matchAll(/\[([A-Za-z0-9._-]+)\]/gu)) if (ref && known.has(ref)) found.add(ref);
  for (const [word] of sentence.matchAll(/[A-Za-z0-9][A-Za-z0-9._-]*/gu)) {
    const ref = known.has(word) ? word : word.replace(/[.-]+$/u, "");
    if (known.has(ref) && /[^a-z]/u.test(ref)) found.add(ref);
  }
  return [...found];
}
