/**
 * A debate that is interrupted and goes on from its record: the seats that had answered are not asked again.
 *
 * Run it with `node examples/library/resume-after-a-crash.ts`; it checks its own result.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeJudge, codeSynthesizer } from "../../src/adapters/occupants/index.ts";
import { sqliteStore } from "../../src/adapters/stores/sqlite.ts";
import { systemWorld } from "../../src/adapters/world.ts";
import { type Occupant, protocols, type RunInput, resume, run } from "../../src/index.ts";
import { seat } from "./parts/makers.ts";

const asked: string[] = [];
const pause = new AbortController();
const paid: Occupant = {
  endpoint: null,
  pure: false,
  acts: false,
  streams: false,
  cap: () => ({ tokens: 500, usd: 0.01 }),
  reply: async ({ key, round, seat }) => {
    asked.push(key);
    // The interruption comes while the first answers are under way: they are waited for, and nothing else is asked.
    if (asked.length === 3) pause.abort();
    const answer = seat.id === "three" && round === 0 ? "no" : "yes";
    const opening = {
      position: `I say ${answer}.`,
      answer,
      claims: [],
      caveats: [],
      confidence: 0.9,
      wouldChange: [],
      verdict: null,
    };
    const reply = round === 0 ? opening : { ...opening, agreements: [], disagreements: [], changedBy: null };
    return { text: JSON.stringify(reply), usage: { inputTokens: 200, outputTokens: 50 } };
  },
};
const spec = { name: "own:paid", kind: "own", lineage: "own", settings: null };
const input: RunInput = {
  id: "interrupted",
  protocol: "debate",
  question: { text: "Shall we?", options: ["yes", "no"], context: [] },
  seats: [seat("one", spec), seat("two", spec), seat("three", spec)],
  judges: [codeJudge],
  synthesizers: [codeSynthesizer],
  evidence: [],
};

const folder = mkdtempSync(join(tmpdir(), "parley-example-"));
const store = sqliteStore(join(folder, "runs.db"));
const drive = {
  store,
  world: systemWorld(),
  occupants: { own: () => paid, code: (await import("../../src/adapters/occupants/code.ts")).code },
  protocols,
};
try {
  const first = await run(input, { ...drive, pause: pause.signal });
  assert.equal(first.rest, "paused");
  assert.deepEqual([...asked].sort(), ["round-0/one/answer", "round-0/three/answer", "round-0/two/answer"]);
  const second = await resume("interrupted", drive);
  assert.equal(second.rest, "ended");
  assert.equal(second.view.decision?.answer, "yes");
  assert.equal(asked.length, 6);
  assert.equal(new Set(asked).size, asked.length, "nobody was asked twice");
  console.log(`decided after ${asked.length} calls in two sittings: ${second.view.decision?.answer}`);
} finally {
  await store.close();
  rmSync(folder, { recursive: true });
}
