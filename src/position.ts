/**
 * What a seat says: its position on the question, first alone and then after hearing its peers.
 *
 * Every protocol asks for these shapes, so a ballot means the same everywhere. Fields are nullable, never optional: providers that
 * enforce a schema want every field present.
 */
import * as z from "zod";

const line = (limit: number) => z.string().trim().min(1).max(limit);

export const Claim = z
  .object({
    text: line(2_000).describe("One thing held to be true."),
    refs: z.array(z.string().max(400)).max(20).describe("Evidence for it: `ref` or `ref#exact quote`."),
  })
  .meta({ id: "Claim" });

/** A first position, given before hearing anyone. */
export const Opening = z
  .object({
    position: line(8_000).describe("The recommendation in the seat's own words."),
    answer: line(200).describe("The same as a short canonical answer; one of the options where there are any."),
    claims: z.array(Claim).max(30).describe("What the position rests on."),
    caveats: z.array(line(1_000)).max(20).describe("What speaks against it, or limits it."),
    confidence: z.number().min(0).max(1).describe("How sure the seat says it is."),
    wouldChange: z.array(line(1_000)).max(20).describe("What would change its mind."),
    verdict: z
      .string()
      .regex(/^\S{1,64}$/u)
      .nullable()
      .describe("A one-word verdict, where the protocol asks for one."),
  })
  .meta({ id: "Opening" });
export type Opening = z.infer<typeof Opening>;

/** A position after reading the peers, with what is shared, what is not, and why it moved if it moved. */
export const Revision = Opening.extend({
  agreements: z
    .array(z.object({ with: line(64), on: line(2_000) }))
    .max(30)
    .describe("With whom, on what."),
  disagreements: z
    .array(z.object({ with: line(64), on: line(2_000), reason: line(2_000) }))
    .max(30)
    .describe("With whom, on what, and the reason in the substance."),
  changedBy: z
    .object({
      argument: line(2_000).describe("The argument that changed the answer."),
      from: z.string().max(64).nullable().describe("Whose it was."),
      refs: z.array(z.string().max(400)).max(20).describe("The evidence behind it."),
    })
    .nullable()
    .describe("What changed the answer; null when it did not change."),
}).meta({ id: "Revision" });
export type Revision = z.infer<typeof Revision>;

/** How far the positions of a round agree, on the three things that matter. */
export const Score = z
  .object({
    recommendation: z.number().min(0).max(1).describe("Agreement on the central recommendation."),
    facts: z.number().min(0).max(1).describe("Agreement on the key facts."),
    caveats: z.number().min(0).max(1).describe("Agreement on the critical caveats."),
  })
  .meta({ id: "Score" });
export type Score = z.infer<typeof Score>;

/** The attributed recommendation of a synthesizer. Dissent is not its to write: code builds that. */
export const Synthesis = z
  .object({
    recommendation: line(8_000).describe("What to do, in a few sentences."),
    answer: line(200).describe("The canonical answer it recommends."),
    reasons: z
      .array(
        z.object({
          text: line(2_000),
          refs: z.array(z.string().max(400)).max(20),
          by: z.array(z.string().max(64)).max(20),
        }),
      )
      .max(20)
      .describe("Why, each with its evidence and who brought it."),
    triggers: z.array(line(1_000)).max(20).describe("What should reopen the question."),
    unresolved: z.array(line(1_000)).max(20).describe("What the panel did not settle."),
  })
  .meta({ id: "Synthesis" });
export type Synthesis = z.infer<typeof Synthesis>;
