/**
 * Failures: told in a sentence with the next step, as text or as one JSON object, with the exit status of the table.
 *
 * What should not have happened also leaves a report in the state folder, named by an id that can be quoted.
 */
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCodes, ParleyError } from "../../errors.ts";
import { safe } from "../../render/safe.ts";
import type { Call } from "./io.ts";

/** Tells a failure and returns its exit status. */
export async function tellFailure(call: Call, cause: unknown): Promise<number> {
  const error = ParleyError.is(cause) ? cause : new ParleyError("internal", `Something inside Parley failed: ${textOf(cause)}`, { cause });
  const exit = errorCodes[error.code].exit;
  const report = exit === 1 ? await writeReport(call, error) : null;
  const hint = [error.hint, report, wayOn(call, exit)].filter((part) => part !== null).join(" ");
  if (call.out.json) {
    call.out.answerJson({ ok: false, error: { code: error.code, message: error.message, hint: hint || null, run: call.trace.run || null } });
    if (call.io.stdout.isTTY) return exit;
  }
  call.out.remark(`${call.out.remarkPaint("red", "error")} ${safe(error.message)} (${error.code})`);
  if (hint) call.out.say(`  ${hint}`);
  return exit;
}

function wayOn(call: Call, exit: number): string | null {
  return call.trace.run && exit === 1 ? `What was recorded is kept: parley resume ${call.trace.run}` : null;
}

/** Writes what is known about a failure; a report that cannot be written must not hide the failure itself. */
export async function writeReport(call: Call, error: ParleyError): Promise<string> {
  const id = `e_${randomBytes(5).toString("hex")}`;
  try {
    const { stateFolder } = await import("../../config/index.ts");
    const folder = join((await stateFolder({ cwd: call.cwd, env: call.io.env })).path, "reports");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${id}.json`);
    await writeFile(path, `${JSON.stringify(reportOf(call, error), null, 2)}\n`, { flag: "wx", mode: 0o600 });
    return `Report ${id}: ${path}`;
  } catch (problem) {
    return `Report ${id} could not be written (${textOf(problem)}).`;
  }
}

function reportOf(call: Call, error: ParleyError) {
  const { code, message, hint, stack } = error;
  const cause = error.cause instanceof Error ? { message: error.cause.message, stack: error.cause.stack } : (error.cause ?? null);
  return { code, message, hint, stack, cause, node: process.versions.node, argv: call.io.argv, run: call.trace.run, events: call.trace.events };
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
