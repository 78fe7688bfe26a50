import { describe, expect, test } from "vitest";
import { code } from "../../../src/adapters/occupants/code.ts";
import { codeJudge, codeSynthesizer, occupants } from "../../../src/adapters/occupants/index.ts";
import type { Request } from "../../../src/ports.ts";
import { type Revision, Score, Synthesis } from "../../../src/position.ts";
import { call, makeItem, makeRequest, makeSaid } from "./requests.ts";

type Turns = Record<string, Revision>;

const heard = (turns: Turns, round = 0) =>
  Object.entries(turns).map(([label, said]) => ({ label, key: `round-${round}/${label}`, round, said }));
const cites = (...refs: string[]) => refs.map((ref) => ({ text: `Because of ${ref}.`, refs: [ref] }));

async function scored(turns: Turns, rest: Partial<Request> = {}): Promise<Score> {
  const request = { ...makeRequest({}, "score"), heard: heard(turns), ...rest };
  return Score.parse(JSON.parse((await code(codeJudge).reply(request, call())).text));
}

async function written(rounds: Turns[], rest: Partial<Request> = {}): Promise<Synthesis> {
  const all = rounds.flatMap((turns, round) => heard(turns, round));
  const request = { ...makeRequest({}, "synthesis", rounds.length), heard: all, ...rest };
  return Synthesis.parse(JSON.parse((await code(codeSynthesizer).reply(request, call())).text));
}

describe("the judge made of code", () => {
  test("Full agreement scores 1 on every axis.", async () => {
    expect(await scored({ A: makeSaid("red"), B: makeSaid(" Red. ") })).toEqual({
      recommendation: 1,
      facts: 1,
      caveats: 1,
    });
  });

  test("The recommendation is the share of the most held answer.", async () => {
    const turns = { A: makeSaid("red"), B: makeSaid("red"), C: makeSaid("green"), D: makeSaid("blue") };
    expect((await scored(turns)).recommendation).toBe(0.5);
  });

  test("Facts are the mean overlap of cited refs, quotes aside.", async () => {
    const turns = {
      A: makeSaid("red", { claims: cites("E1", "E2#quoted") }),
      B: makeSaid("red", { claims: cites("E2", "E3") }),
      C: makeSaid("red"),
    };
    const evidence = ["E1", "E2", "E3"].map((ref) => makeItem(ref));
    expect((await scored(turns, { evidence })).facts).toBeCloseTo((1 / 3 + 0 + 0) / 3);
  });

  test("Nobody agrees on facts that are not there.", async () => {
    const turns = { A: makeSaid("red", { claims: cites("X9") }), B: makeSaid("blue", { claims: cites("X9") }) };
    expect((await scored(turns)).facts).toBe(0.5);
  });

  test("Caveats that name the same evidence in other words are the same; others must be the same words.", async () => {
    const claims = cites("E1");
    const same = {
      A: makeSaid("red", { claims, caveats: ["[E1] is old."] }),
      B: makeSaid("red", { claims, wouldChange: ["If E1 fell."] }),
    };
    expect((await scored(same)).caveats).toBe(1);
    const words = { A: makeSaid("red", { caveats: ["It rains."] }), B: makeSaid("red", { caveats: ["it rains"] }) };
    expect((await scored(words)).caveats).toBe(1);
    const other = { A: makeSaid("red", { caveats: ["It rains."] }), B: makeSaid("red", { caveats: ["It snows."] }) };
    expect((await scored(other)).caveats).toBe(0);
  });

  test("A word of the language is no ref, even when an item bears its name.", async () => {
    const claims = cites("load");
    const turns = {
      A: makeSaid("red", { claims, caveats: ["The load grows."] }),
      B: makeSaid("red", { claims, caveats: ["Low load."] }),
    };
    expect((await scored(turns)).caveats).toBe(0);
  });

  test("It cannot score silence.", async () => {
    await expect(scored({})).rejects.toMatchObject({ kind: "unsupported" });
    await expect(scored({ A: "nonsense" as never })).rejects.toMatchObject({ kind: "unsupported" });
  });
});

