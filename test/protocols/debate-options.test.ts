import { describe, expect, test } from "vitest";
import { resume } from "../../src/run.ts";
import { inTurn, item, perform, recorded, says, score, written } from "./stage.ts";

const three = { ann: inTurn(says("yes")), bob: inTurn(says("no"), says("yes")), cy: inTurn(says("yes")) };

describe("the options", () => {
  test("A unanimous verdict ends the debate when that is what is asked for, and no judge is called.", async () => {
    const word = (verdict: string) => says("yes", { verdict });
    const { outcome, calls } = await perform({
      parts: { ann: inTurn(word("go")), bob: inTurn(word("stop"), word("Go")) },
      options: { convergence: "verdict" },
    });
    expect(outcome.view.stopReason).toBe("converged");
    expect(outcome.view.rounds).toHaveLength(2);
    expect(calls.some((call) => call.act === "score")).toBe(false);
  });

  test("`both` wants the judge and the verdict.", async () => {
    const word = (verdict: string) => says("yes", { verdict });
    const { outcome } = await perform({
      parts: { ann: inTurn(word("go")), bob: inTurn(word("no"), word("no"), word("go")) },
      judges: [score(1)],
      options: { convergence: "both" },
    });
    expect(outcome.view.rounds).toHaveLength(3);
  });

  test("`differing` shows a seat only the peers that hold another answer.", async () => {
    const { calls } = await perform({
      parts: { ann: inTurn(says("yes")), bob: inTurn(says("no")), cy: inTurn(says("Yes.")) },
      options: { visibility: "differing", rounds: 1 },
    });
    const heard = (seat: string) =>
      calls.find((call) => call.key === `round-1/${seat}/critique`)?.heard.map((turn) => turn.key);
    expect(heard("ann")).toEqual(["round-0/bob/answer"]);
    expect(heard("bob")?.sort()).toEqual(["round-0/ann/answer", "round-0/cy/answer"]);
  });

  test("`neighbours` shows a seat the two that sit beside it.", async () => {
    const parts = Object.fromEntries(
      ["a1", "a2", "a3", "a4", "a5"].map((id, index) => [id, inTurn(says(`answer ${index}`))]),
    );
    const { calls } = await perform({ parts, options: { visibility: "neighbours", rounds: 1 } });
    const heard = calls.find((call) => call.key === "round-1/a1/critique")?.heard.map((turn) => turn.key);
    expect(heard?.sort()).toEqual(["round-0/a2/answer", "round-0/a5/answer"]);
  });

  test("An answer that is not one of the options is sent back once, and then missed.", async () => {
    const question = { text: "Which?", options: ["red", "blue"], context: [] };
    const mended = (request: { repair: unknown }) => (request.repair ? says("Red") : says("purple"));
    const staged = await perform({
      question,
      parts: { ann: mended, bob: inTurn(says("red")), cy: inTurn(says("green")) },
      judges: [score(1)],
      synthesizers: [written("red")],
    });
    expect(staged.outcome.view.ballots.map((ballot) => [ballot.seat, ballot.answer])).toEqual([
      ["ann", "red"],
      ["bob", "red"],
    ]);
    expect(staged.outcome.view.degraded).toMatchObject([{ seat: "cy", kind: "malformed" }]);
    expect(await recorded(staged, "attempt-failed")).toHaveLength(3);
  });

  test("A synthesizer that cites evidence nobody brought is passed over.", async () => {
    const { outcome } = await perform({
      parts: three,
      judges: [score(1)],
      evidence: [item("E1")],
      synthesizers: [written("yes", ["E404"]), written("yes", ["E1"])],
    });
    expect(outcome.view.decision?.synthesizer).toBe("test:writer1");
    expect(outcome.view.decision?.notes.join(" ")).toMatch(/E404/);
    const none = await perform({ parts: three, judges: [score(1)], synthesizers: [written("yes", ["E404"])] });
    expect(none.outcome.view).toMatchObject({ status: "undecided", stopReason: "judge_failed" });
    expect(none.outcome.view.decision?.dissent).toHaveLength(3);
  });
});

describe("what is refused before anyone is asked", () => {
  test("A quorum above the number of seats, and limits that are none, are refused with the next step.", async () => {
    const parts = { ann: inTurn(says("yes")), bob: inTurn(says("yes")) };
    await expect(perform({ parts, limits: { quorum: 5 } })).rejects.toMatchObject({
      code: "bad-usage",
      hint: expect.any(String),
    });
    await expect(perform({ parts, limits: { maxTokens: -1 } })).rejects.toMatchObject({ code: "bad-usage" });
    const { drive, outcome } = await perform({ parts, limits: { maxTurns: 0, onBudget: "resume" } });
    expect(outcome.rest).toBe("waiting");
    await expect(resume(outcome.view.run, drive, { limits: { attempts: 99 } })).rejects.toMatchObject({
      code: "bad-usage",
    });
    expect((await resume(outcome.view.run, drive, { limits: { maxTurns: 50, peerChars: 300 } })).view.status).toBe(
      "decided",
    );
  });
});
