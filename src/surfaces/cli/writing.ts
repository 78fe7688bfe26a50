/**
 * The answer of a command in the form that was asked for, to stdout or to a file.
 *
 * A file gets what a pipe would get, so `-o decision.md` and `> decision.md` differ only in that the first never overwrites.
 */
import { resolve } from "node:path";
import { UsageError } from "../../errors.ts";
import type { Record } from "../../record.ts";
import { card } from "../../render/card.ts";
import { jsonText, jsonView } from "../../render/json.ts";
import { markdown } from "../../render/markdown.ts";
import { type Paint, plainPaint } from "../../render/paint.ts";
import { checkFree, writeWhole } from "./files.ts";
import { fullRecord } from "./full-record.ts";
import type { Call } from "./io.ts";

type Form = "text" | "md" | "json" | "jsonl";

/** Where the answer goes and in what form. */
export type Target = { form: Form; file: string | null; force: boolean; full: boolean };

const fileWidth = 100;

/** Reads the flags that say what stdout carries; refuses, before any work, a file that cannot be written. */
export async function targetOf(call: Call): Promise<Target> {
  const { json, jsonl, format, output, force, full } = call.flags;
  const asked = new Set([...(json ? ["json"] : []), ...(jsonl ? ["jsonl"] : []), ...(format ? [String(format)] : [])]);
  if (asked.size > 1) {
    throw new UsageError("bad-usage", `The answer can have one form, and ${[...asked].join(" and ")} were asked for.`, {
      hint: "Keep one of --json, --jsonl and --format.",
    });
  }
  const file = typeof output === "string" ? resolve(call.cwd, output) : null;
  if (file) await checkFree(file, force === true);
  return { form: ([...asked][0] ?? "text") as Form, file, force: force === true, full: full === true };
}

/** Writes a record in its form. */
export async function writeAnswer(call: Call, target: Target, record: Record, place?: string): Promise<void> {
  const { form, file } = target;
  if (file) {
    await writeWhole(file, answerText(target, record, { paint: plainPaint, width: fileWidth, place }), target.force);
    call.out.say(`written ${file}`);
  } else if (form === "jsonl") {
    for (const line of record.lines) call.out.answerLine(line.text);
  } else if (form === "json") {
    call.out.answerJson(jsonView(record.view, { head: headOf(record), place }));
  } else {
    call.out.answer(answerText(target, record, { paint: call.out.answerPaint, width: call.out.answerWidth, place }));
  }
}

type Look = { paint: Paint; width: number; place?: string | undefined };

function answerText({ form, full }: Target, record: Record, { paint, width, place }: Look): string {
  const head = headOf(record);
  if (form === "jsonl") return eventsText(record);
  if (form === "json") return `${jsonText(jsonView(record.view, { head, place }))}\n`;
  if (form === "md") return markdown(record.view, { head });
  const page = card(record.view, { width, paint, head });
  return full ? `${page}\n${fullRecord(record, { width, paint })}` : page;
}

/** The exact lines of a record, as a file. */
export function eventsText(record: Record): string {
  return record.lines.map((line) => `${line.text}\n`).join("");
}

/** The hash that stands for the whole record: that of its last line. */
export function headOf(record: Record): string | undefined {
  return record.lines.at(-1)?.hash;
}
