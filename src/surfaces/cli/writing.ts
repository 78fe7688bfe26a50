/**
 * The answer of a command in the form that was asked for, to stdout or to a file.
 *
 * A file gets what a pipe would get, so `-o decision.md` and `> decision.md` differ only in that the first never overwrites.
 */
import { resolve } from "node:path";
import { UsageError } from "../../errors.ts";
import { card } from "../../render/card.ts";
import { jsonView } from "../../render/json.ts";
import { markdown } from "../../render/markdown.ts";
import { plainPaint } from "../../render/paint.ts";
import { safe, safeJson } from "../../render/safe.ts";
import type { Line } from "../../chain.ts";
import type { Event } from "../../events.ts";
import type { View } from "../../transcript.ts";
import { checkFree, writeWhole } from "./files.ts";
import type { Call } from "./io.ts";

export type Form = "text" | "md" | "json" | "jsonl";

/** Where the answer goes and in what form; refused before any work when it cannot be written. */
export type Target = { form: Form; file: string | null; force: boolean };

/** A record as it was read: its exact lines, its events, and the view of them. */
export type Record = { lines: readonly Line[]; events: readonly Event[]; view: View };

/** Reads the flags that say what stdout carries. */
export async function targetOf(call: Call): Promise<Target> {
  const { json, jsonl, format, output, force } = call.flags;
  const asked = new Set([...(json ? ["json"] : []), ...(jsonl ? ["jsonl"] : []), ...(format ? [String(format)] : [])]);
  if (asked.size > 1) {
    throw new UsageError("bad-usage", `The answer can have one form, and ${[...asked].join(" and ")} were asked for.`, {
      hint: "Keep one of --json, --jsonl and --format.",
    });
  }
  const file = typeof output === "string" ? resolve(call.cwd, output) : null;
  if (file) await checkFree(file, force === true);
  return { form: ([...asked][0] ?? "text") as Form, file, force: force === true };
}

/** Writes a record in its form. */
export async function writeAnswer(call: Call, target: Target, record: Record, full = false): Promise<void> {
  if (target.file) {
    await writeWhole(target.file, textOf(target.form, record, full), target.force);
    call.out.say(`written ${target.file}`);
    return;
  }
  if (target.form === "jsonl") for (const line of record.lines) call.out.answerLine(line.text);
  else if (target.form === "json") call.out.answerJson(jsonOf(record));
  else if (target.form === "md") call.out.answer(safe(markdown(record.view, headOf(record))));
  else call.out.answer(cardOf(record, call.out.answerPaint, call.out.answerWidth, full));
}
