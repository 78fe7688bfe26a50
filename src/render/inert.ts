/**
 * Untrusted text in Markdown: it must come out as the characters it is, and as nothing else.
 *
 * Escapes alone do not hold: several renderers look for addresses and mentions in the text after parsing it. Whatever could become
 * a link is therefore set as code, which every renderer leaves alone, and backticks become entities so that no text can end it.
 */
import { oneLine, safe } from "./safe.ts";

/** What follows the beginning of an address and belongs to it. */
const rest = '[^\\s`|<>"“”]*';

/** All that some renderer turns into a link. Every repetition that others may follow is bounded, so that no text can be slow to read. */
const linkable = new RegExp(
  [
    `(?:[a-z][a-z0-9+.\\-]{0,30}:)?//(?=\\S)${rest}`,
    `(?:mailto|javascript|vbscript|data|xmpp|tel):(?=\\S)${rest}`,
    `www\\.${rest}`,
    "[\\w.+\\-]{0,64}@[\\w.\\-][\\w.\\-/]*",
    `[\\w\\-]{1,63}(?:\\.[\\w\\-]{1,63}){0,8}\\.(?:com|org|net|edu|gov|info|biz|io|dev|ai|app|co|xyz)\\b${rest}`,
    "(?<!\\w)#\\d+\\b",
  ].join("|"),
  "giu",
);

/** Text for the middle of a line: one line, every mark of Markdown and HTML inert. */
export function inert(text: string, limit = Number.POSITIVE_INFINITY): string {
  return atLineStart(inline(oneLine(text, limit)));
}

/** Text of several lines, each after a prefix such as `> `; its own line breaks are kept. */
export function inertBlock(text: string, prefix = ""): string {
  const lines = safe(text)
    .split("\n")
    .map((line) => atLineStart(inline(line.trim())));
  while (lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => (prefix + line + hardBreak(line, lines[index + 1])).trimEnd()).join("\n");
}

/** A line break inside a paragraph is lost in Markdown unless it is marked. */
function hardBreak(line: string, next: string | undefined): string {
  return line !== "" && next !== undefined && next !== "" ? "\\" : "";
}

/** A value for YAML front matter: a quoted string that is inert also for a reader that takes it for Markdown. */
export function inertYaml(text: string): string {
  const quoted = JSON.stringify(oneLine(text)).slice(1, -1);
  return `"${quoted.replace(/[<>&`[\]!*|#@~$]|:(?=\/\/)|(?<=www)\./gu, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
}

function inline(line: string): string {
  let result = "";
  let from = 0;
  for (const match of line.matchAll(linkable)) {
    result += escapeMarks(line.slice(from, match.index));
    // Code spans that touch would run together.
    const apart = result.endsWith("`") ? " " : "";
    result += `${apart}\`${match[0]}\``;
    from = match.index + match[0].length;
  }
  return result + escapeMarks(line.slice(from));
}

function escapeMarks(text: string): string {
  return text
    .replace(/[\\*[\]|~$]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("`", "&#96;")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_");
}

/** Marks that mean something only where a line begins: headings, lists, rules, tables, definitions. */
function atLineStart(line: string): string {
  return line.replace(/^[#+=:-]/, "\\$&").replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}
