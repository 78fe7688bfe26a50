/**
 * The occupant made of code: the deterministic judge and synthesizer.
 *
 * One kind with two parts, so that a panel without a key is complete, and every chain of judges and synthesizers has an end that
 * cannot fail for want of a provider.
 */
import * as z from "zod";
import type { Occupant } from "../../ports.ts";
import type { OccupantSpec } from "../../seat.ts";
import { judge } from "./code-judge.ts";
import { synthesize } from "./code-synthesizer.ts";
import { pureOccupant } from "./pure.ts";
import { settingsOf } from "./settings.ts";

export const CodeSettings = z
  .strictObject({
    part: z
      .enum(["judge", "synthesizer"], "the parts made of code are judge and synthesizer")
      .describe("What it does: score how far positions agree, or write the synthesis."),
  })
  .meta({ id: "CodeSettings" });
export type CodeSettings = z.infer<typeof CodeSettings>;

/** Makes the judge or the synthesizer. */
export function code(spec: OccupantSpec): Occupant {
  const { part } = settingsOf(CodeSettings, spec);
  return pureOccupant((request) => (part === "judge" ? judge(request) : synthesize(request)));
}
