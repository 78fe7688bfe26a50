/**
 * Text in columns: how wide it is, where it breaks, how it is cut and padded.
 *
 * Width is counted by code point from a short table, and where terminals disagree the larger count is taken: a line may come out
 * a column short, and never a column over.
 */

const ascii = /^[\x20-\x7e]*$/;
const nothing = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;
const emoji = /^\p{Emoji_Presentation}$/u;
const emojiSelector = 0xfe0f;

/** The East Asian wide and fullwidth blocks, as pairs of first and last code points. */
const wideBlocks: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
];

/** How many columns a text without newlines takes in a terminal. */
export function width(text: string): number {
  if (ascii.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += characterWidth(character);
  return columns;
}

function characterWidth(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x300) return point < 0x20 || (point >= 0x7f && point < 0xa0) ? 0 : 1;
  // An emoji selector widens the character before it in some terminals and not in others.
  if (point === emojiSelector) return 1;
  if (nothing.test(character)) return 0;
  return emoji.test(character) || wideBlocks.some(([first, last]) => point >= first && point <= last) ? 2 : 1;
}

/** The text, or as much of its beginning as fits, with an ellipsis. */
export function cut(text: string, columns: number): string {
  if (columns <= 0) return "";
  // Marks without width would otherwise let a text of any length through.
  if (text.length <= columns * 4 && width(text) <= columns) return text;
  let head = "";
  let used = 0;
  for (const character of text) {
    used += characterWidth(character);
    if (used > columns - 1 || head.length >= columns * 4) break;
    head += character;
  }
  return `${head.trimEnd()}…`;
}

/** The text with spaces after it up to a width; never cut. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

/** Breaks a text into lines of at most `columns`: at its newlines, then at spaces, then inside words too long for a line. */
export function wrap(text: string, columns: number): string[] {
  const limit = Math.max(1, columns);
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    const wrapped = wrapParagraph(paragraph, limit);
    const blank = wrapped.length === 0;
    if (blank && (lines.length === 0 || lines.at(-1) === "")) continue;
    lines.push(...(blank ? [""] : wrapped));
  }
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

function wrapParagraph(paragraph: string, limit: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of paragraph.split(/[ \t]+/)) {
    if (word === "") continue;
    const size = width(word);
    if (used > 0 && used + 1 + size <= limit) {
      line += ` ${word}`;
      used += 1 + size;
      continue;
    }
    if (used > 0) lines.push(line);
    const parts = size <= limit ? [word] : pieces(word, limit);
    line = parts.pop() ?? "";
    lines.push(...parts);
    used = width(line);
  }
  if (used > 0 || line !== "") lines.push(line);
  return lines;
}

/** Splits a text into pieces that each fit; marks stay with the character they sit on. */
function pieces(text: string, limit: number): string[] {
  const result: string[] = [];
  let piece = "";
  let used = 0;
  for (const character of text) {
    const size = characterWidth(character);
    const full = used + size > limit || piece.length + character.length > limit * 4;
    if (full && piece !== "") {
      result.push(piece);
      piece = "";
      used = 0;
    }
    piece += character;
    used += size;
  }
  if (piece !== "") result.push(piece);
  return result;
}
