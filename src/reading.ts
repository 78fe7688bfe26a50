/**
 * Reading a reply: strict extraction of one JSON value, then the turn's schema. Nothing is ever inferred from text that cannot be read.
 */
import type * as z from "zod";
import { jsonDepth } from "./json-depth.ts";

/** The deepest JSON that is read; deeper text is refused before it is parsed. */
const depthLimit = 64;

export type Reading<Said> = { said: Said; problem: null } | { said: null; problem: string };

/** Reads a reply with a schema; the problem, where there is one, is what a repair call is told. */
export function readReply<Said>(text: string, schema: z.ZodType<Said>): Reading<Said> {
  const json = extract(text);
  if (json === null) return { said: null, problem: "the reply holds no JSON object" };
  if (jsonDepth(json) > depthLimit) return { said: null, problem: `the JSON is nested deeper than ${depthLimit}` };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { said: null, problem: `the JSON cannot be parsed: ${(error as Error).message.slice(0, 200)}` };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { said: parsed.data, problem: null };
  const issues = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join(".") || "the reply"}: ${issue.message}`);
  return { said: null, problem: issues.join("; ") };
}

/** The whole text, the one fenced block, or the span from the first brace to its partner. */
function extract(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.startsWith("{") && trimmed.endsWith("}")) return trimmed;
  const fenced = /^[^{]*```(?:json)?\s*\n(\{[\s\S]*?\})\s*```/.exec(trimmed);
  if (fenced?.[1]) return fenced[1];
  const open = trimmed.indexOf("{");
  if (open < 0) return null;
  const close = partner(trimmed, open);
  return close < 0 ? null : trimmed.slice(open, close + 1);
}

/** Where the brace at `open` is closed, strings respected; -1 when it is not. */
function partner(text: string, open: number): number {
  let level = 0;
  let inString = false;
  for (let i = open; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 92) i++;
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 123) level++;
    else if (char === 125 && --level === 0) return i;
  }
  return -1;
}
