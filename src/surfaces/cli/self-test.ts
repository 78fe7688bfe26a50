/** An offline debate in memory, small enough to check by hand: each of three seats holds a part of the evidence that misleads it alone. */

import { codeJudge, codeSynthesizer } from "../../adapters/occupants/index.ts";
import { memoryStore } from "../../adapters/stores/memory.ts";
import { sha256 } from "../../chain.ts";
import { assert } from "../../errors.ts";
import type { EvidenceItem } from "../../evidence.ts";
import { readRun } from "../../record.ts";
import { type RunInput, run } from "../../run.ts";
import type { Seat } from "../../seat.ts";
import { verifyLines } from "../../verify.ts";
import { surroundings } from "./driving.ts";

/** Runs the debate and says how it went; throws when it does not end as it must. */
export async function selfTest(): Promise<string> {
  const store = memoryStore();
  const { view } = await run(input(), { ...(await surroundings()), store });
  assert(
    view.decision?.answer === "right",
    `the self-test debate ended with ${view.decision?.answer ?? view.stopReason}`,
  );
  assert(view.decision.flips.length > 0, "nobody moved in the self-test debate");
  const { lines } = await readRun(store, view.run);
  const verified = verifyLines(lines.map((line) => line.text));
  assert(verified.ok, "the record of the self-test debate does not verify");
  await store.close();
  return `a debate of ${view.start?.seats.length} seats decided for the pooled evidence in ${lines.length} events that verify`;
}

function input(): RunInput {
  const evidence = [
    item("habit", "wrong", 3),
    item("first", "right", 2),
    item("second", "right", 2),
    item("third", "right", 2),
  ];
  return {
    protocol: "debate",
    question: { text: "Which answer does all the evidence speak for?", options: ["wrong", "right"], context: [] },
    seats: [seat("one", ["habit", "first"]), seat("two", ["habit", "second"]), seat("three", ["habit", "third"])],
    judges: [codeJudge],
    synthesizers: [codeSynthesizer],
    evidence,
    seed: "self-test",
  };
}

function item(ref: string, supports: string, strength: number): EvidenceItem {
  const text = `The item ${ref} speaks for ${supports}.`;
  return { ref, text, hash: sha256(text), supports, against: null, strength, criterion: null, source: null };
}

function seat(id: string, scope: string[]): Seat {
  const occupant = { name: "evidence:self-test", kind: "evidence", lineage: `evidence-${id}`, settings: {} };
  return { id, role: "", brief: "", rubric: "", scope, weight: 1, occupant };
}
