import { describe, expect, test } from "vitest";
import { inert, inertBlock } from "../../src/render/inert.ts";
import { markdown } from "../../src/render/markdown.ts";
import { fold } from "../../src/transcript.ts";
import { ending, eventsOf } from "./bodies.ts";
import { acting, payload, tainted } from "./hostile.ts";
import { argument, decidedEvents, decidedView, opened, undecidedView, words } from "./sample.ts";

/** What is left to a renderer once code spans, escapes and entities are taken away: no mark may remain in it. */
function live(text: string): string {
  return text
    .replace(/`[^`\n]*`/g, "")
    .replace(/\\[!-/:-@[-`{-~]/g, "")
    .replace(/&(?:amp|lt|gt|#96);/g, "");
}

const marks = /[<>`[\]|~$*]|:\/\/|www\.|\w@\w|@\w|javascript:|evil\.com/;
const headings = (text: string) => text.split("\n").flatMap((line) => /^#+ \S+/.exec(line)?.[0] ?? []);

describe("inert", () => {
  test.each([
    ["<b>&lt;</b>", "&lt;b&gt;&amp;lt;&lt;/b&gt;"],
    ["![i](x) [l](y)", "!\\[i\\](x) \\[l\\](y)"],
    ["see http://x/?a=1&b=2 now", "see `http://x/?a=1&b=2` now"],
    ["# no heading", "\\# no heading"],
    ["- no item", "\\- no item"],
    ["12. no item", "12\\. no item"],
    ["`code`", "&#96;code&#96;"],
    ["snake_case and _em_", "snake_case and \\_em\\_"],
    ["me@host.org and @someone", "`me@host.org` and `@someone`"],
    ["p99 is 11 ms (E1), 3.5 times", "p99 is 11 ms (E1), 3.5 times"],
  ])("%s", (text, expected) => {
    expect(inert(text)).toBe(expected);
  });

  test("Lines of a block keep their breaks and their prefix.", () => {
    expect(inertBlock("one\ntwo\n\n# three", "> ")).toBe("> one\\\n> two\n>\n> \\# three");
  });

  test("Nothing of the payload is left to a renderer.", () => {
    for (const line of inertBlock(payload).split("\n")) {
      expect(live(line.replace(/\\$/, ""))).not.toMatch(marks);
      expect(line).not.toMatch(/^(#|>|-|=|\+|\||\d+\.|\s)/);
    }
  });

  test("A long text is read in time that grows with its length.", () => {
    // A pattern that tried again from every place would need minutes for this.
    expect(inert("a".repeat(300_000)).length).toBe(300_000);
    expect(inert("a.".repeat(60_000)).length).toBe(120_000);
  });
});

describe("the Markdown record", () => {
  test("It has the headings of MADR 4, in their order, and ours beside them.", () => {
    const found = markdown(decidedView()).match(/^##? .*$/gm);
    expect(found).toEqual([
      "# Should the order service publish events through a Postgres outbox or through Kafka?",
      "## Context and Problem Statement",
      "## Decision Drivers",
      "## Considered Options",
      "## Decision Outcome",
      "## Dissent",
      "## Changes of mind",
      "## Pros and Cons of the Options",
      "## More Information",
      "## Record",
    ]);
    expect(markdown(decidedView())).toMatch(/### Consequences[\s\S]*### Confirmation/);
  });

  test("It tells who was missing before anything else.", () => {
    const lines = markdown(decidedView()).split("\n");
    expect(lines[1]).toBe('degraded: "seat d timed out in rounds 0, 1 (timeout: no answer within 5 s)"');
    expect(lines.slice(lines.indexOf("---", 1) + 1).find((line) => line !== "")).toMatch(/^> \*\*! degraded: seat d/);
  });

  test("It holds the facts of the card and the whole record.", () => {
    const text = markdown(decidedView(), { head: "9c1f" });
    for (const fact of [
      'status: "decided"',
      "date: 2026-11-15",
      'decision-makers: ["a (architect)", "b (operator)"',
      "Chosen option: **postgres**",
      "In the texts, A is c, B is a, C is d, D is b.",
      "For 2 (a, b) · against 1 (c) · no answer 1 (d: timed out)",
      "- **Judge .72**: convergence of the positions, scored by rules:judge; needs .85: NOT converged",
      "2. The relay already carries an idempotency key, so exactly-once needs no second system. \\[E3\\] (a, b)",
      "- Neutral, because it is unresolved: who owns replay?",
      "Head of the record: `9c1f`",
      `c (security) holds kafka to the end (R1) \\[E7\\]\n\n> ${words.c}`,
      `Given up because: ${argument}`,
      "- b: kafka → postgres in R1 on evidence E3 from a",
      "- Good, because p99 of the write path is 11 ms. \\[E1\\]",
      "### Round 1: critique",
      "#### d (product), critique\n\n*No answer:* d timed out (timeout: no answer within 5 s)",
      "- “E99”: no such evidence",
    ]) {
      expect(text).toContain(fact);
    }
  });

  test("Without a decision it claims none.", () => {
    expect(markdown(undecidedView())).toContain("**No decision.**\n\nLeading position, not a decision: postgres");
    const cancelled = markdown(fold(eventsOf([...opened(), ending("cancelled", "cancelled_by_user")])));
    expect(cancelled).toContain("It was cancelled on request.");
    expect(cancelled).not.toContain("Chosen option");
    expect(cancelled).toContain(words.c);
  });

  test("Hostile words come out as text: no control, no HTML, no link, no image, no heading of theirs.", () => {
    const text = markdown(fold(tainted(decidedEvents())));
    expect(text).not.toMatch(acting);
    expect(headings(text)).toEqual(headings(markdown(fold(tainted(decidedEvents(), "x")))));
    const body = text.slice(text.indexOf("\n---\n", 4) + 5);
    for (const line of body.split("\n")) {
      const plain = line
        .replace(/\\$/, "")
        .replace(/^(?:> |>$|- |\d+\. |#+ )/, "")
        .replace(/\*\*?/g, "");
      expect(live(plain)).not.toMatch(marks);
    }
    expect(text.slice(0, text.indexOf("\n---\n", 4))).not.toMatch(/[<>`&]|:\/\/|!\[/);
  });
});
