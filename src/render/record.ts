/**
 * The record of a run as Markdown: turn by turn, who said what, on which evidence, and who was silent.
 *
 * What a seat said is any JSON to a renderer, since each protocol asks for its own shapes; known fields are read, and a reply that
 * has none of them is shown as the JSON it is.
 */
import type { TurnView, View } from "../transcript.ts";
import { seatNamed, seatTitle, support } from "./facts.ts";
import { many, share, span } from "./figures.ts";
import { inert, inertBlock } from "./inert.ts";
import { itemsOf, listOf, numberOf, textOf } from "./said.ts";
import { missText } from "./words.ts";

/** The rounds and their turns, under headings of the third and fourth level. */
export function recordSections(view: View): string[] {
  const turns = [...view.turns.values()];
  const named = new Set(view.rounds.map((round) => round.round));
  const rounds = [
    ...view.rounds,
    ...[...new Set(turns.map((turn) => turn.round))]
      .filter((round) => !named.has(round))
      .map((round) => ({ round, name: "" })),
  ];
  return rounds.flatMap(({ round, name }) => [
    `### Round ${round}${name ? `: ${inert(name, 200)}` : ""}`,
    ...turns.filter((turn) => turn.round === round).flatMap((turn) => turnSection(view, turn)),
    ...view.scores.filter((score) => score.round === round).map(scoreText),
  ]);
}

function turnSection(view: View, turn: TurnView): string[] {
  const title = `#### ${inert(seatTitle(view, turn.seat), 200)}, ${inert(turn.act, 80)}`;
  if (turn.missed)
    return [
      title,
      `*No answer:* ${inert(`${turn.seat} ${missText(turn.missed.kind)} (${turn.missed.kind}: ${turn.missed.cause})`, 1_000)}`,
    ];
  if (turn.state !== "ended")
    return [title, `*${turn.state === "in-doubt" ? "In doubt: cut off by a crash" : "Under way"}.*`];
  return [title, ...saidParts(view, turn.said), ...ballotParts(view, turn), metaText(turn)];
}

function saidParts(view: View, said: unknown): string[] {
  const position = textOf(said, "position") ?? textOf(said, "recommendation");
  const answer = textOf(said, "answer");
  const confidence = numberOf(said, "confidence");
  if (position === null && answer === null) return [inertBlock(JSON.stringify(said) ?? "", "> ")];
  const sure = confidence === null ? "" : `, confidence ${share(confidence)}`;
  return [
    ...(position === null ? [] : [inertBlock(position, "> ")]),
    ...(answer === null ? [] : [`Answer: **${inert(answer, 200)}**${sure}`]),
    ...bullets(
      "Claims",
      itemsOf(said, "claims").map((claim) => `${textOf(claim, "text") ?? ""}${support(view, listOf(claim, "refs"))}`),
    ),
    ...bullets("Caveats", listOf(said, "caveats")),
    ...bullets(
      "Agrees",
      itemsOf(said, "agreements").map(
        (item) => `with ${seatNamed(view, textOf(item, "with") ?? "?")} on ${textOf(item, "on") ?? ""}`,
      ),
    ),
    ...bullets(
      "Disagrees",
      itemsOf(said, "disagreements").map((item) => {
        return `with ${seatNamed(view, textOf(item, "with") ?? "?")} on ${textOf(item, "on") ?? ""}: ${textOf(item, "reason") ?? ""}`;
      }),
    ),
    ...bullets("Would change its mind", listOf(said, "wouldChange")),
  ];
}

/** What code found when it cast this turn's ballot. */
function ballotParts(view: View, turn: TurnView): string[] {
  const ballot = view.ballots.find((other) => other.key === turn.key);
  if (!ballot) return [];
  const changed = ballot.changedBy;
  const from = changed?.from ? ` (from ${seatNamed(view, changed.from)})` : "";
  return [
    ...bullets("Changed by", changed ? [`${changed.argument}${from}${support(view, changed.refs)}`] : []),
    ...bullets(
      "Citations that do not count",
      ballot.badRefs.map(({ cite, why }) => `“${cite}”: ${why}`),
    ),
    ...(ballot.copyOf === null
      ? []
      : [`*Repeats earlier words of ${inert(ballot.copyOf, 80)}, and is no independent voice.*`]),
  ];
}

function metaText(turn: TurnView): string {
  const tries = turn.attempts > 1 ? `, ${many(turn.attempts, "attempt")}` : "";
  const flags = turn.flags.length > 0 ? `, ${inert(turn.flags.join(", "), 200)}` : "";
  return `*${span(turn.latencyMs)}${tries}${flags}*`;
}

function scoreText(score: View["scores"][number]): string {
  const judge =
    score.judge === null
      ? "no judge was heard"
      : `convergence ${share(score.convergence)} by ${inert(score.judge, 200)}`;
  return `**Score of round ${score.round}:** agreement share ${share(score.share)}; ${judge}${score.unanimous ? "; unanimous" : ""}.`;
}

/** A titled list, or nothing when it would be empty. */
export function bullets(title: string, texts: readonly string[]): string[] {
  return texts.length > 0 ? [`${title}:`, texts.map((text) => `- ${inert(text)}`).join("\n")] : [];
}
