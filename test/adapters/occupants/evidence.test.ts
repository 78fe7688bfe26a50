import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EvidenceSettings, evidence } from "../../../src/adapters/occupants/evidence.ts";
import { SeatError } from "../../../src/errors.ts";
import type { EvidenceItem } from "../../../src/evidence.ts";
import type { Request } from "../../../src/ports.ts";
import { Opening, Revision } from "../../../src/position.ts";
import { call, makeItem, makeRequest, makeSaid, makeSeat } from "./requests.ts";

const specWith = (settings: object) => ({
  name: "evidence:d.yml",
  kind: "evidence",
  lineage: "evidence",
  settings: settings as never,
});

function asked(
  items: readonly EvidenceItem[],
  scope = items.map((item) => item.ref),
  rest: Partial<Request> = {},
): Request {
  return { ...makeRequest(), evidence: items, seat: makeSeat("one", scope), ...rest };
}

async function opening(request: Request, settings: object = {}): Promise<Opening> {
  return Opening.parse(JSON.parse((await evidence(specWith(settings)).reply(request, call())).text));
}

async function revision(request: Request, settings: object = {}): Promise<Revision> {
  const asking = { ...request, act: "critique", round: Math.max(1, request.round), reply: Revision };
  return Revision.parse(JSON.parse((await evidence(specWith(settings)).reply(asking, call())).text));
}

const heard = (label: string, said: Revision) => ({ label, key: `round-0/${label}/answer`, round: 0, said });

describe("weighing", () => {
  test("Support adds, opposition takes away, and the best score is the answer.", async () => {
    const items = [
      makeItem("E1", { supports: "red", strength: 5 }),
      makeItem("E2", { supports: "green", strength: 4 }),
      makeItem("E3", { against: "red", strength: 2 }),
    ];
    const said = await opening(asked(items));
    expect(said.answer).toBe("green");
    expect(said.position).toContain("the scale stands at 4 against 3 for red");
    expect(said.verdict).toBe("green");
  });

  test("A tie goes to the option named first.", async () => {
    const items = [
      makeItem("E1", { supports: "blue", strength: 3 }),
      makeItem("E2", { supports: "green", strength: 3 }),
    ];
    expect((await opening(asked(items))).answer).toBe("green");
  });

  test("A criterion's weight multiplies the strength, and the seat says so.", async () => {
    const items = [
      makeItem("E1", { supports: "red", strength: 5, criterion: "cost" }),
      makeItem("E2", { supports: "green", strength: 3, criterion: "safety" }),
    ];
    const said = await opening(asked(items), { weights: { safety: 2 } });
    expect(said.answer).toBe("green");
    expect(said.position).toContain("I count safety double.");
  });

  test("A criterion called like a built-in property weighs 1.", async () => {
    const items = [makeItem("E1", { supports: "red", strength: 2, criterion: "constructor" })];
    expect((await opening(asked(items))).position).toContain("stands at 2 against 0");
  });

  test("What came from peers counts by the trust it is given.", async () => {
    const items = [
      makeItem("E1", { supports: "red", strength: 3 }),
      makeItem("E2", { supports: "green", strength: 5 }),
    ];
    expect((await opening(asked(items, ["E1"]))).answer).toBe("green");
    expect((await opening(asked(items, ["E1"]), { trust: 0.5 })).answer).toBe("red");
  });

  test("Without options the answers that items name are the options.", async () => {
    const items = [
      makeItem("E1", { supports: "Pay cash.", strength: 3 }),
      makeItem("E2", { supports: "borrow", strength: 2 }),
    ];
    const said = await opening(asked(items, undefined, { question: { text: "How?", options: [], context: [] } }));
    expect(said.answer).toBe("pay cash");
    expect(said.verdict).toBe("pay-cash");
  });

  test("Confidence grows with the share of the evidence, never reaching 0 or 1.", async () => {
    const lean = await opening(asked([makeItem("E1", { supports: "red", strength: 1 })]));
    const strong = await opening(asked([makeItem("E1", { supports: "red", strength: 10 })]));
    expect(lean.confidence).toBe(0.5);
    expect(strong.confidence).toBe(0.85);
  });

  test("With nothing that bears on an option it gives no answer.", async () => {
    for (const items of [[], [makeItem("E1")], [makeItem("E2", { supports: "purple" })]]) {
      await expect(opening(asked(items))).rejects.toMatchObject({ kind: "refused", retryable: false });
    }
  });
});

