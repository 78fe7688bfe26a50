import { expect, test } from "vitest";
import { SeatError } from "../src/errors.ts";
import { promptOf } from "../src/rebuild.ts";
import { readRun } from "../src/record.ts";
import { inTurn, item, perform, says, score } from "./protocols/stage.ts";

test("Every prompt that was sent can be made again from the record, word for word.", async () => {
  const cites = (...refs: string[]) => [{ text: "see", refs }];
  const long = says("no", { position: "z".repeat(7_000), claims: cites("E2") });
  const staged = await perform({
    parts: {
      ann: inTurn(says("yes", { claims: cites("E1") })),
      bob: (request) => (request.round === 1 && !request.repair ? "not JSON" : long),
      cy: inTurn(new SeatError("refused", "no"), says("maybe \u202e hidden")),
    },
    evidence: [item("E1"), item("E2")],
    scopes: { ann: ["E1"], bob: ["E2"] },
    limits: { peerChars: 3_000 },
    judges: [score(0.4)],
    options: { rounds: 2 },
  });
  const { events } = await readRun(staged.drive.store, staged.outcome.view.run);
  expect(staged.calls.some((call) => call.repair !== null)).toBe(true);
  expect(events.some((event) => event.type === "turn-start" && event.shown.cut.length > 0)).toBe(true);
  for (const call of staged.calls) {
    const { system, user } = call;
    expect(promptOf(events, call.key, call.attempt), call.key).toEqual({ system, user, exact: true });
  }
});

test("A record whose words were changed does not give the prompt that was hashed.", async () => {
  const staged = await perform({
    parts: { ann: inTurn(says("yes")), bob: inTurn(says("no")) },
    options: { rounds: 1 },
  });
  const { events } = await readRun(staged.drive.store, staged.outcome.view.run);
  const end = events.find((event) => event.type === "turn-end" && event.key === "round-0/ann/answer");
  if (end?.type === "turn-end") end.said = { ...(end.said as object), answer: "no" };
  expect(promptOf(events, "round-1/bob/critique")?.exact).toBe(false);
  expect(promptOf(events, "round-1/bob/nothing")).toBeNull();
});
