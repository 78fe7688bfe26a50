/** What the built-in cases promise, proved from their dossiers and the occupants alone. */
import { expect, test } from "vitest";
import { evidence } from "../../../src/adapters/occupants/evidence.ts";
import { loadCase, rehearse } from "./rehearsal.ts";
import { call, makeRequest, makeSeat } from "./requests.ts";

const names = ["sqlite-or-postgres", "outage", "launch-or-wait"];

test.each(names)("%s: every answer an item names is an option, and the best one is too", (name) => {
  const { file, question, items } = loadCase(name);
  const named = [...items.values()].flatMap((item) => [item.supports, item.against]).filter((one) => one !== null);
  expect(question.options).toEqual(expect.arrayContaining([...new Set(named)]));
  expect([...question.options, "none"]).toContain(file.best);
  expect(file.protocol).toBe("debate");
});

test.each(names)("%s: the same panel says the same twice", async (name) => {
  expect(JSON.stringify(await rehearse(loadCase(name)))).toBe(JSON.stringify(await rehearse(loadCase(name))));
});

test("outage: alone every seat is wrong, and so is a plain vote", async () => {
  const loaded = loadCase("outage");
  const [first] = (await rehearse(loaded)).rounds;
  expect(first?.answers).toEqual({
    logs: "database-overload",
    metrics: "database-overload",
    deployments: "bad-deploy",
    network: "network-fault",
  });
  expect(Object.values(first?.answers ?? {})).not.toContain(loaded.file.best);
});

test("outage: every piece of the answer is held by one seat only, and no seat holds it all", () => {
  const { seats, items, file } = loadCase("outage");
  const pieces = [...items.values()].filter((item) => item.supports === file.best).map((item) => item.ref);
  expect(pieces.map((ref) => seats.filter((seat) => seat.scope.includes(ref)).length)).toEqual(pieces.map(() => 1));
  expect(seats.filter((seat) => pieces.some((ref) => seat.scope.includes(ref)))).toHaveLength(4);
});

test("outage: one seat that sees everything and weighs it evenly finds the cause", async () => {
  const { items, question, file } = loadCase("outage");
  const alone = evidence({ name: "evidence:all", kind: "evidence", lineage: "evidence", settings: {} });
  const request = { ...makeRequest({ items, question }), seat: makeSeat("all", [...items.keys()]) };
  expect(JSON.parse((await alone.reply(request, call())).text).answer).toBe(file.best);
});

test("outage: two seats are moved in round 1, a third in round 2, each by evidence it had not seen", async () => {
  const loaded = loadCase("outage");
  const { rounds, stop } = await rehearse(loaded);
  expect(rounds.map((round) => round.answers)).toMatchObject([
    {},
    { logs: "clock-skew", metrics: "database-overload", deployments: "clock-skew", network: "network-fault" },
    { logs: "clock-skew", metrics: "clock-skew", deployments: "clock-skew", network: "network-fault" },
  ]);
  expect(rounds[1]?.said.logs?.changedBy).toMatchObject({ from: "metrics", refs: ["M2"] });
  expect(rounds[1]?.said.deployments?.changedBy).toMatchObject({ from: "metrics", refs: ["M2"] });
  expect(rounds[2]?.said.metrics?.changedBy).toMatchObject({ from: "network", refs: ["N4", "D3"] });
  expect(rounds[2]?.convergence).toBeGreaterThanOrEqual(0.85);
  expect(rounds.slice(0, 2).every((round) => round.convergence < 0.85)).toBe(true);
  expect(stop).toBe("converged");
});

test("outage: the seat that stays alone says which weights keep it there", async () => {
  const { rounds, synthesis } = await rehearse(loadCase("outage"));
  expect(rounds.at(-1)?.said.network?.position).toContain("I count packets double and logs half.");
  expect(synthesis.answer).toBe("clock-skew");
  expect(synthesis.recommendation).toMatch(/^deployments, logs and metrics recommend clock-skew; decisive: /u);
  expect(synthesis.reasons.map((reason) => reason.refs[0])).toEqual(expect.arrayContaining(["D3", "M2", "L2"]));
  expect(synthesis.unresolved.join("\n")).toContain("network against deployments and logs on clock-skew");
});

test("sqlite-or-postgres: converges on a conditional answer, with what was given up kept as a trigger", async () => {
  const loaded = loadCase("sqlite-or-postgres");
  const { rounds, stop, synthesis } = await rehearse(loaded);
  expect(new Set(Object.values(rounds[0]?.answers ?? {})).size).toBe(3);
  expect(Object.values(rounds.at(-1)?.answers ?? {})).toEqual(Array(3).fill(loaded.file.best));
  expect(rounds.length).toBeGreaterThanOrEqual(3);
  expect(stop).toBe("converged");
  const triggers = synthesis.triggers.join("\n");
  expect(triggers).toContain("kept up with 50");
  expect(triggers).toContain("a second service");
  expect(triggers).toContain("developer first argued migrate-now on [D1] and [D2]: revisit if");
});

test("launch-or-wait: all evidence shared, two against two, and nobody moves again", async () => {
  const { rounds, stop, synthesis } = await rehearse(loadCase("launch-or-wait"));
  const split = { product: "launch-now", sales: "launch-now", security: "wait-a-quarter", support: "wait-a-quarter" };
  expect(rounds[0]?.answers).toMatchObject({ support: "launch-now" });
  expect(rounds.slice(1).map((round) => round.answers)).toEqual([split, split, split]);
  expect(rounds.every((round) => round.convergence < 0.85)).toBe(true);
  expect(stop).toBe("stalled");
  expect(synthesis.recommendation).toBe(
    "The panel is split and nothing is recommended: product and sales hold launch-now; security and support hold wait-a-quarter.",
  );
});

test("launch-or-wait: after round 0 every seat sees every item", async () => {
  const loaded = loadCase("launch-or-wait");
  await rehearse(loaded, 1);
  for (const seat of loaded.seats) expect(seat.visible.size).toBe(loaded.items.size);
});
