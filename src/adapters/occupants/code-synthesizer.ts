/**
 * The synthesizer made of code: it puts what the seats said in order and adds no word of substance.
 *
 * Every sentence it writes names the seats it comes from, by the labels it heard them under. Dissent is not its to write.
 */

import { canonical } from "../../answers.ts";
import { SeatError } from "../../errors.ts";
import { checkCitation, type EvidenceItem } from "../../evidence.ts";
import type { Reply, Request } from "../../ports.ts";
import type { Synthesis } from "../../position.ts";
import { latestOf, type Position, positionsOf, refOf, refsIn } from "./positions.ts";
import { clip, list } from "./words.ts";

const reasonLimit = 6;
const triggerLimit = 5;
const unresolvedLimit = 10;

/** What the synthesis is made from: everything said, the newest of each seat, and the answers most of those hold, more than one on a tie. */
type Table = {
  options: readonly string[];
  positions: readonly Position[];
  latest: readonly Position[];
  answer: string;
  tied: readonly string[];
  supporters: readonly Position[];
  refs: ReadonlySet<string>;
  evidence: ReadonlyMap<string, EvidenceItem>;
};

/** Writes the synthesis of everything a request lets it hear. */
export function synthesize(request: Request): Reply {
  const positions = positionsOf(request.heard, request.question.options);
  positions.sort((a, b) => a.round - b.round || (a.label < b.label ? -1 : 1));
  if (positions.length === 0) throw new SeatError("unsupported", "There is no position to make a synthesis of.");
  return { text: JSON.stringify(synthesisOf(request, positions)), usage: { inputTokens: 0, outputTokens: 0 } };
}

function synthesisOf(request: Request, positions: readonly Position[]): Synthesis {
  const table = lay(request, positions);
  return {
    recommendation: recommend(table),
    answer: table.answer,
    reasons: reasonsOf(table),
    triggers: triggersOf(table),
    unresolved: unresolvedOf(table),
  };
}

function lay(request: Request, positions: readonly Position[]): Table {
  const latest = latestOf(positions);
  const groups = Map.groupBy(latest, (position) => position.answer);
  const order = [...request.question.options, ...groups.keys()];
  const ranked = [...groups].sort((a, b) => b[1].length - a[1].length || order.indexOf(a[0]) - order.indexOf(b[0]));
  const [answer, holders] = ranked[0] ?? ["", []];
  const tied = ranked.filter(([, others]) => others.length === holders.length).map(([name]) => name);
  return {
    options: request.question.options,
    positions,
    latest,
    answer,
    tied,
    supporters: latest.filter((position) => tied.includes(position.answer)),
    refs: new Set(positions.flatMap((position) => [...position.refs])),
    evidence: new Map(request.evidence.map((item) => [item.ref, item])),
  };
}

function recommend(table: Table): string {
  if (table.tied.length > 1) {
    const camps = table.tied.map((answer) => {
      const holders = table.latest.filter((position) => position.answer === answer);
      return `${list(holders.map((position) => position.label))} hold${holders.length === 1 ? "s" : ""} ${answer}`;
    });
    return `The panel is split and nothing is recommended: ${camps.join("; ")}.`;
  }
  const who = list(table.supporters.map((position) => position.label));
  const verb = table.supporters.length === 1 ? "recommends" : "recommend";
  const decisive = decisiveRefs(table);
  const basis = decisive.length > 0 ? `; decisive: ${decisive.join(", ")}` : "";
  const [reason] = reasonsOf(table);
  return `${who} ${verb} ${table.answer}${basis}.${reason ? ` ${sentence(clip(reason.text, 400))}` : ""}`;
}

