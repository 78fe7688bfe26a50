import { expect, test } from "vitest";
import { rules } from "../../../src/adapters/occupants/rules.ts";
import type { Request } from "../../../src/ports.ts";
import { Opening, Revision } from "../../../src/position.ts";
import { call, makeItem, makeRequest, makeSaid, makeSeat } from "./requests.ts";

const policy = {
  rules: [
    { when: { has: ["audit"], lacks: ["flaw"] }, answer: "green", because: "An audit without a flaw is a pass." },
    {
      when: { supports: { option: "blue", atLeast: 5 } },
      answer: "blue",
      because: "Enough speaks for blue.",
      confidence: 0.7,
    },
  ],
  otherwise: { answer: "red", because: "Nothing has been shown." },
};

const specWith = (settings: object) => ({
  name: "rules:r.yml",
  kind: "rules",
  lineage: "rules",
  settings: settings as never,
});

async function said(refs: readonly ReturnType<typeof makeItem>[], rest: Partial<Request> = {}): Promise<Revision> {
  const request = { ...makeRequest({}, "critique", 1), evidence: refs, seat: makeSeat("one", ["flaw"]), ...rest };
  return Revision.parse(JSON.parse((await rules(specWith(policy)).reply(request, call())).text));
}

test("The first rule that holds gives the answer and cites what it required.", async () => {
  const vote = await said([makeItem("audit"), makeItem("E1", { supports: "blue", strength: 9 })]);
  expect(vote).toMatchObject({ answer: "green", verdict: "green", confidence: 0.9 });
  expect(vote.claims).toEqual([{ text: "An audit without a flaw is a pass.", refs: ["audit"] }]);
  expect(vote.wouldChange).toEqual(["The rule falls if [audit] does."]);
});

test("A ref that must be missing keeps its rule from holding.", async () => {
  const vote = await said([makeItem("audit"), makeItem("flaw")]);
  expect(vote.answer).toBe("red");
  expect(vote.caveats).toEqual(["No rule applies to the evidence shown so far."]);
  expect(vote.wouldChange).toEqual(["green, if [flaw] fell.", "blue, if the evidence for blue weighed 5."]);
});

test("Support counts strengths for an option less those against it.", async () => {
  const strong = [makeItem("E1", { supports: "blue", strength: 4 }), makeItem("E2", { supports: "Blue", strength: 3 })];
  const vote = await said([...strong, makeItem("E3", { against: "blue", strength: 2 })]);
  expect(vote).toMatchObject({ answer: "blue", confidence: 0.7 });
  expect(vote.claims[0]?.refs).toEqual(["E1", "E2"]);
  expect((await said([...strong, makeItem("E3", { against: "blue", strength: 3 })])).answer).toBe("red");
});

test("A changed vote names the rule, the evidence and the peer who brought it.", async () => {
  const peer = {
    label: "B",
    key: "k",
    round: 0,
    said: makeSaid("green", { claims: [{ text: "x", refs: ["audit"] }] }),
  };
  const vote = await said([makeItem("audit")], { own: makeSaid("red"), heard: [peer] });
  expect(vote.changedBy).toEqual({ argument: "An audit without a flaw is a pass.", from: "B", refs: ["audit"] });
  expect(vote.agreements).toEqual([{ with: "B", on: "green" }]);
  expect((await said([makeItem("audit")], { own: makeSaid("green"), heard: [peer] })).changedBy).toBeNull();
});

test("It answers a blind round too, and nothing but positions.", async () => {
  const occupant = rules(specWith(policy));
  const reply = await occupant.reply(makeRequest(), call());
  expect(Opening.parse(JSON.parse(reply.text)).answer).toBe("red");
  await expect(occupant.reply(makeRequest({}, "score"), call())).rejects.toMatchObject({ kind: "unsupported" });
});

test("A rule without a condition is refused, with the place for it.", () => {
  const empty = { rules: [{ when: {}, answer: "red", because: "x" }], otherwise: policy.otherwise };
  expect(() => rules(specWith(empty))).toThrow(/a rule needs a condition.*otherwise/su);
});
