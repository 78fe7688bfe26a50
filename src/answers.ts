/** Answers, compared and counted by code: canonical forms, tallies, flips and dissent. All pure. */
import type { Ballot } from "./ballot.ts";
import type { Dissent, Flip, Votes } from "./decision.ts";
import { withoutHidden } from "./hidden.ts";

/** One form for answers that differ in case, spacing, quotes or final punctuation only; the options' own spelling where there are any. */
export function canonical(answer: string, options: readonly string[] = []): string {
  const plain = bare(answer);
  const option = options.find((option) => bare(option) === plain);
  return option ?? plain;
}

function bare(answer: string): string {
  return withoutHidden(answer.normalize("NFKC"))
    .toLowerCase()
    .replace(/^[\s"'`“”‘’*]+|[\s"'`“”‘’*.!,;:]+$/gu, "")
    .replace(/\s+/gu, " ");
}

/** The newest ballot of each seat, up to a round. A seat that missed a round keeps the position it last held. */
export function latest(ballots: readonly Ballot[], round = Number.POSITIVE_INFINITY): Ballot[] {
  const bySeat = new Map<string, Ballot>();
  for (const ballot of ballots) {
    if (ballot.round <= round && ballot.round >= (bySeat.get(ballot.seat)?.round ?? -1))
      bySeat.set(ballot.seat, ballot);
  }
  return [...bySeat.values()];
}

type Weighed = { id: string; weight: number };

/** Counts ballots by answer. Seats that did not answer stay in the denominator, so silence is never consent. */
export function tally(ballots: readonly Ballot[], seats: readonly Weighed[]): Votes {
  const weights = new Map(seats.map((seat) => [seat.id, seat.weight]));
  const total = seats.reduce((sum, seat) => sum + seat.weight, 0);
  const groups = new Map<string, { answer: string; seats: string[]; weight: number }>();
  for (const ballot of ballots) {
    const group = groups.get(ballot.answer) ?? { answer: ballot.answer, seats: [], weight: 0 };
    groups.set(ballot.answer, group);
    group.seats.push(ballot.seat);
    group.weight += weights.get(ballot.seat) ?? 0;
  }
  const answers = [...groups.values()].sort((a, b) => b.weight - a.weight || (a.answer < b.answer ? -1 : 1));
  for (const group of answers) group.seats.sort();
  const [first, second] = answers;
  const tied = first !== undefined && second !== undefined && first.weight === second.weight;
  return {
    answers,
    leading: first && !tied ? first.answer : null,
    share: first && total > 0 ? first.weight / total : 0,
  };
}

/** The split of a round as one string: who holds what. Two rounds with the same split have not moved. */
export function split(ballots: readonly Ballot[]): string {
  return ballots
    .map((ballot) => `${ballot.seat}=${ballot.answer}`)
    .sort()
    .join("\n");
}

/** Who moved, from what, to what, and whether new evidence or only the majority drew them. */
export function flipsOf(ballots: readonly Ballot[], seats: readonly Weighed[]): Flip[] {
  const flips: Flip[] = [];
  const ordered = [...ballots].sort((a, b) => a.round - b.round || (a.seat < b.seat ? -1 : 1));
  for (const ballot of ordered) {
    const before = latest(ordered, ballot.round - 1);
    const previous = before.find((other) => other.seat === ballot.seat);
    if (!previous || previous.answer === ballot.answer) continue;
    const refs = ballot.changedBy?.refs ?? [];
    const followed = tally(before, seats).leading === ballot.answer;
    const fresh = refs.some((ref) => ballot.newRefs.includes(ref));
    const towards = fresh ? "evidence" : followed ? "majority" : ballot.changedBy ? "argument" : "unexplained";
    flips.push({
      seat: ballot.seat,
      round: ballot.round,
      from: previous.answer,
      to: ballot.answer,
      argument: ballot.changedBy?.argument ?? null,
      by: ballot.changedBy?.from ?? null,
      refs,
      towards,
    });
  }
  return flips;
}

/** Everyone whose last position is not the answer, and every first position that was given up on the way to it, word for word. */
export function dissentFrom(ballots: readonly Ballot[], answer: string | null, flips: readonly Flip[]): Dissent[] {
  const entry = (ballot: Ballot, kind: Dissent["kind"], reason: string | null): Dissent => {
    const { seat, answer, round, position, refs } = ballot;
    return { seat, kind, answer, round, words: position, refs, reason };
  };
  const last = latest(ballots).filter((ballot) => answer === null || ballot.answer !== answer);
  const final = last.map((ballot) => entry(ballot, "final", null));
  const dissenting = new Set(last.map((ballot) => ballot.seat));
  const givenUp = latest(ballots, 0)
    .filter((ballot) => answer !== null && ballot.answer !== answer && !dissenting.has(ballot.seat))
    .map((ballot) => entry(ballot, "given-up", flips.find((flip) => flip.seat === ballot.seat)?.argument ?? null));
  return [...final, ...givenUp].sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : a.seat < b.seat ? -1 : 1));
}
