/** A small run: four seats, two rounds, a change of mind on evidence, a seat that never answers, and a dissent to the end. */
import type { Ballot } from "../../src/ballot.ts";
import type { Decision, Dissent } from "../../src/decision.ts";
import type { Event, EventBody } from "../../src/events.ts";
import { fold, type View } from "../../src/transcript.ts";
import { attemptFailed, ballot, ending, eventsOf, runStart, score, turnEnd, turnMissed, turnStart } from "./bodies.ts";

function opening(answer: string, position: string, confidence: number, refs: string[]) {
  const claims = [{ text: `${position} It is measured.`, refs }];
  return {
    position,
    answer,
    claims,
    caveats: ["Load may triple next year."],
    confidence,
    wouldChange: ["A second consumer team."],
    verdict: null,
  };
}

function revision(
  answer: string,
  position: string,
  confidence: number,
  refs: string[],
  changedBy: Ballot["changedBy"] = null,
) {
  const agreements = [{ with: "A", on: "the write path must stay in one transaction" }];
  const disagreements = [{ with: "B", on: "replay", reason: "nobody has named its owner" }];
  return { ...opening(answer, position, confidence, refs), agreements, disagreements, changedBy };
}

export const words = {
  a: "Use the Postgres outbox: p99 is met without a broker, and the order and its event commit together.",
  b: "Kafka, because operations already runs it for payments.",
  c: "Kafka: the audit boundary crosses teams, and a log that three teams can write to is not an audit log.",
};
export const argument = "The relay already gives every event an idempotency key, so a broker adds nothing we lack.";

const sayings: Record<string, unknown> = {
  a0: opening("postgres", words.a, 0.71, ["E1"]),
  b0: opening("kafka", words.b, 0.6, ["E4"]),
  c0: opening("kafka", words.c, 0.66, ["E7"]),
  a1: revision("postgres", words.a, 0.82, ["E1", "E2"]),
  b1: revision("postgres", "The outbox, since the relay has the key.", 0.74, ["E3"], {
    argument,
    from: "B",
    refs: ["E3"],
  }),
  c1: revision("kafka", words.c, 0.61, ["E7"]),
};

function evidence(ref: string, supports: string, text: string, criterion: string): EventBody {
  return {
    type: "evidence-added",
    item: { ref, text, hash: "0", supports, against: null, strength: 2, criterion, source: null },
  };
}

/** The events of rounds 0 and 1, before any ending. */
export function opened(): EventBody[] {
  const asked = (round: number, act: string): EventBody[] =>
    ["a", "b", "c", "d"].map((seat) => turnStart(seat, round, act));
  const said = (round: number, act: string): EventBody[] =>
    ["a", "b", "c"].map((seat) => turnEnd(seat, round, act, sayings[seat + round]));
  const missed = (round: number, act: string): EventBody[] => [
    attemptFailed("d", round, act, null),
    turnMissed("d", round, act, "timeout", "no answer within 5 s"),
  ];
  return [
    runStart(),
    evidence("E1", "postgres", "p99 of the write path is 11 ms.", "latency"),
    evidence("E3", "postgres", "The relay stamps each event with a key.", "correctness"),
    evidence("E7", "kafka", "Three teams hold write access to the database.", "audit"),
    { type: "round-start", round: 0, name: "first answers" },
    ...asked(0, "answer"),
    ...said(0, "answer"),
    ...missed(0, "answer"),
    ballot({ seat: "a", round: 0, answer: "postgres", position: words.a, confidence: 0.71, refs: ["E1"] }),
    ballot({
      seat: "b",
      round: 0,
      answer: "kafka",
      position: words.b,
      confidence: 0.6,
      badRefs: [{ cite: "E99", why: "no such evidence" }],
    }),
    ballot({ seat: "c", round: 0, answer: "kafka", position: words.c, confidence: 0.66, refs: ["E7"] }),
    score(0, 0.5, 0.5),
    { type: "round-start", round: 1, name: "critique" },
    ...asked(1, "critique"),
    ...said(1, "critique"),
    ...missed(1, "critique"),
    ballot({ seat: "a", round: 1, answer: "postgres", position: words.a, confidence: 0.82, refs: ["E1"] }),
    ballot({
      seat: "b",
      round: 1,
      answer: "postgres",
      position: "The outbox, since the relay has the key.",
      confidence: 0.74,
      refs: ["E3"],
      newRefs: ["E3"],
      changedBy: { argument, from: "a", refs: ["E3"] },
    }),
    ballot({ seat: "c", round: 1, answer: "kafka", position: words.c, confidence: 0.61, refs: ["E7"] }),
    score(1, 0.5, 0.72),
  ];
}

export const dissents: Dissent[] = [
  { seat: "b", kind: "given-up", answer: "kafka", round: 0, words: words.b, refs: [], reason: argument },
  { seat: "c", kind: "final", answer: "kafka", round: 1, words: words.c, refs: ["E7"], reason: null },
];

export function decision(changes: Partial<Decision> = {}): Omit<Decision, "dissent"> {
  const { dissent: _dissent, ...rest } = changes;
  return {
    outcome: "decided",
    stopReason: "rounds_done",
    recommendation:
      "Use the Postgres outbox for order events, and name an owner for replay before the first consumer goes live.",
    answer: "postgres",
    leading: "postgres",
    reasons: [
      { text: "The write path meets its p99 without a broker.", refs: ["E1"], by: ["a"] },
      {
        text: "The relay already carries an idempotency key, so exactly-once needs no second system.",
        refs: ["E3"],
        by: ["a", "b"],
      },
    ],
    confidence: { agreement: 0.5, convergence: 0.72, stated: 0.78 },
    triggers: ["more than 5,000 events a second", "a second consumer team"],
    unresolved: ["who owns replay?"],
    flips: [
      { seat: "b", round: 1, from: "kafka", to: "postgres", argument, by: "a", refs: ["E3"], towards: "evidence" },
    ],
    votes: {
      before: { answers: [group("kafka", "b", "c"), group("postgres", "a")], leading: "kafka", share: 0.5 },
      after: { answers: [group("postgres", "a", "b"), group("kafka", "c")], leading: "postgres", share: 0.5 },
    },
    plainVote: { answer: "kafka", same: false },
    voices: { seats: 4, lineages: 4, scopes: 3, effective: 4 },
    judge: "rules:judge",
    synthesizer: "rules:synthesizer",
    notes: [],
    ...rest,
  };
}

function group(answer: string, ...seats: string[]) {
  return { answer, seats, weight: seats.length };
}

/** The whole run, decided over a dissent. */
export function decidedEvents(changes: Partial<Decision> = {}): Event[] {
  const kept = (changes.dissent ?? dissents).map((dissent): EventBody => ({ type: "dissent-kept", dissent }));
  const reached: EventBody = { type: "decision-reached", decision: decision(changes) };
  return eventsOf([...opened(), ...kept, reached, ending("decided", changes.stopReason ?? "rounds_done")]);
}

export const decidedView = (changes: Partial<Decision> = {}): View => fold(decidedEvents(changes));

/** The same panel without an answer. */
export function undecidedView(): View {
  const nothing = {
    outcome: "undecided",
    recommendation: null,
    answer: null,
    stopReason: "stalled",
    reasons: [],
  } as const;
  const reached: EventBody = { type: "decision-reached", decision: decision({ ...nothing, reasons: [] }) };
  const kept = dissents.slice(1).map((dissent): EventBody => ({ type: "dissent-kept", dissent }));
  return fold(eventsOf([...opened(), ...kept, reached, ending("undecided", "stalled")]));
}
