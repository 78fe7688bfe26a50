/** The rows of the benchmark, and how they are judged and shown. A ratio tells more than a time on a machine nobody else has. */

export type Row = {
  measure: string;
  contender: string;
  value: string;
  /** What Parley's figure is of this one, or this one's ratio where the measure is a ratio itself. */
  ratio: number | null;
  /** The most that the ratio, or the figure named in `need`, may be. */
  need: string;
  verdict: Verdict;
};

/** `pass` and `fail` are promises and decide the exit code; `met` and `not met` are goals. */
export type Verdict = "pass" | "fail" | "met" | "not met" | "";

/** A promise: at most so much. A figure that could not be taken breaks it. */
export function promise(figure: number | null, most: number): Verdict {
  return figure !== null && figure <= most ? "pass" : "fail";
}

/** A goal: wanted, and not promised yet. */
export function goal(figure: number | null, most: number): Verdict {
  return figure !== null && figure <= most ? "met" : "not met";
}

const heads = ["measure", "contender", "value", "Parley ÷ it", "must be", "verdict"];

/** The table as aligned Markdown, which reads as well on a terminal. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((row, at) => [
    rows[at - 1]?.measure === row.measure ? "" : row.measure,
    row.contender,
    row.value,
    row.ratio === null ? "" : row.ratio.toFixed(row.ratio < 0.1 ? 3 : 2),
    row.need,
    row.verdict,
  ]);
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...cells.map((line) => (line[column] ?? "").length)),
  );
  const line = (parts: readonly string[]) =>
    `| ${parts.map((part, column) => part.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(heads), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...cells.map(line)].join("\n");
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new Error("The median of nothing was asked for.");
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
