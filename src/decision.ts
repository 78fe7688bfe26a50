/**
 * The decision: one answer with everything needed to audit it.
 *
 * Votes, dissent and flips are built here by code from the ballots; the synthesizer writes only the recommendation, its reasons,
 * the triggers and the open points. No writer can therefore drop a dissent or invent a majority.
 */
import * as z from "zod";

export const statuses = ["queued", "running", "waiting", "decided", "undecided", "cancelled", "failed"] as const;
export const Status = z.enum(statuses);
export type Status = z.infer<typeof Status>;

export const stopReasons = [
  "converged",
  "stalled",
  "rounds_done",
  "no_consensus",
  "quorum_lost",
  "budget_time",
  "budget_tokens",
  "budget_cost",
  "budget_turns",
  "judge_failed",
  "accepted",
  "needs_revision",
  "rejected",
  "escalated",
  "blocked",
  "approval_denied",
  "approval_expired",
  "cancelled_by_user",
  "config_invalid",
  "store_failed",
  "integrity_failed",
  "internal_error",
] as const;
export const StopReason = z.enum(stopReasons);
export type StopReason = z.infer<typeof StopReason>;

const Votes = z.object({
  answers: z
    .array(z.object({ answer: z.string(), seats: z.array(z.string()), weight: z.number() }))
    .describe("Most weight first."),
  leading: z.string().nullable().describe("The answer with most weight; null on a tie or without answers."),
  share: z
    .number()
    .describe("Its share of the whole panel's weight; seats that did not answer stay in the denominator."),
});
export type Votes = z.infer<typeof Votes>;

export const Dissent = z
  .object({
    seat: z.string(),
    kind: z.enum(["final", "given-up"]).describe("Still held at the end; or held in round 0 and given up later."),
    answer: z.string(),
    round: z.int(),
    words: z.string().describe("Verbatim, never paraphrased."),
    refs: z.array(z.string()),
    reason: z.string().nullable().describe("For a position given up: what the seat says changed it."),
  })
  .meta({ id: "Dissent" });
export type Dissent = z.infer<typeof Dissent>;

export const Flip = z
  .object({
    seat: z.string(),
    round: z.int(),
    from: z.string(),
    to: z.string(),
    argument: z.string().nullable(),
    by: z.string().nullable().describe("The seat whose argument it was, where the seat named one."),
    refs: z.array(z.string()),
    towards: z
      .enum(["evidence", "argument", "majority", "unexplained"])
      .describe("New evidence; an argument without new evidence; only the majority; or nothing it named."),
  })
  .meta({ id: "Flip" });
export type Flip = z.infer<typeof Flip>;

export const Decision = z
  .object({
    outcome: z.enum(["decided", "undecided"]),
    stopReason: StopReason,
    recommendation: z
      .string()
      .nullable()
      .describe("The attributed recommendation; null when the panel did not decide."),
    answer: z.string().nullable().describe("The canonical answer; null when the panel did not decide."),
    leading: z.string().nullable().describe("The answer that leads at the end, decided or not."),
    reasons: z.array(z.object({ text: z.string(), refs: z.array(z.string()), by: z.array(z.string()) })),
    confidence: z.object({
      agreement: z.number().describe("The share of the panel that holds the leading answer."),
      convergence: z
        .number()
        .nullable()
        .describe("The judge's score of the last round; null when no judge could be heard."),
      stated: z
        .number()
        .nullable()
        .describe("The mean of what the seats behind the answer say of themselves; uncalibrated."),
    }),
    triggers: z.array(z.string()).describe("What should reopen the question."),
    unresolved: z.array(z.string()),
    dissent: z.array(Dissent),
    flips: z.array(Flip),
    votes: z.object({ before: Votes, after: Votes }),
    plainVote: z
      .object({ answer: z.string().nullable(), same: z.boolean() })
      .describe("What a plain vote of the blind first answers would have said, and whether it is the same."),
    voices: z
      .object({ seats: z.int(), lineages: z.int(), scopes: z.int(), effective: z.int() })
      .describe(
        "How independent the panel was: distinct lineages, distinct evidence, and distinct pairs of both that did not copy.",
      ),
    judge: z.string().nullable(),
    synthesizer: z.string().describe("Who wrote the recommendation."),
    notes: z.array(z.string()).describe("What a reader must know: fallbacks taken, shares in place of scores."),
  })
  .meta({ id: "Decision" });
export type Decision = z.infer<typeof Decision>;
