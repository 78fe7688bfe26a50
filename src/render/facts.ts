/**
 * What there is to say about a run, in words, before any format: the card, the Markdown export and the status lines say the same
 * things because they say them from here.
 *
 * Nothing here is safe to print. Words of seats go in as they are, and the renderer that prints a fact makes the whole of it safe.
 */
import { latest } from "../answers.ts";
import type { Ballot } from "../ballot.ts";
import type { Decision, Dissent, Flip, Votes } from "../decision.ts";
import type { Degraded, View } from "../transcript.ts";
import { count, many, share, span, usd } from "./figures.ts";
import { missText, sentence, statusWords, stopWords } from "./words.ts";

/** The line that must come first when a seat was missing or a call is in doubt; null when the run has neither. */
export function bannerOf(view: View): string | null {
  const misses = missGroups(view.degraded).map((group) => missSentence(view, group));
  const doubts = view.doubts.map(
    (doubt) => `${seatWord(view, doubt.seat)} round ${doubt.round}, up to ${many(doubt.charged.tokens, "token")}`,
  );
  const doubt = doubts.length > 0 ? `${many(doubts.length, "call")} cut off by a crash (${doubts.join("; ")})` : null;
  if (misses.length > 0) return `! degraded: ${[...misses, ...(doubt ? [`in doubt: ${doubt}`] : [])].join("; ")}`;
  return doubt ? `! in doubt: ${doubt}` : null;
}

type MissGroup = { seat: string; kind: string; cause: string; rounds: number[] };

/** Misses of one seat for one reason, told once. */
function missGroups(degraded: readonly Degraded[]): MissGroup[] {
  const groups = new Map<string, MissGroup>();
  for (const { seat, kind, cause, round } of degraded) {
    const id = JSON.stringify([seat, kind, cause]);
    const group = groups.get(id) ?? { seat, kind, cause, rounds: [] };
    groups.set(id, group);
    if (!group.rounds.includes(round)) group.rounds.push(round);
  }
  return [...groups.values()];
}

function missSentence(view: View, { seat, kind, cause, rounds }: MissGroup): string {
  const when = `${rounds.length === 1 ? "round" : "rounds"} ${rounds.join(", ")}`;
  return `${seatWord(view, seat)} ${missText(kind)} in ${when} (${kind}: ${short(cause, 200)})`;
}

/** `seat c` for a seat of the panel; the judge and the synthesizer go by their own names. */
function seatWord(view: View, seat: string): string {
  return seatOf(view, seat) ? `seat ${seat}` : seat;
}

export function seatOf(view: View, id: string) {
  return view.start?.seats.find((seat) => seat.id === id) ?? null;
}

/** A seat with its role: `c (security)`. */
export function seatTitle(view: View, id: string): string {
  const role = seatOf(view, id)?.role;
  return role && role !== id ? `${id} (${role})` : id;
}

/** The seat behind a name that a seat or a synthesizer used: its id, or the label it goes by before its peers. */
export function seatNamed(view: View, name: string): string {
  return seatOf(view, name) ? name : (view.start?.labels[name] ?? name);
}

/** Why the run stands as it does: its stop reason in words, or its status while it has none. */
export function standingWords(view: View): string {
  const reason = stopOf(view);
  if (view.status === "waiting" && view.waiting)
    return `the run waits for ${view.waiting === "budget" ? "more budget" : `a ${view.waiting}`}`;
  return isOver(view) && reason ? stopWords[reason] : statusWords[view.status];
}

/** Whether the run has ended, one way or another. */
export function isOver(view: View): boolean {
  return view.status !== "running" && view.status !== "queued" && view.status !== "waiting";
}

export function stopOf(view: View) {
  return view.stopReason ?? view.decision?.stopReason ?? null;
}

export type Standing = { answer: string | null; for: string[]; against: string[]; silent: string[] };

/** Who stands behind the answer (or the leading one), who holds another, and who holds none. */
export function standing(view: View, decision: Decision): Standing {
  const answer = decision.answer ?? decision.leading;
  const groups = decision.votes.after.answers;
  const held = new Set(groups.flatMap((group) => group.seats));
  return {
    answer,
    for: groups.find((group) => group.answer === answer)?.seats ?? [],
    against: groups.filter((group) => group.answer !== answer).flatMap((group) => group.seats),
    silent: (view.start?.seats ?? []).map((seat) => seat.id).filter((id) => !held.has(id)),
  };
}

/** `For 2 (a, b) · against 1 (c) · no answer 1 (d: timed out)`. */
export function standingText(view: View, decision: Decision): string {
  const { answer, for: behind, against, silent } = standing(view, decision);
  const named = (seats: readonly string[]) => (seats.length > 0 ? ` (${seats.join(", ")})` : "");
  const silence = silent.map((id) => {
    const miss = view.degraded.findLast((entry) => entry.seat === id);
    return miss ? `${id}: ${missText(miss.kind)}` : id;
  });
  const none = `no answer ${silent.length}${named(silence)}`;
  if (answer === null) return `${votesText(decision.votes.after)} · ${none}`;
  return `For ${behind.length}${named(behind)} · against ${against.length}${named(against)} · ${none}`;
}

