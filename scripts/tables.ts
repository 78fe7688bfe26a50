/** Markdown tables of fields, made from JSON Schemas: name, type, default and the field's own sentence. */
import * as z from "zod";
import { statuses, stopReasons } from "../src/decision.ts";
import { missKinds } from "../src/errors.ts";

export type Schema = z.core.JSONSchema.JSONSchema;

/** A Markdown table. Bars inside cells are escaped, so a type such as `a | b` stays in its cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return `${[line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")}\n`;
}

/** Lists of words that are too long for a cell; the events page prints each once. */
export const wordLists: Readonly<Record<string, readonly string[]>> = {
  Status: statuses,
  StopReason: stopReasons,
  MissKind: missKinds,
};

/** The table of a Zod shape's fields. */
export function fieldTable(fields: z.ZodRawShape): string {
  const full = z.toJSONSchema(z.object(fields), { io: "input" });
  return schemaTable(full, full);
}

/** One row for each field of an object. Named shapes inside it are found in `full`, and have tables of their own. */
export function schemaTable(object: Schema, full: Schema): string {
  const rows = rowsOf(object, full, "");
  if (rows.some((row) => row.fallback !== "")) {
    const cells = rows.map(({ name, type, fallback, meaning }) => [name, type, fallback && `\`${fallback}\``, meaning]);
    return table(["field", "type", "default", "meaning"], cells);
  }
  return table(
    ["field", "type", "meaning"],
    rows.map(({ name, type, meaning }) => [name, type, meaning]),
  );
}

type Row = { name: string; type: string; fallback: string; meaning: string };

/** How many fields an unnamed shape may have to be told in one cell; a larger one has a row for each. */
const inOneCell = 3;

function rowsOf(object: Schema, full: Schema, before: string): Row[] {
  return Object.entries(object.properties ?? {}).flatMap(([field, property]) => {
    const schema = property as Schema;
    const inner = Object.keys(schema.properties ?? {}).length;
    const fallback = schema.default === undefined ? "" : JSON.stringify(schema.default);
    const type = inner > inOneCell ? "object" : typeName(schema);
    const row = {
      name: `\`${before}${field}\``,
      type: `\`${type}\``,
      fallback,
      meaning: sentence(schema, full, inner <= inOneCell),
    };
    return inner > inOneCell ? [row, ...rowsOf(schema, full, `${before}${field}.`)] : [row];
  });
}

/** The field's own sentence, else that of what it may be, and the sentences of the fields of a small unnamed shape. */
function sentence(schema: Schema, full: Schema, withInner: boolean): string {
  const options = (schema.anyOf ?? schema.oneOf ?? []) as Schema[];
  const own =
    [schema, resolved(schema, full), ...options].find(({ description }) => description !== undefined)?.description ??
    "";
  const inner = withInner ? (Object.entries(schema.properties ?? {}) as [string, Schema][]) : [];
  const told = inner
    .filter(([, { description }]) => description)
    .map(([name, { description }]) => `\`${name}\`: ${description}`);
  return [own, ...told].filter(Boolean).join(" ");
}

function resolved(schema: Schema, full: Schema): Schema {
  return (schema.$ref && full.$defs?.[nameOf(schema.$ref)]) || schema;
}

function nameOf(ref: string): string {
  return ref.replace("#/$defs/", "");
}

/** A type as a reader writes it: `string`, `integer | null`, `Ballot[]`, `"a" | "b"`. */
function typeName(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref).startsWith("__") ? "json" : nameOf(schema.$ref);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return either.map((option) => typeName(option as Schema)).join(" | ");
  if (schema.enum) return wordList(schema.enum) ?? schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.type)) return schema.type.join(" | ");
  if (schema.type === "array") return `${wrapped(typeName((schema.items ?? {}) as Schema))}[]`;
  if (schema.type !== "object") return schema.type ?? "json";
  if (schema.properties) return `{ ${Object.keys(schema.properties).join(", ")} }`;
  return `map of ${typeName((schema.additionalProperties ?? {}) as Schema)}`;
}

function wordList(values: readonly unknown[]): string | undefined {
  const same = (words: readonly string[]) =>
    words.length === values.length && words.every((word) => values.includes(word));
  return Object.entries(wordLists).find(([, words]) => same(words))?.[0];
}

function wrapped(type: string): string {
  return type.includes(" | ") ? `(${type})` : type;
}
