/** The report of a failure that should not have happened: the error and the newest events, in the state folder, under a quotable id. */
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../adapters/stores/folder.ts";
import type { ParleyError } from "../../errors.ts";
import type { Call } from "./io.ts";
import { stateOf } from "./state.ts";

/** Writes what is known about a failure; a report that cannot be written must not hide the failure itself. */
export async function writeReport(call: Call, error: ParleyError): Promise<string> {
  const id = `e_${randomBytes(5).toString("hex")}`;
  try {
    const folder = join((await stateOf(call)).path, "reports");
    makeFolder(folder);
    const path = join(folder, `${id}.json`);
    await writeFile(path, `${JSON.stringify(reportOf(call, error), null, 2)}\n`, { flag: "wx", mode: 0o600 });
    return `Report ${id}: ${path}`;
  } catch (problem) {
    return `Report ${id} could not be written (${problem instanceof Error ? problem.message : String(problem)}).`;
  }
}

function reportOf(call: Call, error: ParleyError) {
  const { code, message, hint, stack } = error;
  const cause =
    error.cause instanceof Error ? { message: error.cause.message, stack: error.cause.stack } : (error.cause ?? null);
  return {
    code,
    message,
    hint,
    stack,
    cause,
    node: process.versions.node,
    argv: call.io.argv,
    run: call.trace.run,
    events: call.trace.events,
  };
}