/** Three numbers, never folded into one: what the panel holds, what the judge sees, what the seats say of themselves. */
export function numbers(view: View, decision: Decision): { label: string; value: string; text: string }[] {
  const { agreement, convergence, stated } = decision.confidence;
  const measure = measureOf(decision);
  const verdict = (own: string) => (own === measure ? `; ${convergedText(view, decision)}` : "");
  const scored = view.scores.at(-1);
  const judge = decision.judge ?? scored?.judge ?? null;
  const cause = scored?.causes.at(-1);
  const silence = cause ? `no judge was heard (${short(cause, 120)})` : "no judge was asked";
  const judged = judge ? `convergence of the positions, scored by ${judge}` : silence;
  return [
    {
      label: "Agreement",
      value: share(agreement),
      text: `share of the panel behind ${behindWhat(decision)}${verdict("share")}`,
    },
    { label: "Judge", value: share(convergence), text: `${judged}${verdict("judge")}` },
    { label: "Confidence", value: share(stated), text: "as the seats behind it state their own; uncalibrated" },
  ];
}

/** Which of the numbers the threshold was held against: the judge's score, or the share where no judge was asked or heard. */
function measureOf(decision: Decision): "share" | "judge" {
  return decision.confidence.convergence === null ? "share" : "judge";
}

function convergedText(view: View, decision: Decision): string {
  const threshold = optionOf(view, "threshold");
  const mode = optionOf(view, "convergence");
  const needs = [
    ...(typeof threshold === "number" && mode !== "verdict" ? [share(threshold)] : []),
    ...(mode === "verdict" || mode === "both" ? ["a unanimous verdict"] : []),
  ];
  const verdict = decision.stopReason === "converged" ? "converged" : "NOT converged";
  return needs.length > 0 ? `needs ${needs.join(" and ")}: ${verdict}` : verdict;
}

/** One of the protocol's options, which are any JSON to a renderer. */
export function optionOf(view: View, name: string): unknown {
  const options = view.start?.options;
  return typeof options === "object" && options !== null && !Array.isArray(options) ? options[name] : undefined;
}

/** `1.` reasons' refs and authors, to stand after their text: ` [E1, E2] (a, b)`. */
export function support(view: View, refs: readonly string[], by: readonly string[] = []): string {
  const names = by.map((name) => seatNamed(view, name));
  return `${refs.length > 0 ? ` [${refs.join(", ")}]` : ""}${names.length > 0 ? ` (${names.join(", ")})` : ""}`;
}

/** Who dissents and how, to stand above their own words. */
export function dissentTitle(view: View, dissent: Dissent): string {
  const who = seatTitle(view, dissent.seat);
  const refs = support(view, dissent.refs);
  if (dissent.kind === "final") return `${who} holds ${quoted(dissent.answer)} to the end (R${dissent.round})${refs}`;
  return `${who} gave up its first position, ${quoted(dissent.answer)} (R${dissent.round})${refs}`;
}

/** Dissent with the positions still held first. */
export function dissentInOrder(decision: Decision): Dissent[] {
  return [...decision.dissent].sort((a, b) => Number(a.kind === "given-up") - Number(b.kind === "given-up"));
}

/** Who moved, from what, to what, when and on what; a move that no evidence explains is marked in words and with a sign. */
export function flipText(view: View, flip: Flip): string {
  const move = `${flip.seat}: ${quoted(flip.from)} → ${quoted(flip.to)} in R${flip.round}`;
  const from = flip.by ? ` from ${seatNamed(view, flip.by)}` : "";
  const words = flip.argument ? `: ${short(flip.argument, 600)}` : "";
  if (flip.towards === "evidence") return `${move} on evidence ${flip.refs.join(", ")}${from}${words}`;
  if (flip.towards === "argument") return `${move} on an argument${from}, no new evidence${words}`;
  if (flip.towards === "majority")
    return `⚠ ${move} with no new evidence, towards the majority${from ? `, on an argument${from}` : ""}${words}`;
  return `⚠ ${move} with no new evidence and no argument named${words}`;
}

function behindWhat({ answer, leading }: Decision): string {
  return answer !== null ? "the answer" : leading !== null ? "the leading answer" : "each of the answers that lead";
}

/** `postgres 2 (a, b) · kafka 1 (c)`; weights are told where they are not one each. */
export function votesText(votes: Votes): string {
  if (votes.answers.length === 0) return "no answers";
  const heavy = votes.answers.some((group) => group.weight !== group.seats.length);
  const weight = (group: Votes["answers"][number]) => (heavy ? `, weight ${Number(group.weight.toFixed(2))}` : "");
  return votes.answers
    .map((group) => `${short(group.answer, 80)} ${group.seats.length} (${group.seats.join(", ")}${weight(group)})`)
    .join(" · ");
}

