/**
 * Trust in the programs of a recorded run: a store can come with a repository, so what it would start is asked about like a file.
 *
 * A run that begins here has had its programs allowed or typed, and that is remembered for its store; it then resumes without a word.
 */
import { CommandSettings } from "../../adapters/occupants/command.ts";
import { settleTrust } from "../../config/index.ts";
import type { RunInput } from "../../run.ts";
import type { OccupantSpec } from "../../seat.ts";
import { asker } from "./asking.ts";
import type { Call } from "./io.ts";

type Seated = Pick<RunInput, "seats" | "judges" | "synthesizers">;

/** Remembers the programs of a run that begins in a store. */
export async function rememberPrograms(call: Call, run: Seated, store: string): Promise<void> {
  const asking = { cwd: call.cwd, env: call.io.env, trust: true, confirm: null };
  await settleTrust(programsOf(run, store), asking);
}

/** Refuses to go on with a run whose programs nobody has allowed for this store. */
export async function checkPrograms(call: Call, run: Seated, store: string): Promise<void> {
  const asking = { cwd: call.cwd, env: call.io.env, trust: call.flags.trust === true, confirm: asker(call) };
  await settleTrust(programsOf(run, store), asking);
}

function programsOf({ seats, judges, synthesizers }: Seated, store: string) {
  const specs: OccupantSpec[] = [...seats.map((seat) => seat.occupant), ...judges, ...synthesizers];
  return specs
    .filter((spec) => spec.kind === "command")
    .map((spec) => {
      const { program, args, env } = CommandSettings.parse(spec.settings);
      return { file: store, program, args, env };
    });
}
