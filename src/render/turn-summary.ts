/** What is left behind above the live block, once, when a turn is over: one line on its outcome, one on what was said. */
import { canonical, latest } from "../answers.ts";
import type { Event, EventOf } from "../events.ts";
import type { View } from "../transcript.ts";
import { quoted, seatTitle, support } from "./facts.ts";
import { share } from "./figures.ts";
import type { Paint } from "./paint.ts";
import { oneLine } from "./safe.ts";
import { itemsOf, listOf, numberOf, textOf } from "./said.ts";
import { missText } from "./words.ts";
import { cut } from "./wrap.ts";

export type SummaryOptions = { width: number; paint: Paint };

/** The summary of a turn that ended or was missed; null for every other event. */
export function turnSummary(event: Event, view: View, { width, paint }: SummaryOptions): string | null {
  if (event.type === "turn-missed") {
    const text = `! R${event.round} ${seatTitle(view, event.seat)} ${missText(event.kind)} (${event.kind}: ${event.cause})`;
    return paint("yellow", oneLine(text, width));
  }
  if (event.type !== "turn-end") return null;
  const first = oneLine(`✓ R${event.round} ${seatTitle(view, event.seat)}: ${outcomeText(event, view)}`, width);
  const words = textOf(event.said, "position") ?? textOf(event.said, "recommendation");
  const second = words === null || width < 12 ? [] : [paint("dim", cut(`    ${oneLine(words)}`, width))];
  return [first, ...second].join("\n");
}

function outcomeText(event: EventOf<"turn-end">, view: View): string {
  const answer = textOf(event.said, "answer");
  const flags = event.flags.length > 0 ? ` {${event.flags.join(", ")}}` : "";
  if (answer === null) return `${event.act}${scoreText(event.said)}${flags}`;
  const sure = numberOf(event.said, "confidence");
  const refs = itemsOf(event.said, "claims").flatMap((claim) => listOf(claim, "refs"));
  return `${quoted(answer)}${sure === null ? "" : ` ${share(sure)}`}${wasText(event, view, answer)}${support(view, [...new Set(refs)])}${flags}`;
}

/** What the seat held before, where that is not what it says now. */
function wasText(event: EventOf<"turn-end">, view: View, answer: string): string {
  const before = latest(view.ballots, event.round - 1).find((ballot) => ballot.seat === event.seat);
  if (!before) return "";
  const now = canonical(answer, view.start?.question.options ?? []);
  return before.answer === now ? ` (was ${share(before.confidence)})` : ` (changed, was ${quoted(before.answer)})`;
}

function scoreText(said: unknown): string {
  const axes = ["recommendation", "facts", "caveats"].flatMap((axis) => {
    const value = numberOf(said, axis);
    return value === null ? [] : [`${axis} ${share(value)}`];
  });
  return axes.length > 0 ? `, ${axes.join(", ")}` : "";
}
