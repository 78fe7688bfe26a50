import { expect, test } from "vitest";
import { memoryStore } from "../src/adapters/stores/memory.ts";
import { systemWorld } from "../src/adapters/world.ts";
import type { Call, Occupant } from "../src/ports.ts";
import { protocols } from "../src/protocols/index.ts";
import { resume, run } from "../src/run.ts";
import { specOf } from "../src/testing/scripted.ts";
import { inTurn, perform, says, score, stage } from "./protocols/stage.ts";

/** A seat that streams as the test says and then says nothing more. */
async function streamed(talk: (call: Call) => void): Promise<string | undefined> {
  const { input, drive } = stage({
    parts: { ann: inTurn(says("yes")), bob: inTurn(says("yes")), cy: inTurn(says("yes")) },
    judges: [score(1)],
    limits: { connectMs: 20, firstTokenMs: 40, betweenChunksMs: 60, turnTimeoutMs: 5_000 },
  });
  const silent: Occupant = {
    endpoint: null,
    pure: false,
    acts: false,
    streams: true,
    cap: () => ({ tokens: 10, usd: 0 }),
    reply: (_, call) => {
      talk(call);
      return new Promise(() => {});
    },
  };
  const seats = input.seats.map((seat) =>
    seat.id === "cy" ? { ...seat, occupant: { ...specOf("cy"), kind: "silent" } } : seat,
  );
  const { view } = await run(
    { ...input, seats },
    { ...drive, occupants: { ...drive.occupants, silent: () => silent } },
  );
  expect(view.spent.tokens).toBeGreaterThanOrEqual(10);
  return view.degraded.find((miss) => miss.seat === "cy")?.cause;
}

test("A stream that never connects, never begins or stands still is cut off by its own clock, and charged at its cap.", async () => {
  expect(await streamed(() => {})).toBe("not connected within 20 ms");
  expect(await streamed((call) => call.connected())).toBe("no first token within 40 ms");
  expect(
    await streamed((call) => {
      call.connected();
      call.delta("a");
    }),
  ).toBe("the stream stood still within 60 ms");
});

test("A reply that is too long or too deep is a miss whose words are kept.", async () => {
  const long = `{"position":"${"x".repeat(2_000)}"}`;
  const deep = `${'{"a":'.repeat(100)}1${"}".repeat(100)}`;
  const parts = { ann: inTurn(says("yes")), bob: inTurn(says("yes")), cy: inTurn(long), di: inTurn(deep) };
  const { outcome } = await perform({ parts, judges: [score(1)], limits: { replyChars: 1_000, quorum: 2 } });
  const kinds = new Map(outcome.view.degraded.map((miss) => [miss.seat, `${miss.kind}: ${miss.cause}`]));
  expect(kinds.get("cy")).toMatch(/^output_too_large: the reply has 2015 characters, 1000 are read/);
  expect(kinds.get("di")).toMatch(/^malformed: .*nested deeper than 64/);
});

test("A seat that repeats a peer's words is no voice of its own.", async () => {
  const words = "A position long enough that nobody would write it twice by chance.";
  const parts = {
    ann: inTurn(says("yes", { position: words })),
    bob: inTurn(says("no"), says("yes", { position: words })),
  };
  const { outcome } = await perform({ parts, options: { rounds: 1 } });
  expect(outcome.view.ballots.find((ballot) => ballot.seat === "bob" && ballot.round === 1)?.copyOf).toBe("ann");
  expect(outcome.view.decision?.voices).toMatchObject({ seats: 2, effective: 1 });
});

test("A listener that throws, and an answer that is none and comes late, harm nobody.", async () => {
  const { input, drive } = stage({ parts: { ann: inTurn(says("yes")), bob: inTurn(says("yes")) }, judges: [score(1)] });
  const onEvent = () => {
    throw new Error("the page was closed");
  };
  const { view } = await run(input, { ...drive, onEvent, store: memoryStore(), world: systemWorld(), protocols });
  expect(view.status).toBe("decided");
});

test("A person who is being asked does not hold up an interruption, and is asked again later without a doubt.", async () => {
  const { input, drive } = stage({ parts: { ann: inTurn(says("yes")), bob: inTurn(says("yes")) }, judges: [score(1)] });
  const pause = new AbortController();
  let asked = 0;
  const person: Occupant = {
    endpoint: null,
    pure: false,
    acts: false,
    streams: false,
    patient: true,
    cap: () => ({ tokens: 0, usd: 0 }),
    reply: async () => {
      if (++asked > 1) return { text: JSON.stringify(says("yes")) };
      pause.abort();
      return new Promise(() => {});
    },
  };
  const seats = input.seats.map((seat) =>
    seat.id === "bob" ? { ...seat, occupant: { ...specOf("bob"), kind: "somebody" } } : seat,
  );
  const seated = { ...drive, occupants: { ...drive.occupants, somebody: () => person } };
  const first = await run({ ...input, seats }, { ...seated, pause: pause.signal });
  expect(first.rest).toBe("paused");
  const { view } = await resume(first.view.run, seated);
  expect(view.status).toBe("decided");
  expect(asked).toBe(2);
  expect(view.doubts).toEqual([]);
});
