/** How the deterministic occupants put things: lists, numbers and quotes, one way everywhere. */

/** `A`, `A and B`, `A, B and C`. */
export function list(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? "";
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** A weight as it is shown: at most two decimals, and no more than it needs. */
export function figure(value: number): string {
  const rounded = Math.round(value * 100) / 100;
  return String(rounded === 0 ? 0 : rounded);
}

/** Text on one line, cut at a word where it is too long. */
export function clip(text: string, limit: number): string {
  const line = text.replace(/\s+/gu, " ").trim();
  if (line.length <= limit) return line;
  const head = line.slice(0, limit - 1);
  const space = head.lastIndexOf(" ");
  const cut = space > limit / 2 ? head.slice(0, space) : dropHalf(head);
  return `${cut.replace(/[\s,;:.]+$/u, "")}…`;
}

/** A cut between the two halves of a character outside the basic plane would leave text that is not well formed. */
function dropHalf(text: string): string {
  return /[\ud800-\udbff]$/u.test(text) || !text.isWellFormed() ? text.slice(0, -1) : text;
}

/** One word made of an answer: what a protocol that compares verdicts is given. */
export function slug(answer: string): string {
  const word = clip(answer, 64).replace(/\s+/gu, "-");
  return word === "" ? "none" : word.slice(0, 64);
}