describe("citing", () => {
  const items = [1, 2, 3, 4, 5].map((n) =>
    makeItem(`E${n}`, { supports: n === 4 ? "green" : "red", strength: 10 - n }),
  );
  const refs = (said: Opening) => said.claims.flatMap((claim) => claim.refs);

  test("It cites at most as many items as it is told, the strongest first, in their own words.", async () => {
    const said = await opening(asked(items), { cites: 2 });
    expect(said.claims).toEqual([
      { text: "What E1 says.", refs: ["E1"] },
      { text: "What E2 says.", refs: ["E2"] },
    ]);
  });

  test("In later turns what it has not said yet comes first, then the strongest for and against.", async () => {
    const own = makeSaid("red");
    expect(refs(await revision(asked(items, undefined, { own, round: 1 }), { cites: 2 }))).toEqual(["E3", "E4"]);
    expect(refs(await revision(asked(items, undefined, { own, round: 2 }), { cites: 2 }))).toEqual(["E5", "E1"]);
    expect(refs(await revision(asked(items, undefined, { own, round: 3 }), { cites: 2 }))).toEqual(["E1", "E4"]);
  });

  test("What speaks against the answer is a caveat and a claim, so that peers learn of it.", async () => {
    const said = await opening(asked(items), { cites: 4 });
    expect(said.caveats).toEqual(["[E4] speaks for green (6): “What E4 says.”"]);
    expect(refs(said)).toContain("E4");
  });

  test("It says which evidence would tip the balance, by falling or by doubling.", async () => {
    const few = [makeItem("E1", { supports: "red", strength: 5 }), makeItem("E2", { supports: "green", strength: 4 })];
    expect((await opening(asked(few))).wouldChange).toEqual([
      "If [E1] no longer held, green would lead (the margin is 1): “What E1 says.”",
      "If [E2] counted double, green would lead (the margin is 1): “What E2 says.”",
    ]);
    expect((await opening(asked(items))).wouldChange).toEqual([
      "More than the loss of [E1] and [E2], since the margin is 23: “What E1 says.” “What E2 says.”",
      "More than [E4] counted double, since the margin is 23: “What E4 says.”",
    ]);
  });
});

