/** Every turn of a run for a terminal, round by round and in the seats' own words: what `show --full` adds to the card. */
import type { Event } from "../../events.ts";
import type { Record } from "../../record.ts";
import { type Part, pageLines, type Row } from "../../render/page.ts";
import type { Paint } from "../../render/paint.ts";
import { textOf } from "../../render/said.ts";
import { turnSummary } from "../../render/turn-summary.ts";
import { advance, emptyView, type View } from "../../transcript.ts";

/** The turns of a record as text. */
export function fullRecord(record: Record, look: { width: number; paint: Paint }): string {
  const rows: Row[] = [];
  const view = emptyView();
  for (const event of record.events) {
    advance(view, event);
    rows.push(...rowsOf(event, view));
  }
  return `${pageLines(rows, look.width, look.paint).join("\n")}\n`;
}

function rowsOf(event: Event, view: View): Row[] {
  if (event.type === "round-start")
    return ["gap", { label: `Round ${event.round}`, parts: [{ text: event.name, style: "bold" }] }];
  if (event.type === "note-made") return [{ label: "", parts: [{ lead: "note  ", text: event.text }] }];
  const [outcome] = turnSummary(event, view, { width: 2_000, paint: (_style, text) => text })?.split("\n") ?? [];
  if (!outcome) return [];
  const said = event.type === "turn-end" ? event.said : null;
  const words = textOf(said, "position") ?? textOf(said, "recommendation");
  const quote: Part[] = words ? [{ gutter: "│ ", indent: 2, text: words }] : [];
  return [{ label: "", parts: [{ text: outcome }, ...quote] }];
}
