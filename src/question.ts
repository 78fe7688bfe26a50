/** The question: what is to be settled, with the material everyone is shown. */
import * as z from "zod";

/** Longest question and longest piece of shared material, in characters; a limit on everything. */
export const questionLimit = 20_000;
export const contextLimit = 200_000;

export const Question = z
  .object({
    text: z
      .string()
      .check(z.refine((text) => text.trim().length > 0, "the question is empty"))
      .max(questionLimit, `the question is longer than ${questionLimit} characters`)
      .describe("What is to be settled, in the asker's words."),
    options: z
      .array(z.string().min(1).max(200))
      .max(50)
      .default([])
      .describe("The answers to choose from; empty when the question is open."),
    context: z
      .array(z.object({ name: z.string().max(200), text: z.string().max(contextLimit) }))
      .max(50)
      .default([])
      .describe("Material shown to every seat."),
  })
  .meta({ id: "Question" });
export type Question = z.infer<typeof Question>;
