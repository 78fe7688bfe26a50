/**
 * The judge made of code: it measures how far positions agree and judges nothing else.
 *
 * Its three axes are counts over what the seats said: the share of the most held answer, the overlap of what they cite, and the
 * overlap of what they warn of. It is free and gives the same score each time, so it also serves as the last of any chain of judges.
 */

import { canonical } from "../../answers.ts";
import { SeatError } from "../../errors.ts";
import type { EvidenceItem } from "../../evidence.ts";
import type { Reply, Request } from "../../ports.ts";
import type { Score } from "../../position.ts";
import { latestOf, type Position, positionsOf, refsIn } from "./positions.ts";

/** Scores the positions a request lets it hear; the newest of each seat counts. */
export function judge(request: Request): Reply {
  const positions = latestOf(positionsOf(request.heard, request.question.options));
  if (positions.length === 0) throw new SeatError("unsupported", "There is no position to score.");
  return { text: JSON.stringify(scoreOf(positions, request.evidence)), usage: { inputTokens: 0, outputTokens: 0 } };
}

/** The three axes: the plurality's share, and the mean overlap between any two seats of refs and of caveats. */
function scoreOf(positions: readonly Position[], evidence: readonly EvidenceItem[] = []): Score {
  const known = new Set([...evidence.map((item) => item.ref), ...positions.flatMap((position) => [...position.refs])]);
  const recommendation = pluralityShare(positions.map((position) => position.answer));
  // A citation of something that is not there is no fact that anyone could share.
  const there = new Set(evidence.map((item) => item.ref));
  const facts = positions.map(({ refs }) => new Set([...refs].filter((ref) => there.has(ref))));
  return {
    recommendation,
    facts: meanOverlap(facts) ?? recommendation,
    caveats: meanOverlap(positions.map((position) => caveatsOf(position, known))) ?? recommendation,
  };
}

function pluralityShare(answers: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return Math.max(...counts.values()) / answers.length;
}

/** Two seats that warn of the same evidence in other words warn of the same thing, so a caveat counts by the refs it names. */
function caveatsOf(position: Position, known: ReadonlySet<string>): Set<string> {
  return new Set(
    [...position.caveats, ...position.wouldChange].flatMap((sentence) => {
      const refs = refsIn(sentence, known);
      return refs.length > 0 ? refs : [canonical(sentence)];
    }),
  );
}

/** The mean Jaccard overlap of all pairs; null when nobody names anything, since silence is no sign of agreement. */
function meanOverlap(sets: readonly ReadonlySet<string>[]): number | null {
  if (sets.every((set) => set.size === 0)) return null;
  const overlaps = sets.flatMap((a, i) => sets.slice(i + 1).map((b) => overlap(a, b)));
  if (overlaps.length === 0) return 1;
  return overlaps.reduce((sum, value) => sum + value, 0) / overlaps.length;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((one) => b.has(one)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 1 : shared / all;
}