/** Whether the debate changed anything against a plain vote of the blind first answers. */
export function plainVoteText(decision: Decision): string {
  const { answer, same } = decision.plainVote;
  const vote = answer === null ? "was a tie" : `said ${quoted(answer)}`;
  if (decision.answer === null)
    return `Did debate help? A plain vote of the blind first answers ${vote}; the panel settled on nothing.`;
  if (same) return `Did debate help? The answer is the same: a plain vote of the blind first answers ${vote} too.`;
  return `Did debate help? The answer is different: a plain vote of the blind first answers ${vote}.`;
}

export type EvidenceUse = {
  cited: string[];
  given: number;
  invalid: { seat: string; round: number; cite: string; why: string }[];
};

/** What was cited, out of how much, and the citations that do not count. */
export function evidenceUse(view: View): EvidenceUse {
  const refs = view.ballots.flatMap((ballot) => ballot.refs.map((cite) => cite.split("#", 1)[0] ?? cite));
  const invalid = view.ballots.flatMap(({ seat, round, badRefs }) =>
    badRefs.map(({ cite, why }) => ({ seat, round, cite, why })),
  );
  return { cited: [...new Set(refs)].sort(), given: view.evidence.size, invalid };
}

/** `$0.42 · 1,234 tokens · 9 calls · 2m14s`; an unknown price is unknown, never nothing. */
export function costText(view: View): string {
  const { tokens, usd: dollars, usdUnknown, turns } = view.spent;
  const money = usdUnknown
    ? dollars > 0
      ? `at least ${usd(dollars)} (a price is unknown)`
      : "price unknown"
    : usd(dollars);
  return `${money} · ${many(tokens, "token")} · ${many(turns, "call")} · ${span(view.activeMs)}`;
}

export function limitText(event: View["limitsReached"][number]): string {
  return `${stopWords[event.budget]}: limit ${count(event.limit)}, used ${count(event.used)}, the next call asks ${count(event.asked)} (${event.action})`;
}

export function doubtText(view: View, doubt: View["doubts"][number]): string {
  const after = {
    retry: "sent again",
    fail: "counted as missed",
    ask: doubt.open ? "waits for a person to say" : "settled",
  }[doubt.policy];
  const cap = `charged at its cap of ${many(doubt.charged.tokens, "token")}`;
  return `${seatWord(view, doubt.seat)} round ${doubt.round}, attempt ${doubt.attempt}: cut off by a crash, ${cap}, ${after ?? doubt.policy}`;
}

/** What a reader must know besides: remarks of the protocol, and answers that came too late to count. */
export function notesOf(view: View): string[] {
  const late = view.late.map(
    ({ seat }) => `An answer of ${seatWord(view, seat)} came after its turn was settled; it is kept and not counted.`,
  );
  return [...new Set([...view.notes, ...(view.decision?.notes ?? []), ...late])];
}

/** How independent the panel was. */
export function voicesText(decision: Decision): string {
  const { seats, lineages, scopes, effective } = decision.voices;
  return `${many(seats, "seat")}, ${many(lineages, "lineage")}, ${many(scopes, "scope")} of evidence: ${many(effective, "independent voice")}`;
}

/** The panel, one line each. */
export function panelRows(view: View): { id: string; role: string; occupant: string }[] {
  return (view.start?.seats ?? []).map(({ id, role, occupant }) => ({ id, role, occupant: occupant.name }));
}

/** Which seat is meant by which letter in the texts, for panels that deliberate without names; null where names were shown. */
export function lettersText(view: View): string | null {
  const labels = Object.entries(view.start?.labels ?? {}).filter(([label, seat]) => label !== seat);
  if (labels.length === 0 || optionOf(view, "anonymous") === false) return null;
  const pairs = labels.sort(([a], [b]) => (a < b ? -1 : 1)).map(([label, seat]) => `${label} is ${seat}`);
  return `In the texts, ${pairs.join(", ")}.`;
}

/** Each seat's latest position, in the panel's order. */
export function positions(view: View): Ballot[] {
  const order = new Map((view.start?.seats ?? []).map((seat, index) => [seat.id, index]));
  return latest(view.ballots).sort((a, b) => (order.get(a.seat) ?? 0) - (order.get(b.seat) ?? 0));
}

/** Why a run has no decision, as a sentence with its error. */
export function stoppedText(view: View): string {
  const error = view.error ? ` (${view.error.code}: ${short(view.error.message, 600)})` : "";
  return sentence(`${standingWords(view)}${error}`);
}

/** An answer as it stands in a sentence: quoted where its words could run into the sentence's own. */
export function quoted(text: string): string {
  const line = short(text, 200);
  return /^[\p{L}\p{N}._/+-]+$/u.test(line) ? line : `“${line}”`;
}

/** Text on one line and within a length: a fact is never made of several lines by what a seat says. */
export function short(text: string, limit: number): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length <= limit ? line : `${[...line.slice(0, limit)].slice(0, -1).join("")}…`;
}
