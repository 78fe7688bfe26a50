import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Event } from "../../src/events.ts";
import { card } from "../../src/render/card.ts";
import { jsonText, jsonView } from "../../src/render/json.ts";
import { eventLine } from "../../src/render/lines.ts";
import { markdown } from "../../src/render/markdown.ts";
import { plainPaint as paint } from "../../src/render/paint.ts";
import { statusBlock } from "../../src/render/status-block.ts";
import { turnSummary } from "../../src/render/turn-summary.ts";
import { width } from "../../src/render/wrap.ts";
import { advance, emptyView, fold, type View } from "../../src/transcript.ts";
import { attemptFailed, begin, cap, ending, eventsOf, runStart, turnStart } from "./bodies.ts";
import { acting, tainted } from "./hostile.ts";
import { decidedEvents, opened } from "./sample.ts";

/** What `tell` says of each event, with the view as it was right after it. */
function told(events: readonly Event[], tell: (event: Event, view: View) => string | null): string[] {
  const view = emptyView();
  return events.flatMap((event) => {
    advance(view, event);
    return tell(event, view) ?? [];
  });
}

describe("eventLine", () => {
  test("Progress reads as lines of pairs, in order, with the time in UTC.", () => {
    const lines = told(decidedEvents(), eventLine);
    expect(lines).toContain("14:02:11 r_7f3a protocol=debate seats=4 seed=7f3a");
    expect(lines).toContain('14:02:15 r_7f3a round=0 name="first answers"');
    expect(lines).toContain("14:02:20 r_7f3a round=0 seat=a act=answer answer=postgres confidence=0.71 took=840ms");
    expect(lines).toContain('14:02:24 r_7f3a round=0 seat=d act=answer missed=timeout cause="no answer within 5 s"');
    expect(lines).toContain("14:02:42 r_7f3a round=1 agreement=0.5 convergence=0.72 judge=rules:judge unanimous=false");
    expect(lines.at(-2)).toBe("14:02:45 r_7f3a outcome=decided answer=postgres agreement=0.5 flips=1 dissent=2");
    expect(lines.at(-1)).toBe(
      "14:02:46 r_7f3a status=decided stop=rounds_done degraded=2 calls=8 tokens=10712 time=35s",
    );
  });

  test("A failed attempt tells how long it waits; a limit and a doubt tell their figures.", () => {
    const failed = told(
      eventsOf([runStart(), turnStart("a", 0, "answer"), attemptFailed("a", 0, "answer", begin + 10_000)]),
      eventLine,
    );
    expect(failed.at(-1)).toBe(
      '14:02:13 r_7f3a round=0 seat=a attempt=1 failed=timeout wait=8.0s cause="no answer within 5 s"',
    );
    const end = {
      type: "round-end" as const,
      round: 0,
      answered: ["a"],
      missing: ["b", "c"],
      stop: "quorum_lost" as const,
    };
    expect(told(eventsOf([runStart(), end]), eventLine).at(-1)).toBe(
      "14:02:12 r_7f3a round=0 answered=1 missing=b,c stop=quorum_lost",
    );
    const limit = {
      type: "limit-reached",
      key: null,
      budget: "budget_tokens",
      limit: 100,
      used: 90,
      asked: 20,
      action: "harvest",
    } as const;
    expect(told(eventsOf([runStart(), limit]), eventLine).at(-1)).toBe(
      "14:02:12 r_7f3a reached=budget_tokens limit=100 used=90 asked=20 action=harvest",
    );
    const doubt = {
      type: "doubt-found",
      key: "round-0/seat-a/answer",
      attempt: 1,
      seat: "a",
      charged: cap,
      policy: "ask",
    } as const;
    const doubted = told(eventsOf([runStart(), turnStart("a", 0, "answer"), doubt]), eventLine);
    expect(doubted.at(-1)).toBe(
      "14:02:13 r_7f3a round=0 seat=a doubt=round-0/seat-a/answer attempt=1 cap=4096 policy=ask",
    );
  });

  test("Hostile words stay inside one quoted value of one line.", () => {
    for (const line of told(tainted(decidedEvents()), eventLine)) {
      expect(line).not.toMatch(acting);
      expect(line).not.toContain("\n");
      // Outside of quotes there is the time, the run and pairs, and nothing else.
      expect(line.replace(/"(?:\\.|[^"\\])*"/g, "Q")).toMatch(/^\d\d:\d\d:\d\d \S+(?: [a-z]+=[\w.:,-]+)+$/);
    }
  });
});

