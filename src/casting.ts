/** Casting: from what a seat said to its ballot, with every citation checked by code, and from letters back to seats. */
import { canonical } from "./answers.ts";
import type { Ballot } from "./ballot.ts";
import type { EventOf } from "./events.ts";
import { checkCitation } from "./evidence.ts";
import type { Horizon } from "./horizon.ts";
import type { Opening, Revision, Synthesis } from "./position.ts";
import type { Turn } from "./protocol.ts";
import type { View } from "./transcript.ts";

type Start = EventOf<"run-start">;

/** The ballot of a turn: the canonical answer, and what of its evidence holds. */
export function ballotOf(turn: Turn<Opening>, said: Opening, view: View, start: Start, horizon: Horizon): Ballot {
  const visible = horizon.visible(turn.seat);
  const change = (said as Partial<Revision>).changedBy ?? null;
  const check = (cites: readonly string[]) => cites.map((cite) => checkCitation(cite, view.evidence, visible));
  const cited = check([...said.claims.flatMap((claim) => claim.refs), ...(change?.refs ?? [])]);
  const refs = [...new Set(cited.filter((citation) => citation.why === null).map((citation) => citation.ref))];
  const bad = new Map(
    cited.flatMap((citation) => (citation.why === null ? [] : [[citation.cite, citation.why] as const])),
  );
  const shown = new Set(view.turns.get(turn.key)?.heard);
  const copied = view.ballots.find(
    (other) => shown.has(other.key) && other.position === said.position && said.position.length >= 40,
  );
  return {
    seat: turn.seat,
    round: turn.round,
    key: turn.key,
    answer: canonical(said.answer, start.question.options),
    position: said.position,
    confidence: said.confidence,
    verdict: said.verdict,
    refs,
    badRefs: [...bad].map(([cite, why]) => ({ cite, why })),
    changedBy: change && {
      argument: change.argument,
      from: seatBehind(start, change.from),
      refs: check(change.refs).flatMap((citation) => (citation.why === null ? [citation.ref] : [])),
    },
    newRefs: refs.filter((ref) => horizon.learntIn(turn.seat, ref) === turn.round),
    copyOf: copied?.seat ?? null,
    wouldChange: said.wouldChange,
  };
}

/** The seat behind a label as a seat may write it: `B`, `Peer B`, or the seat's own name. */
export function seatBehind(start: Start, label: string | null): string | null {
  if (label === null) return null;
  const last = label.trim().split(/\s+/).at(-1) ?? "";
  const byLabel = new Map(Object.entries(start.labels)).get(last.toUpperCase());
  return byLabel ?? start.seats.find((seat) => seat.id === label.trim())?.id ?? null;
}

/** The synthesis with seats in place of the labels it was written with. */
export function attributed(synthesis: Synthesis, start: Start): Synthesis {
  const reasons = synthesis.reasons.map((reason) => ({
    ...reason,
    by: reason.by.flatMap((label) => seatBehind(start, label) ?? []),
  }));
  return { ...synthesis, reasons };
}

/** What a synthesis cites that is not there, or answers that was not asked; null when it can be used. */
export function ghostIn(synthesis: Synthesis, view: View, start: Start): string | null {
  const { options } = start.question;
  const all = new Set(view.evidence.keys());
  const cites = synthesis.reasons.flatMap((reason) => reason.refs);
  const ghost = cites.map((cite) => checkCitation(cite, view.evidence, all)).find((citation) => citation.why !== null);
  if (ghost) return `it cites ${JSON.stringify(ghost.cite)}: ${ghost.why}`;
  if (options.length > 0 && !options.includes(canonical(synthesis.answer, options)))
    return "answer: not one of the options";
  return null;
}
