import { describe, expect, test } from "vitest";
import { stopReasons } from "../../src/decision.ts";
import { missKinds, UsageError } from "../../src/errors.ts";
import { jsonError, jsonText, jsonView, outcomeWord, turnOutcome } from "../../src/render/json.ts";
import { fold, type TurnView } from "../../src/transcript.ts";
import { attemptFailed, ending, eventsOf, runStart, turnEnd, turnMissed, turnStart } from "./bodies.ts";
import { acting, tainted } from "./hostile.ts";
import { decidedEvents, decidedView, opened } from "./sample.ts";

describe("jsonView", () => {
  test("It is plain JSON and holds what programs ask for.", () => {
    const json = jsonView(decidedView(), { head: "9c1f", place: "here" });
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    expect(json).toMatchObject({
      ok: true,
      run: "r_7f3a",
      status: "decided",
      stopReason: "rounds_done",
      outcome: "unresolved",
      head: "9c1f",
      place: "here",
      events: 36,
    });
    expect(json.degraded[0]).toMatchObject({ seat: "d", kind: "timeout" });
    expect(json.votes?.before.leading).toBe("kafka");
    expect(json.votes?.after.leading).toBe("postgres");
    expect(json.flips).toHaveLength(1);
    expect(json.dissent.map((entry) => entry.seat)).toEqual(["b", "c"]);
    expect(json.decision?.dissent).toEqual(json.dissent);
    expect(json.evidence).toMatchObject({
      cited: ["E1", "E3", "E7"],
      invalid: [{ seat: "b", round: 0, cite: "E99", why: "no such evidence" }],
    });
    expect(json.budget.spent).toMatchObject({ tokens: 10_712, turns: 8, usdUnknown: true });
    expect(json.budget.limits?.attempts).toBe(3);
    expect(json.turns).toHaveLength(8);
    expect(json.turns[0]).toEqual({
      key: "round-0/seat-a/answer",
      seat: "a",
      round: 0,
      act: "answer",
      outcome: "ok",
      kind: null,
      cause: null,
      attempts: 1,
      flags: [],
      latencyMs: 840,
    });
    expect(json.turns[3]).toMatchObject({
      seat: "d",
      outcome: "failed",
      kind: "timeout",
      cause: "no answer within 5 s",
    });
  });

  test("A run without a decision has the same shape.", () => {
    const error = { code: "store-failed", message: "full" };
    const json = jsonView(fold(eventsOf([...opened(), ending("failed", "store_failed", error)])));
    expect(Object.keys(json)).toEqual(Object.keys(jsonView(decidedView())));
    expect(json).toMatchObject({
      ok: false,
      error,
      decision: null,
      votes: null,
      flips: [],
      outcome: "unresolved",
      head: null,
    });
  });

  test("Its text is safe to print and parses to the exact strings.", () => {
    const view = fold(tainted(decidedEvents()));
    const text = jsonText(jsonView(view));
    expect(text).not.toMatch(acting);
    expect(JSON.parse(text)).toEqual(jsonView(view));
  });
});

describe("outcomeWord", () => {
  test("Each stop reason has one of five words, and a run under way has none.", () => {
    const wordOf = (reason: (typeof stopReasons)[number]) =>
      outcomeWord(fold(eventsOf([runStart(), ending("undecided", reason)])));
    expect(new Set(stopReasons.map(wordOf))).toEqual(
      new Set(["converged", "stalled", "unresolved", "budget", "quorum_lost"]),
    );
    expect([wordOf("converged"), wordOf("budget_cost"), wordOf("rounds_done")]).toEqual([
      "converged",
      "budget",
      "unresolved",
    ]);
    expect(outcomeWord(fold(eventsOf([runStart()])))).toBe(null);
  });
});

describe("turnOutcome", () => {
  const outcomeOf = (...bodies: Parameters<typeof eventsOf>[0]) => {
    const view = fold(eventsOf([runStart(), ...bodies]));
    return turnOutcome([...view.turns.values()][0] as TurnView);
  };
  const start = turnStart("a", 0, "answer");

  test("A turn under way runs, also between attempts.", () => {
    expect(outcomeOf(start)).toBe("running");
    expect(outcomeOf(start, attemptFailed("a", 0, "answer", 1))).toBe("running");
    expect(outcomeOf(start, turnEnd("a", 0, "answer", {}))).toBe("ok");
  });

  test("A refusal abstains, a call never made is skipped, a call cut off is in doubt, and the rest failed.", () => {
    const ended = (kind: (typeof missKinds)[number]) =>
      outcomeOf(start, attemptFailed("a", 0, "answer", null), turnMissed("a", 0, "answer", kind, "why"));
    const odd = { refused: "abstained", in_doubt: "in_doubt", budget: "skipped", skipped: "skipped" } as Record<
      string,
      string
    >;
    for (const kind of missKinds) expect([kind, ended(kind)]).toEqual([kind, odd[kind] ?? "failed"]);
    expect(outcomeOf(turnMissed("a", 0, "answer", "cancelled", "why"))).toBe("skipped");
  });
});

describe("jsonError", () => {
  test("Our errors carry their code and next step; others are internal.", () => {
    const error = new UsageError("bad-name", "No.", { hint: "Choose another." });
    expect(jsonError(error)).toEqual({
      ok: false,
      error: { code: "bad-name", message: "No.", hint: "Choose another." },
    });
    expect(jsonError(new Error("x"))).toEqual({ ok: false, error: { code: "internal", message: "x", hint: null } });
    expect(jsonError("y").error.message).toBe("y");
  });
});
