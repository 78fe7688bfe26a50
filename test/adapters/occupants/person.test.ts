import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { person } from "../../../src/adapters/occupants/person.ts";
import { Opening, Revision } from "../../../src/position.ts";
import { call, makeItem, makeRequest, makeSaid } from "./requests.ts";

const spec = { name: "person", kind: "person", lineage: "person", settings: {} };

/** A terminal with somebody who types a line whenever a prompt waits for one. */
function terminal(lines: readonly string[], { tty = true } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY: tty });
  const output = Object.assign(new PassThrough(), { isTTY: tty });
  const typed = [...lines];
  let shown = "";
  output.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    if (/[:?…] $/u.test(chunk.toString()) && typed.length > 0) input.write(`${typed.shift()}\n`);
  });
  return { streams: { input, output }, shown: () => shown, left: () => typed.length };
}

test("A person is shown what the seat may see, and gives a whole position.", async () => {
  const { streams, shown, left } = terminal([
    "2",
    "Green is best.",
    "It lasts [E1] and [E1#says].",
    "",
    "It is dear.",
    "",
    "80",
    "A price below 3.",
    "",
  ]);
  const items = new Map([["E1", makeItem("E1", { text: "What it says." })]]);
  const reply = await person(spec, streams).reply(makeRequest({ items }), call());
  expect(Opening.parse(JSON.parse(reply.text))).toEqual({
    position: "Green is best.",
    answer: "green",
    claims: [{ text: "It lasts [E1] and [E1#says].", refs: ["E1", "E1#says"] }],
    caveats: ["It is dear."],
    confidence: 0.8,
    wouldChange: ["A price below 3."],
    verdict: "green",
  });
  expect(shown()).toContain("Which?");
  expect(shown()).toContain("[E1] What it says.");
  expect(shown()).toContain("2. green");
  expect(left()).toBe(0);
});

test("What cannot be used is asked for again, and given up after five tries.", async () => {
  const again = terminal(["7", "purple", " GREEN. ", "Yes.", "", "", "most", "101", "50%", ""]);
  const reply = await person(spec, again.streams).reply(makeRequest(), call());
  expect(JSON.parse(reply.text)).toMatchObject({ answer: "green", confidence: 0.5 });
  expect(again.shown()).toContain("Give a number from 1 to 3");
  const never = terminal(["x", "x", "x", "x", "x"]);
  await expect(person(spec, never.streams).reply(makeRequest(), call())).rejects.toMatchObject({ kind: "malformed" });
});

test("After hearing the others a person says what is shared, what is not, and what changed the answer.", async () => {
  const heard = [{ label: "B", key: "k", round: 0, said: makeSaid("green", { position: "Green \u001b[31mlasts." }) }];
  const { streams, shown } = terminal([
    "green",
    "Green after all.",
    "",
    "",
    "60",
    "",
    "its life",
    "the price",
    "it is dear",
    "It lasts [E1].",
    "C",
    "b",
  ]);
  const request = { ...makeRequest({}, "critique", 1), heard, own: makeSaid("red") };
  const reply = await person(spec, streams).reply(request, call());
  expect(Revision.parse(JSON.parse(reply.text))).toMatchObject({
    agreements: [{ with: "B", on: "its life" }],
    disagreements: [{ with: "B", on: "the price", reason: "it is dear" }],
    changedBy: { argument: "It lasts [E1].", from: "B", refs: ["E1"] },
  });
  expect(shown()).toContain("You held red.");
  expect(shown()).not.toContain("\u001b");
  expect(shown()).toContain("\\x1b[31mlasts");
});

test("An unchanged answer is not asked what changed it.", async () => {
  const { streams, shown } = terminal(["red", "Red still.", "", "", "60", ""]);
  const reply = await person(spec, streams).reply({ ...makeRequest({}, "critique", 1), own: makeSaid("red") }, call());
  expect(JSON.parse(reply.text).changedBy).toBeNull();
  expect(shown()).not.toContain("changed");
});

test("Two people at one keyboard take turns.", async () => {
  const lines = ["red", "First.", "", "", "10", "", "blue", "Second.", "", "", "20", ""];
  const { streams } = terminal(lines);
  const occupant = person(spec, streams);
  const replies = await Promise.all([occupant.reply(makeRequest(), call()), occupant.reply(makeRequest(), call())]);
  expect(replies.map((reply) => JSON.parse(reply.text).position)).toEqual(["First.", "Second."]);
});

test("Without a terminal nobody is asked.", async () => {
  const { streams, shown } = terminal([], { tty: false });
  await expect(person(spec, streams).reply(makeRequest(), call())).rejects.toMatchObject({ kind: "unsupported" });
  await expect(person(spec, terminal([]).streams).reply(makeRequest({}, "score"), call())).rejects.toMatchObject({
    kind: "unsupported",
  });
  expect(shown()).toBe("");
});

test("An aborted call and a closed input end the conversation, and the next one can begin.", async () => {
  const waiting = terminal([]);
  const controller = new AbortController();
  const aborted = person(spec, waiting.streams).reply(makeRequest(), call(controller.signal));
  const closing = terminal([]);
  const closed = person(spec, closing.streams).reply(makeRequest(), call());
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ kind: "cancelled" });
  closing.streams.input.end();
  await expect(closed).rejects.toMatchObject({ kind: "refused" });
  const next = terminal(["red", "Now.", "", "", "10", ""]);
  expect(JSON.parse((await person(spec, next.streams).reply(makeRequest(), call())).text).position).toBe("Now.");
});

test("A person's turn cut off by a crash may be asked again.", () => {
  expect(person(spec, terminal([]).streams)).toMatchObject({ acts: false, pure: false, streams: false });
});