describe("the synthesizer made of code", () => {
  const evidence = [
    makeItem("E1", { strength: 2, supports: "red" }),
    makeItem("E2", { strength: 9, supports: "red" }),
    makeItem("E3", { strength: 5, supports: "green" }),
  ];

  test("The recommendation says who holds it and what was decisive.", async () => {
    const rounds = [
      { C: makeSaid("green"), A: makeSaid("red", { claims: cites("E1") }) },
      {
        C: makeSaid("red", { changedBy: { argument: "E1 won.", from: "A", refs: ["E1"] } }),
        A: makeSaid("red", { claims: cites("E1") }),
      },
    ];
    const said = await written(rounds, { evidence });
    expect(said.answer).toBe("red");
    expect(said.recommendation).toBe("A and C recommend red; decisive: E1. Because of E1.");
  });

  test("Reasons are the supporters' claims by ref, the most brought first, then the strongest, with who brought them.", async () => {
    const rounds = [
      {
        A: makeSaid("red", { claims: cites("E1", "E3"), caveats: ["[E3] says otherwise."] }),
        B: makeSaid("red", { claims: [...cites("E2"), { text: "Common sense.", refs: [] }] }),
        C: makeSaid("green", { claims: cites("E3") }),
        D: makeSaid("red", { claims: cites("E1") }),
      },
    ];
    expect((await written(rounds, { evidence })).reasons).toEqual([
      { text: "Because of E1.", refs: ["E1"], by: ["A", "D"] },
      { text: "Because of E2.", refs: ["E2"], by: ["B"] },
      { text: "Common sense.", refs: [], by: ["B"] },
    ]);
  });

  test("A claim made under an earlier answer is a reason when its evidence supports the answer.", async () => {
    const rounds = [{ A: makeSaid("green", { claims: cites("E2", "E3") }) }, { A: makeSaid("red") }];
    expect((await written(rounds, { evidence })).reasons.map((reason) => reason.refs)).toEqual([["E2"]]);
  });

  test("Evidence that does not exist, or is misquoted, is never passed on.", async () => {
    const rounds = [{ A: makeSaid("red", { claims: [{ text: "x", refs: ["E9", "E1"] }, ...cites("E2#not there")] }) }];
    expect((await written(rounds, { evidence })).reasons).toEqual([{ text: "x", refs: ["E1"], by: ["A"] }]);
  });

  test("Triggers are what would change the supporters, once each, and what was given up.", async () => {
    const rounds = [
      {
        A: makeSaid("red", { claims: cites("E1") }),
        B: makeSaid("green", { position: "green, for [E3].", claims: cites("E3") }),
      },
      {
        A: makeSaid("red", { wouldChange: ["If [E1] fell (margin 2).", "Snow."] }),
        B: makeSaid("red", {
          wouldChange: ["If [E1] fell (margin 3)."],
          changedBy: { argument: "x", from: "A", refs: ["E1"] },
        }),
      },
    ];
    expect((await written(rounds, { evidence })).triggers).toEqual([
      "If [E1] fell (margin 2).",
      "Snow.",
      "B first argued green on [E3]: revisit if [E1], which moved it, no longer holds.",
    ]);
  });

  test("Unresolved are the last disagreements that still stand.", async () => {
    const disagreements = [
      { with: "B", on: "green", reason: "B has come round since." },
      { with: "C", on: "blue", reason: "C has not." },
      { with: "B", on: "the deadline", reason: "It is too early." },
    ];
    const rounds = [
      { A: makeSaid("red"), B: makeSaid("green"), C: makeSaid("blue") },
      { A: makeSaid("red", { disagreements }), B: makeSaid("red"), C: makeSaid("blue") },
    ];
    expect((await written(rounds)).unresolved).toEqual([
      "A against C on blue: C has not.",
      "A against B on the deadline: It is too early.",
    ]);
  });

  test("A tie recommends nothing and tells both sides.", async () => {
    const rounds = [{ A: makeSaid("red", { claims: cites("E1") }), B: makeSaid("green", { claims: cites("E3") }) }];
    const said = await written(rounds, { evidence });
    expect(said.recommendation).toBe("The panel is split and nothing is recommended: A holds red; B holds green.");
    expect(said.reasons.map((reason) => reason.text)).toEqual(["For green: Because of E3.", "For red: Because of E1."]);
  });

  test("The order in which turns are heard changes nothing.", async () => {
    const rounds = [
      { A: makeSaid("red", { claims: cites("E1") }), B: makeSaid("green", { claims: cites("E3") }) },
      { A: makeSaid("red", { claims: cites("E2") }), B: makeSaid("red", { claims: cites("E1") }) },
    ];
    const all = rounds.flatMap((turns, round) => heard(turns, round));
    expect(await written([], { heard: all.toReversed(), evidence, round: 2 })).toEqual(
      await written(rounds, { evidence }),
    );
  });
});

test("Every kind is in the table, and each is made only when asked for.", async () => {
  expect(Object.keys(occupants)).toEqual(["evidence", "rules", "script", "command", "person", "code"]);
  expect(await occupants.code?.(codeJudge)).toMatchObject({ pure: true, acts: false });
  expect(
    await occupants.evidence?.({ name: "evidence:x", kind: "evidence", lineage: "evidence", settings: {} }),
  ).toMatchObject({ pure: true });
  expect(() => code({ ...codeJudge, settings: { part: "clerk" } })).toThrow(/judge and synthesizer/u);
});