describe("turnSummary", () => {
  const lines = (events: readonly Event[], columns: number) =>
    told(events, (event, view) => turnSummary(event, view, { width: columns, paint }));

  test("Each finished turn is told once: what it said, what it held before, or why it was missed.", () => {
    const text = lines(decidedEvents(), 100);
    expect(text).toHaveLength(8);
    expect(text[0]).toBe(
      "✓ R0 a (architect): postgres .71 [E1]\n    Use the Postgres outbox: p99 is met without a broker, and the order and its event commit togeth…",
    );
    expect(text[3]).toBe("! R0 d (product) timed out (timeout: no answer within 5 s)");
    expect(text[4]).toMatch(/^✓ R1 a \(architect\): postgres \.82 \(was \.71\) \[E1, E2\]\n/);
    expect(text[5]).toMatch(/^✓ R1 b \(operator\): postgres \.74 \(changed, was kafka\) \[E3\]\n/);
  });

  test("It is within the width and safe.", () => {
    for (const columns of [10, 40, 80]) {
      const text = lines(tainted(decidedEvents()), columns).join("\n");
      expect(text).not.toMatch(acting);
      for (const line of text.split("\n")) expect(width(line)).toBeLessThanOrEqual(columns);
    }
  });
});

describe("statusBlock", () => {
  const events = eventsOf(opened());
  const block = (view: View, columns: number, rows: number, now = view.updatedAt) =>
    statusBlock(view, { width: columns, rows, now, paint });

  test("It shows the round, the agreement, the cost, the time, and each seat.", () => {
    expect(block(fold(events), 110, 24)).toEqual([
      "Round 1/4 critique   agreement .50 → .50   10,712 tokens   31 s              ^C stop after this call, ^C^C now",
      " a architect  ✓ postgres .82 (was .71)                   c security   ✓ kafka .61 (was .66)",
      " b operator   ✓ postgres .74 (was kafka)                 d product    ! timeout: no answer within 5 s",
      "",
    ]);
  });

  test("A call under way shows how long, and a failed one when it is tried again.", () => {
    const bodies = [
      runStart(),
      turnStart("a", 0, "answer"),
      turnStart("b", 0, "answer"),
      attemptFailed("b", 0, "answer", begin + 12_000, "429"),
    ];
    const lines = block(fold(eventsOf(bodies)), 80, 24, begin + 4_000);
    expect(lines[1]).toMatch(/ a architect .* {2}… answer 3\.0 s$/);
    expect(lines[2]).toMatch(/ b operator .* {2}! 429, retry 2\/3 in 8\.0 s$/);
    expect(lines[3]).toMatch(/ c security .* {2}· waits$/);
    expect(lines.at(-1)).toBe(" waits for a, b");
  });

  test("A judge at work is named beneath the seats.", () => {
    const lines = block(fold(eventsOf([...opened(), turnStart("judge", 1, "score")])), 80, 24);
    expect(lines.at(-1)).toBe(" judge … score 0 ms");
  });

  test("Its height is the same from the first event to the last, and never more than there are rows.", () => {
    for (const columns of [20, 60, 80, 100, 140]) {
      for (const rows of [1, 3, 6, 24]) {
        const heights = new Set<number>();
        told(tainted(events), (_event, view) => {
          const lines = block(view, columns, rows);
          heights.add(lines.length);
          for (const line of lines) {
            expect(width(line)).toBeLessThanOrEqual(columns);
            expect(line).not.toMatch(/\n/);
            expect(line).not.toMatch(acting);
          }
          return null;
        });
        expect(heights.size).toBe(1);
        expect([...heights][0]).toBeLessThanOrEqual(rows);
      }
    }
    expect(block(fold(events), 80, 0)).toEqual([]);
  });
});

test("Whatever the seats say, no renderer lets through a character that acts.", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.constantFrom("\x1b", "\u202e", "\u009d", "\r", "\u200b"),
      (text, spice) => {
        const tale = tainted(decidedEvents(), `${text}${spice}${text}`);
        const view = fold(tale);
        const outputs = [
          card(view, { width: 80, paint, head: text }),
          markdown(view, { head: text }),
          jsonText(jsonView(view, { head: text })),
          ...told(tale, eventLine),
          ...statusBlock(view, { width: 100, rows: 24, now: 0, paint }),
        ];
        for (const output of outputs) expect(output).not.toMatch(acting);
      },
    ),
    { numRuns: 60 },
  );
});

test("A cancelled run is told to its end.", () => {
  const lines = told(
    eventsOf([runStart(), ending("cancelled", "cancelled_by_user", { code: "x", message: "y z" })]),
    eventLine,
  );
  expect(lines.at(-1)).toContain('status=cancelled stop=cancelled_by_user calls=0 tokens=0 time=1.0s error="x: y z"');
});
