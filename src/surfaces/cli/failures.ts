/**
 * Failures: told in a sentence with the next step, as text or as one JSON object, with the exit status of the table.
 *
 * What should not have happened also leaves a report in the state folder, named by an id that can be quoted.
 */
import { errorCodes, ParleyError } from "../../errors.ts";
import { safe } from "../../render/safe.ts";
import type { Call } from "./io.ts";

/** Tells a failure and returns its exit status. */
export async function tellFailure(call: Call, cause: unknown): Promise<number> {
  const error = ParleyError.is(cause)
    ? cause
    : new ParleyError("internal", `Something inside Parley failed: ${textOf(cause)}`, { cause });
  const exit = errorCodes[error.code].exit;
  const report = exit === 1 ? await (await import("./report.ts")).writeReport(call, error) : null;
  const hint = [error.hint, report, wayOn(call, exit)].filter((part) => part !== null).join(" ");
  if (call.out.json) {
    call.out.answerJson({
      ok: false,
      error: { code: error.code, message: error.message, hint: hint || null, run: call.trace.run || null },
    });
    if (call.io.stdout.isTTY) return exit;
  }
  call.out.remark(`${call.out.remarkPaint("red", "error")} ${safe(error.message)} (${error.code})`);
  if (hint) call.out.say(`  ${hint}`);
  return exit;
}

function wayOn(call: Call, exit: number): string | null {
  return call.trace.run && exit === 1 ? `What was recorded is kept: parley resume ${call.trace.run}` : null;
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
