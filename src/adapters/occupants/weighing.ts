/**
 * The scale of an evidence seat: what each visible item weighs, and for which option.
 *
 * An item weighs its strength times the seat's weight for its criterion, times the seat's trust when it came from a peer. It adds to
 * the option it supports and takes from the one it speaks against. Nothing else moves a seat: no majority, no rhetoric, no chance.
 */
import { canonical } from "../../answers.ts";
import type { EvidenceItem } from "../../evidence.ts";
import type { Request } from "../../ports.ts";

export type Scale = { weights: Readonly<Record<string, number>>; trust: number };

/** An item on the scale. `held` ones were the seat's from the start; the others it learnt from its peers. */
export type Weighed = {
  item: EvidenceItem;
  held: boolean;
  weight: number;
  supports: string | null;
  against: string | null;
};

/** The scale at rest: the answer leads its rival by the margin. */
export type Balance = {
  options: readonly string[];
  weighed: readonly Weighed[];
  scores: ReadonlyMap<string, number>;
  answer: string;
  rival: string | null;
  margin: number;
};

/** Weighs what the request shows; null when nothing visible bears on any option, since then there is nothing to answer from. */
export function weigh(request: Pick<Request, "question" | "evidence" | "seat">, scale: Scale): Balance | null {
  const options = optionsOf(request);
  const scope = new Set(request.seat.scope);
  const weighed = request.evidence
    .map((item) => onScale(item, scope.has(item.ref), options, scale))
    .filter((one) => one.weight > 0 && (one.supports !== null || one.against !== null));
  if (weighed.length === 0) return null;
  const scores = scoresOf(options, weighed);
  const answer = leaderOf(options, scores);
  const others = options.filter((option) => option !== answer);
  const rival = others.length > 0 ? leaderOf(others, scores) : null;
  const margin = steady((scores.get(answer) ?? 0) - (rival === null ? 0 : (scores.get(rival) ?? 0)));
  return { options, weighed, scores, answer, rival, margin };
}

/** The question's options or, where it has none, every answer that an item names, in the order of the items. */
function optionsOf(request: Pick<Request, "question" | "evidence">): readonly string[] {
  if (request.question.options.length > 0) return request.question.options;
  const named = request.evidence.flatMap((item) => [item.supports, item.against]).filter((name) => name !== null);
  return [...new Set(named.map((name) => canonical(name)))];
}

/** How much an item favours one option over another. */
export function pull(one: Weighed, to: string, from: string | null): number {
  return towards(one, to) - (from === null ? 0 : towards(one, from));
}

/** What favours the answer over its rival, strongest first. */
export function behind(balance: Balance): Weighed[] {
  const force = (one: Weighed) => pull(one, balance.answer, balance.rival);
  return balance.weighed.filter((one) => force(one) > 0).sort((a, b) => force(b) - force(a));
}

/** What favours the rival over the answer, strongest first. */
export function opposed(balance: Balance): Weighed[] {
  const force = (one: Weighed) => pull(one, balance.answer, balance.rival);
  return balance.weighed.filter((one) => force(one) < 0).sort((a, b) => force(a) - force(b));
}

/** The option that would lead if some items counted `factor` times: 0 when they fall, 2 when they double. */
export function leaderIf(balance: Balance, refs: ReadonlySet<string>, factor: number): string {
  const changed = balance.weighed.map((one) =>
    refs.has(one.item.ref) ? { ...one, weight: one.weight * factor } : one,
  );
  return leaderOf(balance.options, scoresOf(balance.options, changed));
}

/**
 * How sure the seat says it is: the answer's share of all positive scores, with one unit of doubt added for every option, so that
 * thin evidence never sounds certain. It lies strictly between 0 and 1.
 */
export function confidenceOf(balance: Balance): number {
  const positive = (option: string) => Math.max(0, balance.scores.get(option) ?? 0);
  const all = balance.options.reduce((sum, option) => sum + positive(option), 0);
  const share = (positive(balance.answer) + 1) / (all + Math.max(2, balance.options.length));
  return Math.min(0.99, Math.max(0.01, Math.round(share * 100) / 100));
}

function onScale(item: EvidenceItem, held: boolean, options: readonly string[], scale: Scale): Weighed {
  const named = (name: string | null) => {
    const option = name === null ? null : canonical(name, options);
    return option !== null && options.includes(option) ? option : null;
  };
  const weight = steady(item.strength * factorOf(item.criterion, scale) * (held ? 1 : scale.trust));
  return { item, held, weight, supports: named(item.supports), against: named(item.against) };
}

/** The seat's weight for a criterion; 1 unless it was given one. */
function factorOf(criterion: string | null, scale: Scale): number {
  return criterion !== null && Object.hasOwn(scale.weights, criterion) ? (scale.weights[criterion] ?? 1) : 1;
}

function towards(one: Weighed, option: string): number {
  return (one.supports === option ? one.weight : 0) - (one.against === option ? one.weight : 0);
}

function scoresOf(options: readonly string[], weighed: readonly Weighed[]): Map<string, number> {
  return new Map(
    options.map((option) => [option, steady(weighed.reduce((sum, one) => sum + towards(one, option), 0))]),
  );
}

/** Ties go to the option named first, so that the same request gives the same answer. */
function leaderOf(options: readonly string[], scores: ReadonlyMap<string, number>): string {
  return options.reduce((best, option) => ((scores.get(option) ?? 0) > (scores.get(best) ?? 0) ? option : best));
}

/** Sums of tenths differ in their last bit with the order of adding; equal weights must compare as equal. */
function steady(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
