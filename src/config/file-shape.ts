/**
 * Holds a YAML file against its schema, and turns the first thing that is wrong into one sentence with a line number.
 *
 * Values are never repeated in these sentences, only keys: what stands in the wrong place may be a secret.
 */
import * as z from "zod";
import { UsageError } from "../errors.ts";
import { didYouMean } from "./did-you-mean.ts";
import type { Steps, YamlFile } from "./yaml-file.ts";

/** The file's data in its proper shape; `what` names the kind of file in errors. */
export function shaped<Schema extends z.ZodType>(file: YamlFile, schema: Schema, what: string): z.output<Schema> {
  const parsed = schema.safeParse(file.data ?? {});
  if (parsed.success) return parsed.data;
  throw misshapen(file, schema, what, parsed.error.issues);
}

/** The error for the first of these issues. */
export function misshapen(
  file: YamlFile,
  schema: z.ZodType,
  what: string,
  issues: readonly z.core.$ZodIssue[],
): UsageError {
  // A key that is misspelt is also a key that is missing, and the spelling is what the writer can see.
  const first = issues.find((issue) => issue.code === "unrecognized_keys") ?? issues[0];
  if (!first) return new UsageError("bad-config", `${file.path}: this is not ${what}.`, { hint: "Check the file." });
  const { steps, text } = described(first, schema, []);
  const stop = text.endsWith("?") ? "" : ".";
  const more = issues.length > 1 ? ` (${issues.length - 1} more in this file.)` : "";
  return new UsageError("bad-config", `${file.at(steps)}: ${text}${stop}${more}`, {
    hint: `Mend that line; the file must have the shape of ${what}.`,
  });
}

type Described = { steps: Steps; text: string };

function described(issue: z.core.$ZodIssue, schema: z.ZodType, above: Steps): Described {
  const steps = [...above, ...issue.path];
  if (issue.code === "invalid_union") {
    const branch = deepest(issue.errors);
    const nested = branch.find((inner) => inner.code === "unrecognized_keys") ?? branch[0];
    if (nested) return described(nested, schema, steps);
  }
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const known = keysAt(schema, steps);
    return { steps: [...steps, key], text: `unknown key ${JSON.stringify(key)}${where(steps)}${meant(key, known)}` };
  }
  if (issue.code === "invalid_key")
    return { steps, text: `the name ${quoted(steps.at(-1))} cannot be used: ${issue.issues[0]?.message}` };
  return { steps, text: `${steps.length === 0 ? "the file" : dotted(steps)}: ${issueText(issue)}` };
}

/** What is wrong with a value, in words. */
export function issueText(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") {
    if (issue.input === undefined && /received undefined/u.test(issue.message)) return "it is missing";
    const got = /received (\w+)/u.exec(issue.message)?.[1] ?? "something else";
    const quote = issue.expected === "string" && (got === "number" || got === "boolean") ? " (put it in quotes)" : "";
    return `it must be ${article(issue.expected)}, not ${article(got)}${quote}`;
  }
  if (issue.code === "invalid_value")
    return `it must be one of ${issue.values.map((value) => String(value)).join(", ")}`;
  const size = issue.message.startsWith("Too ") ? sizeText(issue) : null;
  if (size !== null) return size;
  return issue.message.replace(/\.$/u, "").replace(/^Invalid input: /u, "");
}

function sizeText(issue: z.core.$ZodIssue): string | null {
  const unit: Readonly<Record<string, string>> = { string: " characters", array: " items" };
  if (issue.code === "too_big") return `it must be at most ${issue.maximum}${unit[issue.origin] ?? ""}`;
  if (issue.code !== "too_small") return null;
  return `it must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}${unit[issue.origin] ?? ""}`;
}

/** The branch of a union whose first complaint lies deepest is the one the writer meant. */
function deepest(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  const depth = (issues: readonly z.core.$ZodIssue[]): number => {
    const first = issues[0];
    if (!first) return -1;
    return first.path.length + (first.code === "invalid_type" && first.path.length === 0 ? 0 : 1);
  };
  return [...branches].sort((a, b) => depth(b) - depth(a))[0] ?? [];
}

/** The keys a schema knows at some place, for "did you mean". */
function keysAt(schema: z.ZodType, steps: Steps): string[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => keysAt(option as z.ZodType, steps));
  const [step, ...rest] = steps;
  if (step === undefined) return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
  if (inner instanceof z.ZodObject) {
    const next = inner.shape[String(step)];
    return next ? keysAt(next as z.ZodType, rest) : [];
  }
  if (inner instanceof z.ZodArray) return keysAt(inner.element as z.ZodType, rest);
  if (inner instanceof z.ZodRecord) return keysAt(inner.valueType as z.ZodType, rest);
  return [];
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  return schema;
}

function meant(key: string, known: readonly string[]): string {
  const near = didYouMean(key, known);
  if (near !== "") return `.${near}`;
  return known.length > 0 ? `; known here: ${known.join(", ")}` : "";
}

function article(type: string): string {
  const words: Readonly<Record<string, string>> = {
    object: "a map",
    array: "a list",
    string: "text",
    int: "a whole number",
    null: "empty",
  };
  return words[type] ?? `a ${type}`;
}

const where = (steps: Steps): string => (steps.length === 0 ? "" : ` in ${dotted(steps)}`);
const quoted = (step: PropertyKey | undefined): string => JSON.stringify(String(step ?? ""));

/** `panel.seats[2].id`: how a place in a file is written. */
function dotted(steps: Steps): string {
  return steps
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index > 0 ? "." : ""}${String(step)}`))
    .join("");
}
