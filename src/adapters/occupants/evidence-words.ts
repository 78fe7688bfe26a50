/**
 * What an evidence seat says, put into sentences.
 *
 * Every sentence names the refs it rests on in square brackets, so that a reader can follow them, code can find them, and the seat
 * itself can see in its last turn what it knew.
 */
import type { Opening } from "../../position.ts";
import { type Balance, behind, leaderIf, opposed, type Scale, type Weighed } from "./weighing.ts";
import { clip, figure, list } from "./words.ts";

const excerpt = (one: Weighed, limit: number) => `“${clip(one.item.text, limit)}”`;

/** An item as a claim: its own words, its ref. Blank words leave the ref to speak. */
export function claimOf(one: Weighed): Opening["claims"][number] {
  return { text: clip(one.item.text, 1_000) || `[${one.item.ref}]`, refs: [one.item.ref] };
}

/** An item that speaks against the answer, as a caveat. */
export function caveatOf(one: Weighed, balance: Balance): string {
  const side = one.against === balance.answer ? `against ${balance.answer}` : `for ${one.supports}`;
  return `[${one.item.ref}] speaks ${side} (${figure(one.weight)}): ${excerpt(one, 240)}`;
}

/** An item with what it weighs, for lists. */
export function weightWords(one: Weighed): string {
  return `[${one.item.ref}] ${figure(one.weight)}`;
}

/** The position: what carries the answer, how far it leads, and whose evidence it is. */
export function positionWords(balance: Balance, scale: Scale): string {
  const [first, second] = behind(balance);
  const carriers = [first, second].filter((one) => one !== undefined);
  const lead =
    balance.rival === null
      ? `${figure(balance.scores.get(balance.answer) ?? 0)} in all`
      : `${figure(balance.scores.get(balance.answer) ?? 0)} against ${figure(balance.scores.get(balance.rival) ?? 0)} for ${balance.rival}`;
  const carried =
    carriers.length > 0
      ? `${list(carriers.map((one) => `[${one.item.ref}] ${excerpt(one, 160)}`))} weigh${carriers.length === 1 ? "s" : ""} most`
      : "nothing speaks for it, and more speaks against the rest";
  return [
    `${balance.answer}: ${carried}; the scale stands at ${lead}.`,
    sourceWords(balance),
    scaleWords(balance, scale),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/**
 * What would tip the balance: the strongest items behind the answer if they no longer held, and the strongest on the other side if
 * they counted double.
 */
export function tipping(balance: Balance): string[] {
  const words = [
    ...tipWords(behind(balance).slice(0, 2), balance, 0),
    ...tipWords(opposed(balance).slice(0, 2), balance, 2),
  ];
  if (words.length > 0) return words;
  return [`Evidence for another answer that weighs more than ${figure(balance.margin)}.`];
}

function sourceWords(balance: Balance): string {
  const own = balance.weighed.filter((one) => one.held);
  const learnt = balance.weighed.length - own.length;
  const best = behind(balance).find((one) => one.held);
  const brought = best
    ? `Of the ${own.length} I brought, [${best.item.ref}] says most for it`
    : `None of the ${own.length} I brought speaks for it`;
  return `${brought}; ${learnt === 0 ? "I have seen no others yet" : `${learnt} more came from others`}.`;
}

/** Weights other than 1 are the seat's own judgement, so it says so: they are often the whole of a dissent. */
function scaleWords(balance: Balance, scale: Scale): string {
  const used = new Set(balance.weighed.map((one) => one.item.criterion));
  const special = Object.entries(scale.weights).filter(([criterion, weight]) => weight !== 1 && used.has(criterion));
  const counted = special.map(([criterion, weight]) => `${criterion} ${timesWords(weight)}`);
  if (scale.trust !== 1 && balance.weighed.some((one) => !one.held))
    counted.push(`what others showed me ${timesWords(scale.trust)}`);
  return counted.length === 0 ? "" : `I count ${list(counted)}.`;
}

function timesWords(weight: number): string {
  if (weight === 0) return "for nothing";
  return weight === 2 ? "double" : weight === 0.5 ? "half" : `${figure(weight)} times`;
}

/** One line for each item that tips the balance alone; else one for the two together, or for how much more it would take. */
function tipWords(items: readonly Weighed[], balance: Balance, factor: 0 | 2): string[] {
  const margin = `the margin is ${figure(balance.margin)}`;
  const event = factor === 0 ? "no longer held" : "counted double";
  const leaderWith = (changed: readonly Weighed[]) => leaderIf(balance, new Set(changed.map(refOfItem)), factor);
  const alone = items
    .map((one) => ({ one, leader: leaderWith([one]) }))
    .filter(({ leader }) => leader !== balance.answer);
  if (alone.length > 0) {
    return alone.map(({ one, leader }) => {
      return `If [${one.item.ref}] ${event}, ${leader} would lead (${margin}): ${excerpt(one, 240)}`;
    });
  }
  if (items.length === 0) return [];
  const refs = list(items.map((one) => `[${one.item.ref}]`));
  const leader = leaderWith(items);
  const texts = items.map((one) => excerpt(one, 160)).join(" ");
  if (leader !== balance.answer) return [`If ${refs} ${event}, ${leader} would lead (${margin}): ${texts}`];
  const less = factor === 0 ? `the loss of ${refs}` : `${refs} counted double`;
  return [`More than ${less}, since ${margin}: ${texts}`];
}

const refOfItem = (one: Weighed) => one.item.ref;
