/**
 * The one function that makes untrusted text fit for a terminal, a page or a log.
 *
 * What seats, providers and files say can hold bytes that move the cursor, write to the clipboard, reverse the reading order or
 * show nothing at all. Such characters are shown as escapes, not dropped: a reader must see that they were there.
 */
import { cut } from "./wrap.ts";

/** Characters of the format class that do have a shape of their own: number signs of Arabic and its neighbours. */
const shaped = "\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}";

/**
 * Everything that acts on a display or cannot be seen: controls, lone surrogates, line and paragraph separators, bidi controls,
 * zero-width characters, fillers, tags. Newline, tab, the two emoji selectors and the two joiners are judged elsewhere.
 */
const hidden = `[[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]--[\\n\\t\\u200c\\u200d\\ufe0e\\ufe0f${shaped}]]`;

/** Joiners are part of the spelling in many scripts and of emoji; between other characters they can only disguise a word. */
const plain = "\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}";
const unseen = "[\\p{Default_Ignorable_Code_Point}--[\\ufe0e\\ufe0f]]";
const joined = `[[\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}]--[${plain}]--${unseen}]`;
const joiner = `(?<!${joined})[\\u200c\\u200d]|[\\u200c\\u200d](?!${joined})`;

const unsafe = new RegExp(`${hidden}|${joiner}`, "v");
const everyUnsafe = new RegExp(unsafe.source, "gv");

/** Makes text safe to print: what would act on a display, or hide from it, is shown as an escape such as `\x1b` or `\u202e`. */
export function safe(text: string, options: { keepNewlines?: boolean } = {}): string {
  const shown = unsafe.test(text) ? text.replace(everyUnsafe, escapeOf) : text;
  return options.keepNewlines === false ? shown.replaceAll("\n", "\\n") : shown;
}

/** Safe text on one line: line breaks and runs of spaces become one space, and what is beyond the limit becomes an ellipsis. */
export function oneLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  return cut(safe(text).replace(/\s+/gu, " ").trim(), limit);
}

/**
 * JSON text in which nothing acts on a display either: the same characters, written as JSON escapes, so that it still parses to
 * the exact strings. JSON itself lets most of them stand raw.
 */
export function safeJson(json: string): string {
  return unsafe.test(json) ? json.replace(everyUnsafe, jsonEscapeOf) : json;
}

function escapeOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const digits = point.toString(16);
  if (point < 0x100) return point === 0x0d ? "\\r" : `\\x${digits.padStart(2, "0")}`;
  return point < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\u{${digits}}`;
}

function jsonEscapeOf(character: string): string {
  let escaped = "";
  for (let i = 0; i < character.length; i++) escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return escaped;
}
