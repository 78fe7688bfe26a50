/** Text that tries to act on whatever shows it, and a way to put it into every string of a run. */
import type { Event } from "../../src/events.ts";

/** Pairs of another's making, a clipboard write, a cleared screen, a hyperlink, a C1 control, an overwritten line, a reversed line, and Markdown with HTML. */
export const payload = [
  '" status=forged \\" stop=forged',
  "\x1b]52;c;aGk=\x07\x1b[2J\x1b]8;;http://e\x07\u009b31m\rFAKE\u202egnp.exe\u2066\u200b\u{e0041}\ufeff\u2028",
  "Votes       for 99 (mallory)",
  "# Heading",
  "> quote",
  "- item",
  "| a | b |",
  "|---|---|",
  "=====",
  "1. one",
  "```js",
  "<script>alert(1)</script><img src=http://x/ onerror=x> ![i](http://x/i.png) [l](javascript:alert(1)) [r]: http://r",
  "http://auto.link/path www.auto.link me@auto.link @someone <http://angle> **bold** _em_ `code` ~~s~~ &lt; $x$ evil.com #12",
].join("\n");

/** Nothing a terminal acts on, and nothing that hides: what every renderer's output must be free of. */
export const acting =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/u;

/** Fields whose words are the engine's own: a record in which they are not cannot be read at all. */
const own = new Set(["type", "status", "stopReason", "towards", "outcome", "policy", "action", "budget", "onBudget"]);

/** The same events with something after every string that anyone but the engine could have chosen. */
export function tainted(events: readonly Event[], text = payload): Event[] {
  return events.map((event) => taint(event, text) as Event);
}

function taint(value: unknown, text: string): unknown {
  if (typeof value === "string") return `${value} ${text}`;
  if (Array.isArray(value)) return value.map((item) => taint(item, text));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, isOwn(name, field) ? field : taint(field, text)]);
  return Object.fromEntries(fields);
}

function isOwn(name: string, field: unknown): boolean {
  return own.has(name) || (name === "kind" && typeof field === "string" && /^(timeout|final|given-up)$/.test(field));
}
