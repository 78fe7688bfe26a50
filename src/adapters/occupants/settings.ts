/**
 * Reads an occupant's settings with its schema.
 *
 * Settings are checked when the occupant is made, before any call, so that a wrong dossier ends in a usage error and never in a
 * seat that fails in every round.
 */
import * as z from "zod";
import { UsageError } from "../../errors.ts";
import type { OccupantSpec } from "../../seat.ts";

/** The settings of a spec, or a usage error that names the occupant and the field. */
export function settingsOf<Schema extends z.ZodType>(schema: Schema, spec: OccupantSpec): z.infer<Schema> {
  const read = schema.safeParse(spec.settings);
  if (read.success) return read.data;
  throw new UsageError("bad-config", `The settings of ${spec.name} cannot be used: ${z.prettifyError(read.error)}`, {
    hint: `Correct the file or the settings behind ${spec.name}.`,
  });
}
