/**
 * Every event of a run, defined once. Types, JSON Schema, the reference page and every view come from here.
 *
 * Events are the only lasting state. Names are noun-verb. `turn-delta` alone is passing: streamed to listeners and never stored.
 */
import * as z from "zod";
import { Ballot } from "./ballot.ts";
import { Decision, Dissent, Status, StopReason } from "./decision.ts";
import { missKinds } from "./errors.ts";
import { EvidenceItem } from "./evidence.ts";
import { InDoubt, Limits, OnBudget } from "./limits.ts";
import { Score, Synthesis } from "./position.ts";
import { Question } from "./question.ts";
import { OccupantSpec, Seat } from "./seat.ts";

/** The version every new event is written with; `upgrade.ts` reads the older ones. */
export const eventVersion = 1;

/** What every stored event carries besides its own fields; `prev` and `hash` chain the lines of a run. */
const envelope = {
  v: z.literal(eventVersion).describe("The version of this shape."),
  run: z.string().describe("The run it belongs to."),
  seq: z.int().min(0).describe("Its place in the run, from 0, without gaps."),
  at: z.number().describe("When, in milliseconds since 1970; for display, never for order."),
  epoch: z.int().min(1).describe("Which ownership of the run wrote it; it never goes down."),
};

function event<Type extends string, Fields extends z.ZodRawShape>(type: Type, sentence: string, fields: Fields) {
  return z.object({ ...envelope, type: z.literal(type), ...fields }).meta({ id: type, description: sentence });
}

const key = z.string().describe("The effect's key, derived from data and unique in the run.");
const Cap = z.object({
  tokens: z.int().min(0).describe("Input estimate plus the longest output."),
  usd: z.number().min(0).nullable().describe("The same in dollars; null when the price is unknown."),
});
export type Cap = z.infer<typeof Cap>;
const Usage = z.object({
  inputTokens: z.int().min(0),
  outputTokens: z.int().min(0),
});
export type Usage = z.infer<typeof Usage>;
const attempt = z.int().min(1).describe("Which attempt at the turn; each is its own intent.");
const charged = Cap.describe(
  "What is counted against the budgets: the usage, or the whole cap when the usage is unknown.",
);
const kind = z.enum(missKinds);
const Owner = z.object({ host: z.string(), pid: z.int(), started: z.string() });
export type Owner = z.infer<typeof Owner>;

