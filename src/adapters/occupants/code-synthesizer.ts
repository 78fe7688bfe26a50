/**
 * The synthesizer made of code: it puts what the seats said in order and adds no word of substance.
 *
 * Every sentence it writes names the seats it comes from, by the labels it heard them under. Dissent is not its to write.
 */

import { canonical } from "../../answers.ts";
import { SeatError } from "../../errors.ts";
import type { Reply, Request } from "../../ports.ts";
import type { Synthesis } from "../../position.ts";
import { latestOf, type Position, positionsOf, refOf, refsIn } from "./positions.ts";
import { clip, list } from "./words.ts";

const reasonLimit = 6;
const triggerLimit = 5;
const unresolvedLimit = 10;

/** What the synthesis is made from: everything said, the newest of each seat, and the answer most of those hold. */
type Table = {
  options: readonly string[];
  positions: readonly Position[];
  latest: readonly Position[];
  answer: string;
  tied: readonly string[];
  supporters: readonly Position[];
  refs: ReadonlySet<string>;
  strength: ReadonlyMap<string, number>;
};

/** Writes the synthesis of everything a request lets it hear. */
export function synthesize(request: Request): Reply {
  const positions = positionsOf(request.heard, request.question.options);
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
  const [answer, supporters] = ranked[0] ?? ["", []];
  return {
    options: request.question.options,
    positions,
    latest,
    answer,
    tied: ranked.filter(([, holders]) => holders.length === supporters.length).map(([name]) => name),
    supporters,
    refs: new Set(positions.flatMap((position) => [...position.refs])),
    strength: new Map(request.evidence.map((item) => [item.ref, item.strength])),
  };
}

function recommend(table: Table): string {
  if (table.tied.length > 1) {
    const camps = table.tied.map((answer) => {
      const holders = table.latest.filter((position) => position.answer === answer);
      return `${list(holders.map((position) => position.label))} hold${holders.length === 1 ? "s" : ""} ${answer}`;
    });
    return `The panel is split and nothing is recommended: ${list(camps)}.`;
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

/** Claims of the supporters, one for each set of refs; what a seat itself lists as a caveat is no reason for its answer. */
function reasonsOf(table: Table): Synthesis["reasons"] {
  const groups = new Map<string, { text: string; refs: string[]; by: string[] }>();
  for (const position of table.supporters) {
    const warned = new Set(position.caveats.flatMap((caveat) => refsIn(caveat, table.refs)));
    for (const claim of position.claims) {
      if (claim.refs.length > 0 && claim.refs.every((cite) => warned.has(refOf(cite)))) continue;
      const key = claim.refs.length > 0 ? [...new Set(claim.refs.map(refOf))].sort().join("\n") : canonical(claim.text);
      const group = groups.get(key) ?? { text: claim.text, refs: claim.refs, by: [] };
      groups.set(key, group);
      if (!group.by.includes(position.label)) group.by.push(position.label);
    }
  }
  const force = (reason: { refs: string[] }) =>
    reason.refs.reduce((sum, cite) => sum + (table.strength.get(refOf(cite)) ?? 0), 0);
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
    if (first.answer === table.answer) return [];
    const refs = own.find((position) => position.changedBy !== null)?.changedBy?.refs ?? [];
    const unless =
      refs.length > 0
        ? `${list(refs.map((cite) => `[${refOf(cite)}]`))} no longer hold${refs.length === 1 ? "s" : ""}`
        : "its reasons return";
    return [
      clip(
        `${supporter.label} first argued ${first.answer}: revisit if ${unless}. Its words then: “${clip(first.position, 400)}”`,
        1_000,
      ),
    ];
  });
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
