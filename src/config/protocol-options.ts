/**
 * A protocol's own options, from flags, a case and config files, held against the protocol's schema one by one.
 *
 * One by one, because the error must name the flag or the line that said it, and a check of the whole object knows neither.
 */
import type * as z from "zod";
import { UsageError } from "../errors.ts";
import type { Protocol } from "../protocol.ts";
import { didYouMean } from "./did-you-mean.ts";
import { issueText } from "./file-shape.ts";
import { type Said, spoken } from "./layers.ts";

/** The protocol of this name. */
export function protocolNamed(name: string, protocols: Readonly<Record<string, Protocol>>): Protocol {
  const found = Object.hasOwn(protocols, name) ? protocols[name] : undefined;
  if (found) return found;
  const known = Object.keys(protocols);
  throw new UsageError("unknown-protocol", `There is no protocol ${JSON.stringify(name)}.${didYouMean(name, known)}`, {
    hint: `Protocols in this version: ${known.join(", ")}.`,
  });
}

/** What the flags say about the protocol's options. */
export function optionFlags(protocol: Protocol, options: Record<string, unknown>, cwd: string): Said[] {
  return Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => spoken(`protocols.${protocol.name}.${key}`, value, `flag ${flagOf(key)}`, cwd));
}

/** What the protocol does when nobody says anything. */
export function optionDefaults(protocol: Protocol, cwd: string): Said[] {
  return Object.entries(protocol.options.shape).flatMap(([key, schema]) => {
    const parsed = (schema as z.ZodType).safeParse(undefined);
    return parsed.success && parsed.data !== undefined
      ? [spoken(`protocols.${protocol.name}.${key}`, parsed.data, "default", cwd)]
      : [];
  });
}

/** The options that were given, each in its proper shape. */
export function optionsOf(protocol: Protocol, won: Iterable<Said>): Record<string, unknown> {
  const prefix = `protocols.${protocol.name}.`;
  const options: Record<string, unknown> = {};
  const given = [...won].filter((said) => said.path.startsWith(prefix) && said.from !== "default");
  for (const said of given)
    options[said.path.slice(prefix.length)] = checkOption(protocol, said.path.slice(prefix.length), said);
  const whole = protocol.options.safeParse(options);
  if (whole.success) return options;
  const issue = whole.error.issues[0];
  const told = given.find((said) => said.path === `${prefix}${String(issue?.path[0])}`);
  throw refused(
    told ?? given[0],
    `the options of ${protocol.name} do not go together: ${issue?.message ?? "they are refused"}`,
    protocol,
  );
}

/** Holds every option of every known protocol in the config files against its schema; what is not asked for today is wrong tomorrow. */
export function checkConfigured(said: readonly Said[], protocols: Readonly<Record<string, Protocol>>): void {
  for (const one of said) {
    const [section, name = "", ...rest] = one.path.split(".");
    if (section !== "protocols") continue;
    const protocol = Object.hasOwn(protocols, name) ? protocols[name] : undefined;
    if (protocol) checkOption(protocol, rest.join("."), one);
    else {
      const known = Object.keys(protocols);
      throw new UsageError(
        "bad-config",
        `${one.place.where}: there is no protocol ${JSON.stringify(name)}.${didYouMean(name, known)}`,
        {
          hint: `Protocols in this version: ${known.join(", ")}.`,
        },
      );
    }
  }
}

function checkOption(protocol: Protocol, key: string, said: Said): unknown {
  const schema = Object.hasOwn(protocol.options.shape, key) ? (protocol.options.shape[key] as z.ZodType) : undefined;
  const typed = said.place.file === null;
  if (!schema) {
    const known = Object.keys(protocol.options.shape);
    const word = typed ? flagOf(key) : JSON.stringify(key);
    const meant = didYouMean(typed ? flagOf(key) : key, typed ? known.map(flagOf) : known);
    throw refused(said, `${word} is not an option of ${protocol.name}.${meant}`.replace(/\.$/u, ""), protocol);
  }
  const parsed = schema.safeParse(said.value);
  if (parsed.success) return parsed.data;
  // A flag's value is text until the schema says what it should have been.
  const reread = typed && typeof said.value === "string" ? schema.safeParse(valueIn(said.value)) : parsed;
  if (reread.success) return reread.data;
  const issue = reread.error.issues[0];
  throw refused(
    said,
    `${typed ? flagOf(key) : key} cannot be ${shown(said.value)}: ${issue ? issueText(issue) : "it is refused"}`,
    protocol,
  );
}

function refused(said: Said | undefined, problem: string, protocol: Protocol): UsageError {
  const file = said !== undefined && said.place.file !== null;
  const known = Object.keys(protocol.options.shape);
  return new UsageError(
    file ? "bad-config" : "bad-usage",
    `${file ? `${said.place.where}: ` : ""}${problem}${/[.?]$/u.test(problem) ? "" : "."}`,
    {
      hint: `Options of ${protocol.name}: ${(file ? known : known.map(flagOf)).join(", ")}.`,
    },
  );
}

function valueIn(text: string): unknown {
  const word = text.trim();
  if (/^-?\d+(?:\.\d+)?$/u.test(word)) return Number(word);
  if (word === "true" || word === "false") return word === "true";
  return word.includes(",") ? word.split(",").map((one) => one.trim()) : word;
}

const flagOf = (key: string): string => `--${key.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 100);
