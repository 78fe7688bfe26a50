import { expect, test } from "vitest";
import { script } from "../../../src/adapters/occupants/script.ts";
import { SeatError } from "../../../src/errors.ts";
import { scriptedOccupant, specOf } from "../../../src/testing/scripted.ts";
import { call, makeRequest } from "./requests.ts";

const specWith = (turns: object[]) => ({
  name: "script:t.jsonl",
  kind: "script",
  lineage: "script",
  settings: { turns } as never,
});
const ask = (turns: object[], act: string, round: number, attempt = 1, signal?: AbortSignal) =>
  script(specWith(turns)).reply({ ...makeRequest({}, act, round), attempt }, call(signal));

const play = [
  { act: "answer", reply: { answer: "red" }, usage: { inputTokens: 7, outputTokens: 3 } },
  { act: "critique", round: 1, reply: "not JSON" },
  { act: "critique", round: 1, reply: { answer: "green" } },
  { act: "critique", round: 2, fail: { kind: "rate_limited", message: "slow down", retryAfterMs: 50 } },
];

test("A turn is chosen by act, round and attempt, and by nothing else.", async () => {
  expect(await ask(play, "answer", 0)).toEqual({
    text: '{"answer":"red"}',
    usage: { inputTokens: 7, outputTokens: 3 },
  });
  expect((await ask(play, "critique", 1)).text).toBe("not JSON");
  expect((await ask(play, "critique", 1, 2)).text).toBe('{"answer":"green"}');
  const occupant = script(specWith(play));
  const second = { ...makeRequest({}, "critique", 1), attempt: 2 };
  expect((await occupant.reply(second, call())).text).toBe((await occupant.reply(second, call())).text);
});

test("A failure is thrown as the script has it.", async () => {
  const failure = await ask(play, "critique", 2).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SeatError);
  expect(failure).toMatchObject({
    kind: "rate_limited",
    message: "slow down",
    facts: { retryAfterMs: 50 },
    retryable: true,
  });
});

test("A call that the script does not foresee is an error with its key.", async () => {
  await expect(ask(play, "critique", 3)).rejects.toMatchObject({
    kind: "protocol_error",
    message: expect.stringContaining("round-3/one/critique, attempt 1"),
  });
});

test("A call sent again after a crash gets the reply it would have had.", async () => {
  expect((await ask(play, "answer", 0, 2)).text).toBe((await ask(play, "answer", 0, 1)).text);
  expect((await ask(play, "critique", 1, 3)).text).toBe('{"answer":"green"}');
});

test("Its cap is the usage it will report.", () => {
  const occupant = script(specWith(play));
  expect(occupant.cap(makeRequest())).toEqual({ tokens: 10, usd: 0 });
  expect(occupant.cap(makeRequest({}, "critique", 1))).toEqual({ tokens: 0, usd: 0 });
  expect(occupant).toMatchObject({ pure: false, acts: false, streams: false });
});

test("A delay ends at once when the call is aborted, and what comes after is not said.", async () => {
  const controller = new AbortController();
  const waiting = ask([{ reply: "late", delayMs: 3_600_000 }], "answer", 0, 1, controller.signal);
  controller.abort(new SeatError("timeout", "The turn took too long."));
  await expect(waiting).rejects.toMatchObject({ kind: "timeout" });
  await expect(ask([{ reply: "late", delayMs: 5 }], "answer", 0, 1, AbortSignal.abort())).rejects.toMatchObject({
    kind: "cancelled",
  });
  expect((await ask([{ reply: "soon", delayMs: 1 }], "answer", 0)).text).toBe("soon");
});

test("A turn with both a reply and a failure, or with neither, is refused.", () => {
  for (const turn of [{}, { reply: "x", fail: { kind: "auth" } }]) {
    expect(() => script(specWith([turn]))).toThrow(/either a reply or a fail/u);
  }
  expect(() => script(specWith([]))).toThrow(/one turn at least/u);
});

test("The occupant for tests says what its function says, and records every call.", async () => {
  const pieces: string[] = [];
  const occupant = scriptedOccupant({
    answer: ({ act, attempt }) =>
      act !== "answer" ? undefined : attempt === 1 ? new SeatError("empty", "none") : { answer: "red" },
    usage: { inputTokens: 1, outputTokens: 2 },
    cap: { tokens: 9, usd: 0.5 },
    streams: true,
  });
  const listening = {
    ...call(),
    connected: () => pieces.push("connected"),
    delta: (text: string) => pieces.push(text),
  };
  await expect(occupant.reply(makeRequest(), listening)).rejects.toMatchObject({ kind: "empty" });
  const reply = await occupant.reply({ ...makeRequest(), attempt: 2 }, listening);
  expect(reply).toEqual({ text: '{"answer":"red"}', usage: { inputTokens: 1, outputTokens: 2 } });
  expect(pieces[0]).toBe("connected");
  expect(pieces.slice(1).join("")).toBe(reply.text);
  await expect(occupant.reply(makeRequest({}, "score"), listening)).rejects.toMatchObject({ kind: "protocol_error" });
  expect(occupant.calls.map((request) => [request.act, request.attempt])).toEqual([
    ["answer", 1],
    ["answer", 2],
    ["score", 1],
  ]);
  expect(occupant.cap(makeRequest())).toEqual({ tokens: 9, usd: 0.5 });
  expect(specOf("b")).toEqual({ name: "test:b", kind: "test", lineage: "test", settings: null });
});

test("The occupant for tests stops waiting when it is aborted.", async () => {
  const controller = new AbortController();
  const waiting = scriptedOccupant({ answer: () => "late", delayMs: 3_600_000 }).reply(
    makeRequest(),
    call(controller.signal),
  );
  controller.abort(new Error("stop"));
  await expect(waiting).rejects.toThrow("stop");
});
