import { describe, expect, test } from "vitest";
import { stopReasons } from "../../src/decision.ts";
import { card } from "../../src/render/card.ts";
import { plainPaint } from "../../src/render/paint.ts";
import { stopWords } from "../../src/render/words.ts";
import { width } from "../../src/render/wrap.ts";
import { fold, type View } from "../../src/transcript.ts";
import { cap, ending, eventsOf, runStart, turnStart } from "./bodies.ts";
import { acting, tainted } from "./hostile.ts";
import { argument, decidedEvents, decidedView, decision, opened, undecidedView, words } from "./sample.ts";

const head = "9c1f".repeat(16);
const show = (view: View, columns = 80) => card(view, { width: columns, paint: plainPaint, head });
/** The card on one line, so that a fact is found wherever it was wrapped. */
const flat = (text: string) => text.replace(/\n\s*(│ )?/g, " ");

describe("the card", () => {
  test("A degraded run says so in its first line, with the seat, the kind and the cause.", () => {
    const [first] = show(decidedView()).split("\n");
    expect(first).toBe("! degraded: seat d timed out in rounds 0, 1 (timeout: no answer within 5 s)");
  });

  test("A call in doubt is named first too, with what it may have cost.", () => {
    const doubt = {
      type: "doubt-found",
      key: "round-0/seat-a/answer",
      attempt: 1,
      seat: "a",
      charged: cap,
      policy: "retry",
    } as const;
    const text = show(fold(eventsOf([runStart(), turnStart("a", 0, "answer"), doubt])));
    expect(text.split("\n")[0]).toBe("! in doubt: 1 call cut off by a crash (seat a round 0, up to 4,096 tokens)");
    expect(flat(text)).toContain(
      "In doubt    seat a round 0, attempt 1: cut off by a crash, charged at its cap of 4,096 tokens, sent again",
    );
  });

  test("A run with every seat heard has no banner.", () => {
    const text = show(
      fold(eventsOf([runStart(), { type: "decision-reached", decision: decision() }, ending("decided", "converged")])),
    );
    expect(text.split("\n")[0]).toMatch(/^DECISION r_7f3a +decided: the panel agreed$/);
  });

  test("It holds every fact of the decision.", () => {
    const text = flat(show(decidedView(), 120));
    for (const fact of [
      "DECISION r_7f3a",
      "decided: the rounds ran out before the panel agreed",
      "Use the Postgres outbox for order events",
      "For 2 (a, b) · against 1 (c) · no answer 1 (d: timed out)",
      "Agreement    .50  share of the panel behind the answer",
      "Judge        .72  convergence of the positions, scored by rules:judge; needs .85: NOT converged",
      "Confidence   .78  as the seats behind it state their own; uncalibrated",
      "Why         1. The write path meets its p99 without a broker. [E1] (a)",
      "c (security) holds kafka to the end (R1) [E7]",
      words.c,
      "b (operator) gave up its first position, kafka (R0)",
      words.b,
      `because: ${argument}`,
      "b: kafka → postgres in R1 on evidence E3 from a",
      "blind  kafka 2 (b, c) · postgres 1 (a)",
      "after  postgres 2 (a, b) · kafka 1 (c)",
      "The answer is different: a plain vote of the blind first answers said kafka.",
      "Revisit if  - more than 5,000 events a second",
      "Unresolved  - who owns replay?",
      "3 of 3 items cited (E1, E3, E7) · 1 invalid citation",
      "does not count: E99 by b in R0, no such evidence",
      "price unknown · 10,712 tokens · 8 calls · 35 s",
      "In the texts, A is c, B is a, C is d, D is b.",
      "debate v1 · 2 rounds · 36 events · seed 7f3a",
      head,
    ]) {
      expect(text).toContain(fact);
    }
    expect(text.indexOf("c (security) holds")).toBeLessThan(text.indexOf("b (operator) gave up"));
  });

  test("The threshold stands beside the number it was held against.", () => {
    const text = flat(
      show(
        decidedView({ stopReason: "converged", confidence: { agreement: 0.9, convergence: null, stated: null } }),
        120,
      ),
    );
    expect(text).toContain(" .90  share of the panel behind the answer; needs .85: converged");
    expect(text).toContain("Confidence     —");
  });

  test("A verdict that must be unanimous is asked for in words, not as a number.", () => {
    const start = { ...runStart(), options: { threshold: 0.85, convergence: "verdict" } } as ReturnType<
      typeof runStart
    >;
    const confidence = { agreement: 0.6, convergence: null, stated: null };
    const reached = { type: "decision-reached", decision: decision({ confidence, judge: null }) } as const;
    const text = flat(show(fold(eventsOf([start, reached])), 120));
    expect(text).toContain(" .60  share of the panel behind the answer; needs a unanimous verdict: NOT converged");
    expect(text).toContain("—  no judge was asked");
  });

  test("A change of mind that no evidence explains carries a sign and words.", () => {
    const flip = { seat: "b", round: 1, from: "kafka", to: "postgres", argument: null, by: null, refs: [] };
    const text = flat(
      show(
        decidedView({
          flips: [
            { ...flip, towards: "majority" },
            { ...flip, seat: "c", towards: "unexplained" },
          ],
        }),
        120,
      ),
    );
    expect(text).toContain("⚠ b: kafka → postgres in R1 with no new evidence, towards the majority");
    expect(text).toContain("⚠ c: kafka → postgres in R1 with no new evidence and no argument named");
  });

  test("An undecided run heads nothing as a decision, and labels what leads as what it is.", () => {
    const text = show(undecidedView());
    expect(text).toContain("UNDECIDED r_7f3a");
    expect(text).toContain("stopped: nobody moved any more");
    expect(text).toContain("No decision.");
    expect(text).toContain("Leading position, not a decision: postgres");
    expect(text).not.toMatch(/^\s*decision/im);
    expect(text).toContain("share of the panel behind the leading answer");
  });

  test("Without a decision it shows what was gathered, and why it stopped.", () => {
    const failed = ending("failed", "store_failed", { code: "store-failed", message: "The disk is full." });
    const text = flat(show(fold(eventsOf([...opened(), failed]))));
    expect(text).toContain("The store could not be written (store-failed: The disk is full.).");
    expect(text).toContain("a (architect): postgres .82 (R1) [E1]");
    expect(text).toContain(words.c);
    expect(text).toContain("d (product): no answer, it timed out");
  });

  test("A run that goes on says so, from its first event.", () => {
    const text = show(fold(eventsOf([runStart()])));
    expect(text).toMatch(/^RUNNING r_7f3a +the run is under way$/m);
    expect(text).toContain("a (architect): no answer yet");
  });

  test("Every stop reason has its words.", () => {
    for (const reason of stopReasons) {
      const text = flat(show(fold(eventsOf([runStart(), ending("cancelled", reason)])), 120));
      expect(text).toContain(stopWords[reason]);
    }
  });

  test.each([24, 40, 60, 80, 100, 120, 300])("At width %i no line is too wide or ends in a space.", (columns) => {
    for (const view of [decidedView(), undecidedView(), fold(tainted(decidedEvents()))]) {
      for (const line of show(view, columns).split("\n")) {
        expect(width(line)).toBeLessThanOrEqual(columns);
        expect(line).toBe(line.trimEnd());
      }
    }
  });

  test("Paint adds emphasis and changes nothing else.", () => {
    const marked = card(decidedView(), { width: 80, paint: (style, text) => `⟦${style}|${text}⟧`, head });
    expect(marked).toContain("⟦yellow|! degraded");
    expect(marked.replace(/⟦\w+\|([^⟧]*)⟧/g, "$1")).toBe(show(decidedView()));
  });

  test("Hostile words cannot act, and cannot pass for a row.", () => {
    const text = show(fold(tainted(decidedEvents())));
    expect(text).not.toMatch(acting);
    expect(text).toContain("\\x1b]52;c;aGk=");
    expect(text).not.toMatch(/^Votes {7}for 99/m);
    expect(text.split("\n")[0]).toMatch(/^! degraded: seat d/);
  });
});
