/**
 * The printed pages: every reference page and JSON Schema, made from the shapes in code.
 *
 * A shape is defined once, in Zod, with a sentence for each field; what a reader or an editor sees is printed from it and never
 * written by hand, so it cannot fall behind.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { CaseFile, Config, Dossier } from "../src/config/index.ts";
import { errorCodes, exitCodes, missKinds } from "../src/errors.ts";
import { Event } from "../src/events.ts";
import { Limits } from "../src/limits.ts";
import { protocols } from "../src/protocols/index.ts";
import { cliPage } from "./cli-page.ts";
import { fieldTable, type Schema, schemaTable, table, wordLists } from "./tables.ts";
import { withTree } from "./tree.ts";

/** Every printed file: its path in the project, and its text. */
export function pages(): Map<string, string> {
  const read = { io: "input" } as const;
  const agents = readFileSync(join(import.meta.dirname, "../AGENTS.md"), "utf8");
  return new Map([
    ["schema/events.json", schema("Parley events", eventSchema())],
    ["schema/config.json", schema("parley.yml", z.toJSONSchema(Config, read))],
    ["schema/case.json", schema("case.yml", z.toJSONSchema(CaseFile, read))],
    ["schema/dossier.json", schema("dossier.yml", z.toJSONSchema(Dossier, read))],
    ["schema/protocols.json", schema("Options of the protocols", protocolSchema())],
    ["docs/reference/events.md", eventsPage()],
    ["docs/reference/errors.md", errorsPage()],
    ["docs/reference/exit-codes.md", exitCodesPage()],
    ["docs/reference/limits.md", limitsPage()],
    ["docs/reference/options.md", optionsPage()],
    ["docs/reference/cli.md", cliPage()],
    ["AGENTS.md", withTree(agents, ["src", "sim", "scripts", "bench"])],
  ]);
}

function schema(title: string, { $schema, ...rest }: Schema): string {
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}

const hash = { type: "string", pattern: "^[0-9a-f]{64}$" } as const;

/** A line of a record is an event sealed with two more fields, so the schema must let them be there. */
function eventSchema(): Schema {
  return z.toJSONSchema(Event, {
    override: ({ jsonSchema }) => {
      if (!jsonSchema.properties?.seq || !jsonSchema.properties.epoch) return;
      delete jsonSchema.additionalProperties;
      jsonSchema.properties.prev = { ...hash, description: "In a stored line: the hash of the line before it." };
      jsonSchema.properties.hash = { ...hash, description: "In a stored line: the SHA-256 of the line up to here." };
    },
  });
}

function protocolSchema(): Schema {
  const $defs = Object.fromEntries(
    Object.values(protocols).map(({ name, summary, options }) => {
      const { $schema, ...rest } = z.toJSONSchema(options, { io: "input" });
      return [name, { description: summary, ...rest }];
    }),
  );
  return { $schema: "https://json-schema.org/draft/2020-12/schema", $defs };
}

const printed = "Printed from the code by `npm run print`; do not edit.";

function eventsPage(): string {
  const full = z.toJSONSchema(Event);
  const defs = (full.$defs ?? {}) as Record<string, Schema>;
  const events = Event.options.map((option) => option.shape.type.value as string);
  const fieldsOf = (event: string) => Object.keys(defs[event]?.properties ?? {});
  const shared = fieldsOf(events[0] ?? "").filter(
    (name) => name !== "type" && events.every((event) => fieldsOf(event).includes(name)),
  );
  const only = (event: string, keep: (name: string) => boolean) => {
    const fields = Object.entries(defs[event]?.properties ?? {}).filter(([name]) => keep(name));
    return schemaTable({ properties: Object.fromEntries(fields) }, full);
  };
  const own = events.map(
    (event) =>
      `## ${event}\n\n${defs[event]?.description}\n\n${only(event, (name) => name !== "type" && !shared.includes(name))}`,
  );
  const shapes = Object.keys(defs)
    .filter((name) => !events.includes(name) && !name.startsWith("__"))
    .sort();
  return `# Events

${printed} The JSON Schema is \`schema/events.json\`.

A run is its events, numbered from 0 without gaps. A stored line is the event as JSON, followed by two fields that chain the lines:
\`prev\`, the hash of the line before it, and \`hash\`, the SHA-256 of the line's bytes up to \`,"hash"\`.

Every event has its \`type\`, which is its name below, and these fields:

${only(events[0] ?? "", (name) => shared.includes(name))}
${own.join("\n")}
# Shapes

${shapes.map((name) => `## ${name}\n\n${schemaTable(defs[name] ?? {}, full)}`).join("\n")}
# Words

${Object.entries(wordLists).map(wordSection).join("\n")}`;
}

function wordSection([name, words]: [string, readonly string[]]): string {
  return `## ${name}\n\n${words.map((word) => `\`${word}\``).join(", ")}\n`;
}

function errorsPage(): string {
  const rows = Object.entries(errorCodes).map(([code, { exit, http, means }]) => [
    `\`${code}\``,
    means,
    `${exit}`,
    `${http}`,
  ]);
  return `# Errors

${printed}

Every error has a code, a sentence with the facts, and a hint that says what to do next. Reaching a budget is not an error.

${table(["code", "means", "exit", "http"], rows)}
## Why a seat did not answer

A seat that does not answer is no error of the run: the record keeps a miss of one of these kinds, and the run goes on while the
quorum holds.

${missKinds.map((kind) => `- \`${kind}\``).join("\n")}
`;
}

function exitCodesPage(): string {
  const rows = Object.entries(exitCodes).map(([code, means]) => [code, means]);
  return `# Exit codes

${printed}

${table(["exit", "means"], rows)}`;
}

function limitsPage(): string {
  return `# Limits

${printed}

What a run may use. Times are in milliseconds, sizes in characters. Reaching a budget is an ending, not an error.

${fieldTable(Limits.shape)}`;
}

function optionsPage(): string {
  const sections = Object.values(protocols).map(
    ({ name, summary, minSeats, options }) =>
      `## ${name}\n\n${summary} At least ${minSeats} seats. The essay is in \`docs/protocols/${name}.md\`.\n\n${fieldTable(options.shape)}`,
  );
  return `# Options of the protocols

${printed} The JSON Schema is \`schema/protocols.json\`.

${sections.join("\n")}`;
}
