import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/adapters/stores/memory.ts";
import { SeatError } from "../../src/errors.ts";
import { readRun } from "../../src/record.ts";
import { card } from "../../src/render/card.ts";
import { plainPaint } from "../../src/render/paint.ts";
import { resume } from "../../src/run.ts";
import { inTurn, item, perform, says, score, stage, written } from "./stage.ts";

const three = { ann: inTurn(says("yes")), bob: inTurn(says("no"), says("yes")), cy: inTurn(says("yes")) };

describe("what the essay promises", () => {
  test("Nobody hears anyone in the first round.", async () => {
    const { calls } = await perform({
      parts: { ann: inTurn(says("ANN-SPOKE")), bob: inTurn(says("BOB-SPOKE")), cy: inTurn(says("CY-SPOKE")) },
    });
    const first = calls.filter((call) => call.act === "answer");
    expect(first).toHaveLength(3);
    for (const call of first) {
      expect(call.heard).toEqual([]);
      expect(call.system + call.user).not.toMatch(/-SPOKE/);
    }
  });

  test("Nobody is shown words of the round in which they answer.", async () => {
    const spoken = (name: string) => (request: { round: number }) => says(`${name}-in-${request.round}`);
    const { calls } = await perform({
      parts: { ann: spoken("ann"), bob: spoken("bob"), cy: spoken("cy") },
      options: { rounds: 3, carryForward: true },
    });
    const critiques = calls.filter((call) => call.act === "critique");
    expect(critiques).toHaveLength(9);
    for (const call of critiques) {
      const rounds = [...call.user.matchAll(/-in-(\d)/g)].map((match) => Number(match[1]));
      expect(Math.max(...rounds)).toBe(call.round - 1);
    }
  });

  test("Nobody is shown a name.", async () => {
    const { calls, outcome } = await perform({
      parts: { zebra: inTurn(says("yes")), yeti: inTurn(says("no")), xerus: inTurn(says("so")) },
    });
    const critiques = calls.filter((call) => call.act === "critique");
    expect(critiques.length).toBeGreaterThan(0);
    for (const call of critiques) {
      expect(call.user).not.toMatch(/zebra|yeti|xerus/);
      expect(call.heard.map((heard) => heard.label).sort()).toEqual(
        Object.keys(outcome.view.start?.labels ?? {}).filter(
          (label) => outcome.view.start?.labels[label] !== call.seat.id,
        ),
      );
    }
    const named = await perform({
      parts: { zebra: inTurn(says("yes")), yeti: inTurn(says("no")) },
      options: { anonymous: false },
    });
    expect(named.calls.find((call) => call.key === "round-1/yeti/critique")?.user).toMatch(/zebra/);
  });

  test("Every dissent is kept word for word, and so is every first position that was given up.", async () => {
    const stubborn = says("no", { position: "No, and these are my exact words: «never»." });
    const { outcome } = await perform({
      parts: {
        ann: inTurn(says("yes")),
        bob: inTurn(stubborn),
        cy: inTurn(
          says("maybe", { position: "Maybe, said cy first." }),
          says("yes", { changedBy: { argument: "ann's", from: "A", refs: [] } }),
        ),
        di: inTurn(says("yes")),
      },
      options: { rounds: 1 },
    });
    expect(outcome.view.decision?.answer).toBe("yes");
    expect(outcome.view.decision?.dissent).toMatchObject([
      { seat: "bob", kind: "final", words: stubborn.position, answer: "no" },
      { seat: "cy", kind: "given-up", words: "Maybe, said cy first.", answer: "maybe", reason: "ann's" },
    ]);
  });

  test("A changed answer is on record with what changed it, and whether that was new evidence.", async () => {
    const cited = says("yes", { claims: [{ text: "it says so", refs: ["E1"] }] });
    const changed = (refs: string[]) =>
      says("yes", { claims: [{ text: "it says so", refs }], changedBy: { argument: "the text", from: "A", refs } });
    const { outcome } = await perform({
      parts: {
        ann: inTurn(cited),
        bob: inTurn(says("no"), changed(["E1"])),
        cy: inTurn(says("no"), changed(["E2"])),
        di: inTurn(cited),
        ed: inTurn(says("no"), says("yes")),
      },
      evidence: [item("E1"), item("E2")],
      scopes: { ann: ["E1"], di: ["E1"], cy: ["E2"] },
      options: { rounds: 1 },
    });
    const flips = new Map(outcome.view.decision?.flips.map((flip) => [flip.seat, flip]));
    expect(flips.get("bob")).toMatchObject({
      from: "no",
      to: "yes",
      towards: "evidence",
      refs: ["E1"],
      argument: "the text",
    });
    expect(flips.get("cy")?.towards).toBe("argument");
    expect(flips.get("ed")?.towards).toBe("unexplained");
  });

  test("A citation that does not hold stays on record and does not count.", async () => {
    const cites = (...refs: string[]) => inTurn(says("yes", { claims: [{ text: "so", refs }] }));
    const { outcome } = await perform({
      parts: { ann: cites("E1", "E9", "E2", "E1#not in it", "E1#The text"), bob: cites("E2") },
      evidence: [item("E1"), item("E2")],
      scopes: { ann: ["E1"], bob: ["E2"] },
      judges: [score(1)],
    });
    const ballot = outcome.view.ballots.find((ballot) => ballot.seat === "ann");
    expect(ballot?.refs).toEqual(["E1"]);
    expect(ballot?.badRefs).toEqual([
      { cite: "E9", why: "no such evidence" },
      { cite: "E2", why: "not visible to the citer" },
      { cite: "E1#not in it", why: "the quote is not in the text" },
    ]);
  });

  test("A seat that fails is named first and stays in the denominator.", async () => {
    const { outcome } = await perform({
      parts: { ...three, di: () => new SeatError("auth", "401 from the provider") },
      judges: [score(0.9)],
    });
    expect(outcome.view.degraded[0]).toMatchObject({ seat: "di", round: 0, kind: "auth" });
    expect(outcome.view.decision?.votes.before.share).toBe(0.5);
    expect(card(outcome.view, { width: 100, paint: plainPaint }).split("\n")[0]).toMatch(/degraded.*di.*401/);
  });

  test("A judge that fails is replaced by the next of its chain, and then by the share of equal answers.", async () => {
    const failing = () => new SeatError("model_not_found", "no such model");
    const second = await perform({ parts: three, judges: [failing, score(0.9)] });
    expect(second.outcome.view.scores[0]).toMatchObject({ judge: "test:judge1", convergence: 0.9 });
    expect(second.outcome.view.scores[0]?.causes[0]).toMatch(/no such model/);
    const none = await perform({ parts: three, judges: [failing, failing] });
    expect(none.outcome.view.scores.map(({ judge, convergence }) => [judge, convergence])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(none.outcome.view).toMatchObject({ status: "decided", stopReason: "converged" });
    expect(none.outcome.view.decision?.notes.join(" ")).toMatch(/no such model.*stood in/);
  });

  test("No decision is made without a quorum.", async () => {
    const failing = () => new SeatError("refused", "I would rather not");
    const { outcome, calls } = await perform({ parts: { ann: inTurn(says("yes")), bob: failing, cy: failing } });
    expect(outcome.view).toMatchObject({ status: "undecided", stopReason: "quorum_lost" });
    expect(outcome.view.decision).toMatchObject({
      answer: null,
      recommendation: null,
      dissent: [{ seat: "ann", answer: "yes" }],
    });
    expect(calls.some((call) => call.act === "score" || call.act === "synthesis")).toBe(false);
  });

  test("A debate in which nobody moves for two revisions ends as stalled.", async () => {
    const { outcome } = await perform({
      parts: { ann: inTurn(says("yes")), bob: inTurn(says("no")), cy: inTurn(says("yes")), di: inTurn(says("no")) },
    });
    expect(outcome.view).toMatchObject({ status: "undecided", stopReason: "stalled" });
    expect(outcome.view.rounds).toHaveLength(3);
    expect(outcome.view.decision?.dissent.map((dissent) => dissent.seat)).toEqual(["ann", "bob", "cy", "di"]);
  });

  test("A budget that is reached ends the debate with what was gathered.", async () => {
    const { outcome, calls } = await perform({ parts: three, limits: { maxTurns: 5 }, synthesizers: [written("yes")] });
    expect(outcome.view).toMatchObject({ status: "decided", stopReason: "budget_turns" });
    expect(calls).toHaveLength(5);
    expect(outcome.view.ballots).toHaveLength(3);
    expect(outcome.view.decision?.synthesizer).toBe("test:writer0");
    const none = await perform({ parts: three, limits: { maxTokens: 99 } });
    expect(none.calls).toHaveLength(0);
    expect(none.outcome.view).toMatchObject({ status: "undecided", stopReason: "budget_tokens" });
  });

  test("A run cut after any event goes on to the same decision, and nobody is asked again for an answer on record.", async () => {
    const play = {
      parts: { ...three, di: inTurn(new SeatError("refused", "no comment")) },
      judges: [score(0.5, 0.9)],
      evidence: [item("E1")],
      scopes: { ann: ["E1"] },
    };
    const whole = await perform(play);
    const { lines } = await readRun(whole.drive.store, whole.outcome.view.run);
    expect(lines.length).toBeGreaterThan(30);
    for (let cut = 1; cut < lines.length; cut++) {
      const { drive, calls } = stage({ ...play, drive: { store: memoryStore() } });
      const kept = lines.slice(0, cut);
      const lease = await drive.store.create(
        { id: whole.outcome.view.run, protocol: "debate", question: "Shall we?", at: 0 },
        drive.world.owner,
        kept,
      );
      await drive.store.release(lease);
      const { view, rest } = await resume(lease.run, drive);
      expect(rest).toBe("ended");
      expect(view.decision).toEqual(whole.outcome.view.decision);
      const settled = kept
        .map((line) => JSON.parse(line.text))
        .filter((event) => event.type === "turn-end" || event.type === "turn-missed");
      const again = calls.filter((call) => settled.some((event) => event.key === call.key));
      expect(again, `cut after event ${cut}`).toEqual([]);
    }
  });
});
