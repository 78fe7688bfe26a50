/**
 * A first debate from a program: two evidence seats and a program's own seat, a judge and a synthesizer made of code, no key.
 *
 * Run it with `node examples/library/first-debate.ts`; it checks its own result and fails loudly when it is not what it should be.
 * A package that uses Parley imports the same names from `parley-engine` and its subpaths.
 */
import assert from "node:assert/strict";
import { codeJudge, codeSynthesizer, occupants } from "../../src/adapters/occupants/index.ts";
import { memoryStore } from "../../src/adapters/stores/memory.ts";
import { systemWorld } from "../../src/adapters/world.ts";
import { type Occupant, protocols, type RunInput, run } from "../../src/index.ts";
import { evidence, seat } from "./parts/makers.ts";

/** A seat of one's own is an object with a `reply`: here, one that follows whoever cites a measurement. */
const follower: Occupant = {
  endpoint: null,
  pure: true,
  acts: false,
  streams: false,
  cap: () => ({ tokens: 0, usd: 0 }),
  reply: async ({ round, evidence: seen }) => {
    const measured = seen.some((item) => item.ref === "load-test");
    const position = measured ? "Ship: the load test settles it." : "Wait: I have seen no measurement.";
    const opening = {
      position,
      answer: measured ? "ship" : "wait",
      claims: measured ? [{ text: "It was measured.", refs: ["load-test"] }] : [],
      caveats: [],
      confidence: 0.6,
      wouldChange: ["a measurement"],
      verdict: null,
    };
    const changedBy = measured ? { argument: "the load test", from: null, refs: ["load-test"] } : null;
    return {
      text: JSON.stringify(round === 0 ? opening : { ...opening, agreements: [], disagreements: [], changedBy }),
    };
  },
};

const input: RunInput = {
  protocol: "debate",
  question: { text: "Do we ship today?", options: ["ship", "wait"], context: [] },
  seats: [
    seat("tester", { name: "evidence:tester", kind: "evidence", lineage: "evidence", settings: {} }, [
      "load-test",
      "open-bug",
    ]),
    seat("support", { name: "evidence:support", kind: "evidence", lineage: "evidence", settings: {} }, ["open-bug"]),
    seat("follower", { name: "own:follower", kind: "own", lineage: "own", settings: null }),
  ],
  judges: [codeJudge],
  synthesizers: [codeSynthesizer],
  evidence: [
    evidence("load-test", "At twice the expected load every request was answered within 80 ms.", {
      supports: "ship",
      strength: 4,
    }),
    evidence("open-bug", "One customer saw a wrong total on a printed invoice.", { supports: "wait", strength: 2 }),
  ],
};

const { view } = await run(input, {
  store: memoryStore(),
  world: systemWorld(),
  occupants: { ...occupants, own: () => follower },
  protocols,
});

assert.equal(view.status, "decided");
assert.equal(view.decision?.answer, "ship");
assert.equal(view.decision?.votes.before.leading, "wait");
assert.deepEqual(
  view.decision?.flips.map((flip) => [flip.seat, flip.towards]),
  [
    ["follower", "evidence"],
    ["support", "evidence"],
  ],
);
console.log(`${view.decision?.recommendation}`);