/** What moved seats to the answer; where none moved, what most of its supporters cite. */
function decisiveRefs(table: Table): string[] {
  const moved = table.positions
    .filter((position) => position.answer === table.answer && position.changedBy !== null)
    .flatMap((position) => position.changedBy?.refs.map(refOf) ?? []);
  const refs = moved.length > 0 ? moved : reasonsOf(table).flatMap((reason) => reason.refs.map(refOf));
  const counts = new Map<string, number>();
  for (const ref of refs) counts.set(ref, (counts.get(ref) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([ref]) => ref);
}

/**
 * Claims of the supporters that speak for the answer, one for each set of refs, whenever they made them. Where a seat held another
 * answer at the time, or lists the claim as a caveat, its evidence must say that it supports the answer.
 */
function reasonsOf(table: Table): Synthesis["reasons"] {
  const groups = new Map<string, { text: string; refs: string[]; by: string[] }>();
  const shown = new Set(table.evidence.keys());
  const answerOf = new Map(table.supporters.map((position) => [position.label, position.answer]));
  for (const position of table.positions) {
    const answer = answerOf.get(position.label);
    if (answer === undefined) continue;
    const warned = new Set(position.caveats.flatMap((caveat) => refsIn(caveat, table.refs)));
    const side = table.tied.length > 1 ? `For ${answer}: ` : "";
    for (const claim of position.claims) {
      const refs = claim.refs.filter((cite) => checkCitation(cite, table.evidence, shown).why === null);
      // A claim whose every citation fails rests on nothing.
      if (claim.refs.length > 0 && refs.length === 0) continue;
      const speaks = refs.some(
        (cite) => canonical(table.evidence.get(refOf(cite))?.supports ?? "", table.options) === answer,
      );
      const doubted = refs.length > 0 && refs.every((cite) => warned.has(refOf(cite)));
      if (!speaks && (doubted || position.answer !== answer)) continue;
      const key = `${side}${refs.length > 0 ? [...new Set(refs.map(refOf))].sort().join("\n") : canonical(claim.text)}`;
      const group = groups.get(key) ?? { text: clip(`${side}${claim.text}`, 2_000), refs, by: [] };
      groups.set(key, group);
      if (!group.by.includes(position.label)) group.by.push(position.label);
    }
  }
  for (const group of groups.values()) group.by.sort();
  const force = (reason: { refs: string[] }) =>
    reason.refs.reduce((sum, cite) => sum + (table.evidence.get(refOf(cite))?.strength ?? 0), 0);
  return [...groups.values()].sort((a, b) => b.by.length - a.by.length || force(b) - force(a)).slice(0, reasonLimit);
}

/** What supporters say would change their minds, each once, and every first position that was given up on the way. */
function triggersOf(table: Table): string[] {
  const said = new Map<string, string>();
  for (const position of table.supporters) {
    for (const trigger of position.wouldChange) {
      const refs = refsIn(trigger, table.refs);
      const key = refs.length > 0 ? refs.sort().join("\n") : canonical(trigger);
      if (!said.has(key)) said.set(key, trigger);
    }
  }
  return [...[...said.values()].slice(0, triggerLimit), ...givenUp(table)].slice(0, 20);
}

function givenUp(table: Table): string[] {
  return table.supporters.flatMap((supporter) => {
    const own = table.positions.filter((position) => position.label === supporter.label);
    const first = own.reduce((a, b) => (b.round < a.round ? b : a));
    if (first.answer === supporter.answer) return [];
    const grounds = named(refsIn(first.position, table.refs));
    const moved = own.find((position) => position.changedBy !== null)?.changedBy?.refs ?? [];
    const unless =
      moved.length > 0
        ? `${named(moved.map(refOf))}, which moved it, no longer hold${moved.length === 1 ? "s" : ""}`
        : "its reasons return";
    const argued = `${supporter.label} first argued ${first.answer}${grounds === "" ? "" : ` on ${grounds}`}`;
    return [clip(`${argued}: revisit if ${unless}.`, 1_000)];
  });
}

function named(refs: readonly string[]): string {
  return list(refs.map((ref) => `[${ref}]`));
}

/** Disagreements of each seat's newest turn with peers that have not come round since, alike ones told once. */
function unresolvedOf(table: Table): string[] {
  const now = new Map(table.latest.map((position) => [position.label, position.answer]));
  const everHeld = new Set(table.positions.map((position) => position.answer));
  const groups = new Map<string, { by: string[]; with: string[]; on: string; reason: string }>();
  for (const position of table.latest) {
    for (const { with: peer, on, reason } of position.disagreements) {
      const subject = canonical(on, table.options);
      if (everHeld.has(subject) && now.has(peer) && now.get(peer) !== subject) continue;
      const key = `${position.answer}\n${subject}`;
      const group = groups.get(key) ?? { by: [], with: [], on, reason };
      groups.set(key, group);
      if (!group.by.includes(position.label)) group.by.push(position.label);
      if (!group.with.includes(peer)) group.with.push(peer);
    }
  }
  const lines = [...groups.values()].map((group) => {
    return `${list(group.by)} against ${list(group.with)} on ${clip(group.on, 200)}: ${clip(group.reason, 600)}`;
  });
  return lines.map((line) => clip(line, 1_000)).slice(0, unresolvedLimit);
}

function sentence(text: string): string {
  return /[.!?…”]$/u.test(text) ? text : `${text}.`;
}
