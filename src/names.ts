/**
 * The names a caller may choose: run ids, seat ids, evidence refs.
 *
 * They become parts of keys and of file names, so one allow-list holds for all of them; deny-lists of bad characters have failed others.
 */
import * as z from "zod";
import { UsageError } from "./errors.ts";

const shape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const reserved = new Set(["con", "prn", "aux", "nul", "judge", "synthesizer", "owner", "latest", "everyone"]);
const taken = /^(com|lpt)\d$|^(judge|synthesizer)-\d+$/;

/** Why a name cannot be used, or null when it can. */
export function nameProblem(name: string): string | null {
  if (!shape.test(name)) return "use 1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or digit";
  const stem = (name.split(".")[0] ?? "").toLowerCase();
  if (reserved.has(name.toLowerCase()) || reserved.has(stem) || taken.test(stem)) return "that word is reserved";
  if (name.includes("..")) return "'..' is not allowed";
  return null;
}

/** A name from a file or a flag, as a schema. */
export const Name = z.string().check((context) => {
  const problem = nameProblem(context.value);
  if (problem) context.issues.push({ code: "custom", message: problem, input: context.value });
});

/** Throws a sentence that says which name it was and what to do. */
export function checkName(what: string, name: string): string {
  const problem = nameProblem(name);
  if (problem)
    throw new UsageError("bad-name", `${what} ${JSON.stringify(name)} cannot be used: ${problem}.`, {
      hint: "Choose another name.",
    });
  return name;
}