export const RunStart = event("run-start", "A run begins, with everything needed to go on from its record alone.", {
  protocol: z.string(),
  protocolVersion: z.int(),
  options: z.json().describe("The protocol's options, defaults filled in."),
  question: Question,
  seats: z.array(Seat),
  judges: z.array(OccupantSpec).describe("The judge and its fallbacks, in order."),
  synthesizers: z.array(OccupantSpec).describe("The synthesizer and its fallbacks, in order."),
  labels: z.record(z.string(), z.string()).describe("The name each seat goes by before its peers: label to seat."),
  limits: Limits,
  seed: z.string().describe("What every order of the run is drawn from."),
  nonce: z.string().describe("What the fences around seats' words are made from; never shown to a seat."),
  owner: Owner,
  engine: z.string().describe("The version of Parley that began it."),
});
export const RunResumed = event("run-resumed", "Another ownership of the run goes on with it.", {
  owner: Owner,
  limits: Limits.describe("The limits from here on."),
});
export const EvidenceAdded = event("evidence-added", "An item of evidence is taken in, word for word.", {
  item: EvidenceItem,
});
export const RoundStart = event("round-start", "The protocol names what comes next.", {
  round: z.int().min(0),
  name: z.string(),
});
export const RoundEnd = event(
  "round-end",
  "A round is closed: who answered, who did not, and whether the run must go to its ending.",
  {
    round: z.int().min(0),
    answered: z.array(z.string()),
    missing: z.array(z.string()),
    stop: StopReason.nullable().describe(
      "The quorum is lost or a budget is reached; null when the protocol may go on.",
    ),
  },
);
export const TurnStart = event("turn-start", "The intent to call an occupant, durable before the call leaves.", {
  key,
  attempt,
  seat: z.string(),
  round: z.int(),
  act: z.string().describe("What is asked for: answer, critique, score, synthesis …"),
  system: z
    .string()
    .nullable()
    .describe(
      "The part of the prompt that stays the same over the rounds; null when it is that of the seat's turn before.",
    ),
  say: z
    .string()
    .nullable()
    .describe("What is asked, with the shape of the reply; null when it is that of the act's turn before."),
  shown: z
    .object({
      turns: z.array(z.string()).describe("Keys of the turns whose words are in the prompt, in the order shown."),
      refs: z
        .array(z.string())
        .describe("Evidence in the prompt that others brought; the seat's own scope stands in `system`."),
      own: z.string().nullable().describe("Key of the seat's own last answer, where the prompt repeats it."),
      cut: z.array(z.string()).describe("Keys of those turns that were shortened to fit."),
      named: z.boolean().describe("Whether peers stand under their seats' names."),
    })
    .describe("What else is in the prompt, by reference: the words themselves are on record once."),
  promptHash: z
    .string()
    .describe(
      "SHA-256 over that of the standing part and the rest; `promptOf` makes the same text again from the record.",
    ),
  cap: Cap,
  free: z.boolean().describe("Whether it is a judge or synthesizer made of code, which no budget counts as a call."),
  repairOf: z.int().nullable().describe("The attempt whose unreadable reply this one asks to mend."),
});
export const TurnDelta = event("turn-delta", "A piece of a reply as it streams. Passing: never stored.", {
  key,
  seat: z.string(),
  text: z.string(),
});
export const AttemptFailed = event("attempt-failed", "One attempt at a turn failed; a later one may still succeed.", {
  key,
  attempt,
  seat: z.string(),
  kind,
  cause: z.string(),
  raw: z
    .string()
    .nullable()
    .describe("What came back, kept because it was paid for; the head of it when it was too large."),
  charged,
  usage: Usage.nullable(),
  requestId: z.string().nullable(),
  retryAt: z.number().nullable().describe("No further attempt before this time; null when there is none."),
});
export const TurnEnd = event("turn-end", "A seat answered.", {
  key,
  attempt,
  seat: z.string(),
  round: z.int(),
  act: z.string(),
  said: z.json().describe("The reply as read with the turn's schema."),
  raw: z.string().nullable().describe("The exact reply; null when it is `said` as JSON, to the letter."),
  charged,
  usage: Usage.nullable().describe("Null when the provider reported none."),
  latencyMs: z.number(),
  requestId: z.string().nullable(),
  model: z.string().nullable().describe("The model that says it answered."),
  flags: z.array(z.string()).describe("`repaired`, `truncated`, `over_cap`, `usage_unknown`, `model_mismatch`."),
});
export const TurnMissed = event(
  "turn-missed",
  "A seat did not answer, and why. Absence is an outcome, replayed like any turn.",
  {
    key,
    seat: z.string(),
    round: z.int(),
    act: z.string(),
    kind,
    cause: z.string(),
  },
);
export const TurnLate = event(
  "turn-late",
  "An answer came after its turn was settled. It is kept, and counts for nothing but cost.",
  {
    key,
    attempt,
    seat: z.string(),
    raw: z.string(),
    usage: Usage.nullable(),
  },
);
export const DoubtFound = event("doubt-found", "A call was cut off by a crash: nobody knows whether it was answered.", {
  key,
  attempt,
  seat: z.string(),
  charged: Cap.describe("The whole cap: it may have been paid."),
  policy: InDoubt,
});
export const ScoreGiven = event("score-given", "How far the positions of a round agree.", {
  round: z.int(),
  score: Score.nullable().describe("The judge's three axes; null when no judge could be heard."),
  convergence: z.number().nullable().describe("Their mean."),
  share: z.number().describe("The agreement share over canonical answers, by code."),
  unanimous: z.boolean().describe("Whether every seat that answered gave the same one-word verdict."),
  judge: z.string().nullable().describe("Who scored."),
  causes: z.array(z.string()).describe("Why earlier judges of the chain could not be heard."),
});
export const BallotCast = event("ballot-cast", "A seat's answer in a round, with its citations checked.", {
  ballot: Ballot,
});
export const BudgetReserved = event("budget-reserved", "Part of the budgets is set aside for the synthesis.", {
  aside: Cap,
  turns: z.int(),
});
export const LimitReached = event("limit-reached", "A budget has no room for the next call.", {
  key: z.string().nullable().describe("The call that was not made; null when time ran out between calls."),
  budget: z.enum(["budget_time", "budget_tokens", "budget_cost", "budget_turns"]),
  limit: z.number(),
  used: z.number().describe("Spent, reserved and set aside."),
  asked: z.number().describe("What the call would have added."),
  action: OnBudget,
});
export const NoteMade = event("note-made", "The protocol or the room remarks on something a reader must know.", {
  text: z.string(),
});
export const SynthesisWritten = event("synthesis-written", "A synthesizer wrote the recommendation.", {
  synthesis: Synthesis,
  by: z.string(),
  causes: z.array(z.string()),
});
export const DissentKept = event("dissent-kept", "A dissent, built by code and kept word for word.", {
  dissent: Dissent,
});
export const DecisionReached = event("decision-reached", "The protocol's conclusion.", {
  decision: Decision.omit({ dissent: true }),
});
export const RunEnd = event("run-end", "The run is over. Nothing is written after it.", {
  status: Status,
  stopReason: StopReason,
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

export const Event = z.discriminatedUnion("type", [
  RunStart,
  RunResumed,
  EvidenceAdded,
  RoundStart,
  RoundEnd,
  TurnStart,
  TurnDelta,
  AttemptFailed,
  TurnEnd,
  TurnMissed,
  TurnLate,
  DoubtFound,
  ScoreGiven,
  BallotCast,
  BudgetReserved,
  LimitReached,
  NoteMade,
  SynthesisWritten,
  DissentKept,
  DecisionReached,
  RunEnd,
]);
export type Event = z.infer<typeof Event>;
export type EventType = Event["type"];
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;

/** An event before it has its place in a run. */
export type EventBody = { [Type in EventType]: Omit<EventOf<Type>, "v" | "run" | "seq" | "at" | "epoch"> }[EventType];
