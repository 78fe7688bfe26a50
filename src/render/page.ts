/**
 * A page for a terminal: labelled rows in two columns, wrapped to a width.
 *
 * Everything printed passes through `safe` here, and everything a seat says stands to the right of the label column, so no text
 * can act on the terminal or pass for a row of the page's own. Paint is applied last, on lines already measured.
 */
import type { Paint, Style } from "./paint.ts";
import { oneLine, safe } from "./safe.ts";
import { cut, pad, width, wrap } from "./wrap.ts";

/** One paragraph of a row. `lead` stands before its first line only, `gutter` before every line. */
export type Part = { text: string; lead?: string; gutter?: string; indent?: number; style?: Style };

/** A labelled row, or a blank line between groups of them. */
export type Row = { label: string; parts: readonly Part[] } | "gap";

const labelColumns = 12;
const narrow = 50;

/** The lines of labelled rows; rows without parts are left out, and so are gaps at the ends and doubled ones. */
export function pageLines(rows: readonly Row[], columns: number, paint: Paint): string[] {
  const lines: string[] = [];
  for (const row of rows) {
    if (row === "gap") {
      if (lines.length > 0 && lines.at(-1) !== "") lines.push("");
    } else if (row.parts.length > 0) {
      lines.push(...(columns < narrow ? stackedRow(row, columns, paint) : sideRow(row, columns, paint)));
    }
  }
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

type Labelled = Exclude<Row, "gap">;

function sideRow({ label, parts }: Labelled, columns: number, paint: Paint): string[] {
  const body = parts.flatMap((part) => partLines(part, columns - labelColumns, paint));
  return body.map((line, index) => {
    if (line === "") return "";
    return index === 0 && label !== ""
      ? `${paint("bold", label)}${pad("", labelColumns - width(label))}${line}`
      : pad("", labelColumns) + line;
  });
}

/** Where there is no room for two columns, the label stands above. */
function stackedRow({ label, parts }: Labelled, columns: number, paint: Paint): string[] {
  const body = parts.flatMap((part) => partLines(part, columns - 2, paint));
  return [...(label === "" ? [] : [paint("bold", label)]), ...body.map((line) => (line === "" ? "" : `  ${line}`))];
}

/** The lines of one paragraph, painted; what is before the text is indentation for the lines after the first. */
export function partLines(part: Part, columns: number, paint: Paint): string[] {
  const lead = leadText(part, Math.floor(columns / 2));
  const gutter = part.gutter ?? "";
  const room = Math.max(8, columns - width(lead) - width(gutter));
  const hang = " ".repeat(width(lead));
  return wrap(safe(part.text), room).map((line, index) => {
    const text = part.style && line !== "" ? paint(part.style, line) : line;
    return ((index === 0 ? lead : hang) + gutter + text).trimEnd();
  });
}

/** What stands before a paragraph; at most half of the line, so that there is always room for the text. */
function leadText(part: Part, limit: number): string {
  const lead = safe(" ".repeat(part.indent ?? 0) + (part.lead ?? ""), { keepNewlines: false });
  return width(lead) <= limit ? lead : `${cut(lead, limit - 1)} `;
}

/** A heading with a word at each end and a rule beneath; what does not fit beside goes under it. */
export function headingLines(left: string, right: string, columns: number, paint: Paint): string[] {
  const title = oneLine(left, columns);
  const note = oneLine(right);
  const rule = paint("dim", "─".repeat(columns));
  const room = columns - width(title) - width(note);
  if (room >= 2) return [paint("bold", title) + pad("", room) + note, rule];
  return [paint("bold", title), ...wrap(note, columns), rule];
}
