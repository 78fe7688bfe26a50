/**
 * The name of an occupant, split at its first colon: the kind, and what that kind needs to know.
 *
 * Kinds that the design has and this version does not are known by name, so that asking for one gets an honest answer and not a
 * spelling hint.
 */
import { UsageError } from "../errors.ts";
import { didYouMean } from "./did-you-mean.ts";
import type { Place } from "./layers.ts";

/** The kinds of occupant in this version. */
export const kinds = ["evidence", "rules", "script", "command", "person", "code"] as const;
export type Kind = (typeof kinds)[number];

const takesPositions: readonly Kind[] = ["evidence", "rules", "person"];
const laterKinds = ["openai", "anthropic", "google", "ollama", "acp"];
const forms =
  "evidence:FILE, rules:FILE, script:FILE.jsonl, command:./program, person; code:judge and code:synthesizer judge and write";

/** Where an occupant sits: a place on the panel, or one of the two that are no seats. */
export type Part = "seat" | "judge" | "synthesizer";

/** The kind of an occupant and the rest of its name. */
export function splitName(name: string, part: Part, place: Place): { kind: Kind; rest: string } {
  const at = name.indexOf(":");
  const kind = (at < 0 ? name : name.slice(0, at)).trim();
  const rest = at < 0 ? "" : name.slice(at + 1).trim();
  const known = kinds.find((one) => one === kind);
  if (known === undefined) throw unknown(name, kind, place);
  const problem = restProblem(known, rest, part);
  if (problem)
    throw new UsageError("unknown-occupant", `${place.where}: ${JSON.stringify(name)} cannot be used: ${problem}.`, {
      hint: `Occupants are ${forms}.`,
    });
  return { kind: known, rest };
}

function unknown(name: string, kind: string, place: Place): UsageError {
  const shown = JSON.stringify(name);
  if (laterKinds.includes(kind)) {
    return new UsageError(
      "unknown-occupant",
      `${place.where}: ${shown} cannot be seated: ${kind} occupants are not in this version of Parley.`,
      {
        hint: `Use one that is: ${forms}. A command can call a model for you.`,
      },
    );
  }
  const said = kind === "" ? "has no kind before its colon" : `names no kind of occupant that Parley knows`;
  return new UsageError("unknown-occupant", `${place.where}: ${shown} ${said}.${didYouMean(kind, kinds)}`, {
    hint: `Occupants are ${forms}.`,
  });
}

function restProblem(kind: Kind, rest: string, part: Part): string | null {
  if (rest.includes("\0")) return "it holds a NUL character";
  if (part !== "seat" && takesPositions.includes(kind))
    return `${kind} occupants take positions and cannot be the ${part}`;
  if (kind === "person") return rest.length <= 200 ? null : "a person's name has at most 200 characters";
  if (kind !== "code")
    return rest === "" ? `${kind}: needs a ${kind === "command" ? "program" : "file"} after the colon` : null;
  if (rest !== "judge" && rest !== "synthesizer") return "code is either code:judge or code:synthesizer";
  if (part === "seat") return `code:${rest} cannot take a seat, it only ${rest === "judge" ? "judges" : "writes"}`;
  return rest === part ? null : `code:${rest} cannot be the ${part}`;
}
