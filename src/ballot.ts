/** A ballot: one seat's answer in one round, with its citations checked by code. Ballots are never overwritten. */
import * as z from "zod";

export const Ballot = z
  .object({
    seat: z.string(),
    round: z.int().min(0),
    key: z.string().describe("The turn that cast it."),
    answer: z.string().describe("The canonical answer."),
    position: z.string().describe("The position in the seat's own words."),
    confidence: z.number(),
    verdict: z.string().nullable(),
    refs: z.array(z.string()).describe("Refs that exist, were visible to the seat and whose quotes match."),
    badRefs: z
      .array(z.object({ cite: z.string(), why: z.string() }))
      .describe("Citations that do not count, with the reason."),
    changedBy: z
      .object({ argument: z.string(), from: z.string().nullable(), refs: z.array(z.string()) })
      .nullable()
      .describe("What the seat says changed its answer; `refs` holds the valid ones alone."),
    newRefs: z.array(z.string()).describe("Valid refs it cites that it had not seen before this round."),
    copyOf: z
      .string()
      .nullable()
      .describe("The seat whose earlier words this repeats verbatim; such a ballot is no independent voice."),
    wouldChange: z.array(z.string()),
  })
  .meta({ id: "Ballot" });
export type Ballot = z.infer<typeof Ballot>;
