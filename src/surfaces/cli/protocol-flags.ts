/**
 * A protocol's own flags, printed from its options schema.
 *
 * The schema says everything once: add an option there, and its flag, its choices, its default and its help are here.
 */
import type { Command as Commander } from "commander";
import { Option } from "commander";
import * as z from "zod";
import type { Protocol } from "../../protocol.ts";
import { countOf, numberOf } from "./program.ts";

type Property = {
  type?: string;
  enum?: unknown[];
  anyOf?: Property[];
  items?: Property;
  default?: unknown;
  description?: string;
};

/** Adds the flags of a protocol to its command; names the command has already keep their meaning. */
export function addProtocolFlags(command: Commander, protocol: Protocol): void {
  const taken = new Set(command.options.map((option) => option.attributeName()));
  for (const [name, property] of propertiesOf(protocol)) {
    if (!taken.has(name)) command.addOption(flagOf(name, property).helpGroup(`The ${protocol.name} protocol:`));
  }
}

/** What was set of the protocol's own options, out of all flags. */
export function protocolOptions(protocol: Protocol, flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = propertiesOf(protocol).filter(([name]) => Object.hasOwn(flags, name));
  return Object.fromEntries(given.map(([name]) => [name, flags[name]]));
}

function propertiesOf(protocol: Protocol): [string, Property][] {
  const schema = z.toJSONSchema(protocol.options, { io: "input", unrepresentable: "any" }) as {
    properties?: Record<string, Property>;
  };
  return Object.entries(schema.properties ?? {});
}

function flagOf(name: string, property: Property): Option {
  const inner = property.anyOf?.find((part) => part.type !== "null") ?? property;
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const means = `${property.description ?? inner.description ?? ""}${defaultText(property.default)}`.trim();
  if (inner.type === "boolean" && property.default === true)
    return new Option(`--no-${flag}`, `Do not ${uncapital(means)}`);
  if (inner.type === "boolean") return new Option(`--${flag}`, means);
  const option = new Option(
    `--${flag} <${inner.enum ? "choice" : inner.type === "integer" ? "n" : (inner.type ?? "value")}>`,
    means,
  );
  if (inner.enum) option.choices(inner.enum.map(String));
  else if (inner.type === "integer") option.argParser(countOf);
  else if (inner.type === "number") option.argParser(numberOf);
  else if (inner.type === "array")
    option.argParser((value: string, held: string[] | undefined) => [...(held ?? []), value]);
  return option;
}

function defaultText(value: unknown): string {
  return value === undefined || value === null || typeof value === "boolean"
    ? ""
    : ` (default: ${JSON.stringify(value)})`;
}

const uncapital = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
