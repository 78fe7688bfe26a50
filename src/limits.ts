/** What a run may use: budgets, clocks, sizes. Reaching a budget is a result, never an error. */
import * as z from "zod";

const milliseconds = (text: string) =>
  z
    .int()
    .min(1)
    .max(30 * 86_400_000)
    .describe(text);

/** What happens at a budget: end with what was gathered, note it and go on, or stop so that it can be resumed. */
export const OnBudget = z.enum(["harvest", "continue", "resume"]);
export type OnBudget = z.infer<typeof OnBudget>;

/** What happens to a call that a crash cut off: send it again, count it as missed, or ask. */
export const InDoubt = z.enum(["retry", "fail", "ask"]);
export type InDoubt = z.infer<typeof InDoubt>;

export const Limits = z
  .object({
    maxTokens: z
      .int()
      .min(0)
      .nullable()
      .default(null)
      .describe("Tokens for the whole run; no call is made whose cap does not fit."),
    maxUsd: z.number().min(0).nullable().default(null).describe("US dollars for the whole run."),
    maxTurns: z.int().min(0).nullable().default(null).describe("Calls for the whole run, retries and repairs counted."),
    maxTimeMs: milliseconds("Running time for the whole run, over all its resumptions.").nullable().default(null),
    onBudget: OnBudget.default("harvest").describe("What happens when a budget is reached."),
    inDoubt: InDoubt.nullable()
      .default(null)
      .describe("What happens to a call cut off by a crash; null leaves it to the occupant."),
    quorum: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe("How many seats must answer a round; null is more than half, and two at least."),
    turnTimeoutMs: milliseconds("The whole of one call.").default(120_000),
    connectMs: milliseconds("Until a streaming occupant is connected.").default(15_000),
    firstTokenMs: milliseconds("From the connection to the first token.").default(60_000),
    betweenChunksMs: milliseconds("Between two chunks of a stream.").default(30_000),
    graceMs: milliseconds(
      "How long a round waits for the rest once the quorum has answered; null waits out the turn's own clock.",
    )
      .nullable()
      .default(null),
    attempts: z.int().min(1).max(3).default(3).describe("How often one turn is tried."),
    peerChars: z.int().min(200).max(200_000).default(8_000).describe("How much of each peer's text a seat is shown."),
    replyChars: z.int().min(1_000).max(4_000_000).default(1_000_000).describe("The longest reply that is read."),
  })
  .meta({ id: "Limits" });
export type Limits = z.infer<typeof Limits>;

/** How many seats must answer: what was asked for, or more than half and two at least. */
export function quorumOf(limits: Limits, seats: number): number {
  return Math.min(limits.quorum ?? Math.max(2, Math.floor(seats / 2) + 1), seats);
}