describe("hearing peers", () => {
  const own = makeItem("E1", { supports: "red", strength: 4 });
  const shown = makeItem("E2", { supports: "green", strength: 7, text: "The green one lasts ten years." });
  const cite = (ref: string) => makeSaid("green", { claims: [{ text: "So it is.", refs: [ref] }] });

  test("A changed answer names the evidence that tipped it and who brought it.", async () => {
    const weak = makeItem("E3", { supports: "green", strength: 1 });
    const said = await revision(
      asked([own, shown, weak], ["E1"], {
        own: makeSaid("red"),
        heard: [heard("B", makeSaid("green", { claims: [{ text: "Also.", refs: ["E3"] }] })), heard("A", cite("E2"))],
      }),
    );
    expect(said.answer).toBe("green");
    expect(said.changedBy).toEqual({
      argument: "[E2] “The green one lasts ten years.” (7) puts green ahead of red.",
      from: "A",
      refs: ["E2"],
    });
    expect(said.claims.flatMap((claim) => claim.refs)).toContain("E2");
  });

  test("Evidence it named in its last turn is not what changed its answer now.", async () => {
    const known = makeItem("E3", { supports: "green", strength: 8 });
    const before = makeSaid("red", { agreements: [{ with: "B", on: "green; it cites [E3] 8" }] });
    const said = await revision(
      asked([makeItem("E1", { supports: "red", strength: 9 }), known, shown], ["E1"], {
        own: before,
        heard: [heard("B", makeSaid("green", { claims: [{ text: "x", refs: ["E3", "E2"] }] }))],
      }),
    );
    expect(said.changedBy?.refs).toEqual(["E2"]);
  });

  test("An answer that did not change has nothing that changed it, whatever the majority holds.", async () => {
    const crowd = ["B", "C", "D", "E"].map((label) => heard(label, makeSaid("green")));
    const said = await revision(asked([own], ["E1"], { own: makeSaid("red"), heard: crowd }));
    expect(said.answer).toBe("red");
    expect(said.changedBy).toBeNull();
    expect(said.disagreements.map((one) => one.with)).toEqual(["B", "C", "D", "E"]);
    expect(said.disagreements[0]?.reason).toBe(
      "It cites nothing I can weigh; all I can see gives green 0, and red 4, most of it from [E1] 4.",
    );
  });

  test("Agreements name the peer and the weight of what it cites.", async () => {
    const said = await revision(
      asked([own, shown], ["E1"], { own: makeSaid("green"), heard: [heard("B", cite("E2"))] }),
    );
    expect(said.agreements).toEqual([{ with: "B", on: "green; it cites [E2] 7" }]);
  });

  test("A quote that is not in the text, and evidence that was not passed on, are named and left out.", async () => {
    const lies = makeSaid("green", { claims: [{ text: "x", refs: ["E1#never said", "E9", "E1#What E1"] }] });
    const said = await revision(asked([own], ["E1"], { own: makeSaid("red"), heard: [heard("B", lies)] }));
    expect(said.answer).toBe("red");
    expect(said.disagreements[1]).toEqual({
      with: "B",
      on: "its citations",
      reason: "[E1] does not hold the words quoted from it and [E9] was not shown to me; I leave that out.",
    });
  });

  test("The order in which peers are heard changes nothing.", async () => {
    const turns = [heard("C", makeSaid("blue")), heard("A", cite("E2")), heard("B", makeSaid("red"))];
    const request = asked([own, shown], ["E1"], { own: makeSaid("red"), heard: turns });
    expect(await revision({ ...request, heard: turns.toReversed() })).toEqual(await revision(request));
  });
});

test("It is pure and free, and knows what it cannot do.", async () => {
  const occupant = evidence(specWith({}));
  expect(occupant).toMatchObject({ pure: true, acts: false, streams: false, endpoint: null });
  const items = new Map([["E1", makeItem("E1", { supports: "red" })]]);
  const request = makeRequest({ items }, "score");
  expect(occupant.cap(request)).toEqual({ tokens: 0, usd: 0 });
  await expect(occupant.reply(request, call())).rejects.toThrow(SeatError);
});

test("Wrong settings are a usage error that names the field.", () => {
  expect(() => evidence(specWith({ trust: 2 }))).toThrow(/evidence:d\.yml.*trust lies between 0 and 1/su);
  expect(() => evidence(specWith({ stubborn: true }))).toThrow(/stubborn/u);
  expect(EvidenceSettings.parse({})).toEqual({ weights: {}, cites: 4, trust: 1 });
});

test("Whatever the evidence and the peers, the reply has the shape that was asked for.", async () => {
  const name = fc.constantFrom("red", "green", "blue", null);
  const words = fc.string({ minLength: 1, maxLength: 8, unit: "binary" }).map((text) => text.repeat(300));
  const item = fc.record({
    supports: name,
    against: name,
    strength: fc.double({ min: 0, max: 10, noNaN: true }),
    text: words,
  });
  const peer = fc.record({
    answer: fc.constantFrom("red", "green", "pink"),
    refs: fc.array(fc.string({ maxLength: 40 }), { maxLength: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 30 }),
      fc.array(peer, { maxLength: 40 }),
      async (fields, peers) => {
        const items = fields.map((one, index) => makeItem(`E${index}`, one));
        const turns = peers.map(({ answer, refs }, index) =>
          heard(`P${index}`, makeSaid(answer, { claims: [{ text: "x", refs }] })),
        );
        const request = asked(items, ["E0"], { heard: turns, own: makeSaid("blue") });
        try {
          const said = await revision(request, { cites: 20 });
          expect(["red", "green", "blue"]).toContain(said.answer);
          expect(await revision(request, { cites: 20 })).toEqual(said);
        } catch (error) {
          if (!(error instanceof SeatError) || error.kind !== "refused") throw error;
        }
      },
    ),
    { numRuns: 60 },
  );
});
