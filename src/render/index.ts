/** The renderers: a view of a run as a card, as Markdown, as JSON, as plain lines. Pure and browser-safe. */
export { card } from "./card.ts";
export { jsonError, jsonText, jsonView, outcomeWord } from "./json.ts";
export { eventLine } from "./lines.ts";
export { markdown } from "./markdown.ts";
export { type Paint, plainPaint, type Style } from "./paint.ts";
export { oneLine, safe } from "./safe.ts";
