/** Requests for tests of occupants: whole and valid, with the parts a test is about put in by the test. */
import { sha256 } from "../../../src/chain.ts";
import { EvidenceItem } from "../../../src/evidence.ts";
import type { Call, Request } from "../../../src/ports.ts";
import { Opening, Revision, Score, Synthesis } from "../../../src/position.ts";
import type { Question } from "../../../src/question.ts";
import type { Seat } from "../../../src/seat.ts";

const shapes: Record<string, Request["reply"]> = {
  answer: Opening,
  critique: Revision,
  score: Score,
  synthesis: Synthesis,
};

export function makeSeat(id = "one", scope: string[] = []): Seat {
  const occupant = { name: "test:seat", kind: "test", lineage: "test", settings: null };
  return { id, role: "", brief: "", rubric: "", scope, weight: 1, occupant };
}

type Given = { question?: Question; items?: ReadonlyMap<string, EvidenceItem> };

/** A request for an act in a round; all the evidence given is visible. */
export function makeRequest(given: Given = {}, act = "answer", round = 0): Request {
  return {
    run: "run-1",
    key: `round-${round}/one/${act}`,
    attempt: 1,
    seat: makeSeat(),
    round,
    act,
    system: "You sit on a panel.",
    user: "Answer.",
    question: given.question ?? { text: "Which?", options: ["red", "green", "blue"], context: [] },
    evidence: [...(given.items?.values() ?? [])],
    heard: [],
    own: null,
    reply: shapes[act] ?? Opening,
    repair: null,
  };
}

/** An item of evidence from the fields a test cares about. */
export function makeItem(ref: string, fields: Partial<EvidenceItem> = {}): EvidenceItem {
  const text = fields.text ?? `What ${ref} says.`;
  return EvidenceItem.parse({ ...fields, ref, text, hash: sha256(text) });
}

/** A position as a peer may have said it. */
export function makeSaid(answer: string, fields: Partial<Revision> = {}): Revision {
  return {
    position: `I hold ${answer}.`,
    answer,
    claims: [],
    caveats: [],
    confidence: 0.5,
    wouldChange: [],
    verdict: null,
    agreements: [],
    disagreements: [],
    changedBy: null,
    ...fields,
  };
}

/** The engine's side of a call that nobody stops. */
export function call(signal: AbortSignal = new AbortController().signal): Call {
  return { signal, connected: () => {}, delta: () => {} };
}
