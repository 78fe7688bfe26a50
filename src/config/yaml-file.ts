/**
 * A YAML file with the line of everything in it.
 *
 * Files come from repositories and mail, so what the format offers beyond plain data is refused: tags, keys that are not words,
 * second documents, deep nesting, floods of aliases. Duplicate keys are looked for here and not by the parser, whose own check
 * compares every pair of keys and takes minutes over a hostile megabyte.
 */
import { dirname } from "node:path";
import type { Alias, Document, LineCounter, Node, Pair, ParsedNode, YAMLMap, YAMLSeq } from "yaml";
import { UsageError } from "../errors.ts";
import { readTextFile } from "./text-file.ts";

/** Largest YAML file, in bytes. */
export const yamlLimit = 2_000_000;
const maxDepth = 40;
const maxAliases = 100;

/** The steps from the top of a file to one value in it. */
export type Steps = readonly PropertyKey[];

/** A YAML file's plain data, and the place (`file:line`) of any value in it. */
export type YamlFile = { path: string; folder: string; data: unknown; at(steps: Steps): string };

/** Reads and parses a YAML file; `what` names it in errors, such as "the case file". */
export async function readYamlFile(path: string, what: string): Promise<YamlFile> {
  const file = await readTextFile(path, yamlLimit);
  if (file.problem !== undefined) {
    throw new UsageError("bad-config", `${capital(what)} ${path} cannot be used: ${file.problem}.`, {
      hint: "Check the path; paths in a file are relative to that file.",
    });
  }
  return parseYaml(path, file.text);
}

/** Parses YAML text as if it were read from this path. */
export async function parseYaml(path: string, text: string): Promise<YamlFile> {
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const refuse = (offset: number, problem: string): never => {
    const { line, col } = lines.linePos(offset);
    throw new UsageError("bad-config", `${path}:${line}:${col}: ${problem}.`, {
      hint: "Mend the YAML at that line and column; indentation is in spaces, and text with ': ' or '#' needs quotes.",
    });
  };
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    schema: "core",
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    stringKeys: true,
  });
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault) refuse(fault.pos[0], faultText(fault.code, fault.message));
  checkNodes(document.contents, yaml, refuse);
  const data = plainData(document, refuse);
  return { path, folder: dirname(path), data, at: (steps) => `${path}:${lineOf(document, lines, steps, yaml)}` };
}

type Yaml = typeof import("yaml");
type Refuse = (offset: number, problem: string) => never;

function faultText(code: string, text: string): string {
  if (code === "MULTIPLE_DOCS") return "the file holds more than one YAML document";
  if (code === "TAG_RESOLVE_FAILED") return `${text.replace(/\.$/u, "")}; tags are not allowed`;
  return text.replace(/\.$/u, "");
}

/** Aliases of aliases are counted by the parser, which knows how far they would multiply. */
function plainData(document: Document.Parsed, refuse: Refuse): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases });
  } catch (error) {
    return refuse(0, `the aliases cannot be followed: ${(error as Error).message}`);
  }
}

/** Walks every node without recursion, so that no file can be deeper than the stack. */
function checkNodes(root: ParsedNode | null, yaml: Yaml, refuse: Refuse): void {
  const anchors = new Set<string>();
  const waiting: { node: unknown; depth: number; closes?: string }[] = [{ node: root, depth: 0 }];
  let aliases = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth, closes } = next;
    if (closes !== undefined) anchors.add(closes);
    if (!yaml.isNode(node)) continue;
    const offset = node.range?.[0] ?? 0;
    if (depth > maxDepth) refuse(offset, `values are nested more than ${maxDepth} deep`);
    if (yaml.isAlias(node)) {
      if (++aliases > maxAliases) refuse(offset, `there are more than ${maxAliases} aliases`);
      if (!anchors.has(node.source)) refuse(offset, `the alias *${node.source} has no anchor before it`);
      continue;
    }
    // An anchor counts once its value is over: an alias within that value would make data without an end.
    if (node.anchor) anchors.delete(node.anchor);
    if (node.anchor) waiting.push({ node: null, depth, closes: node.anchor });
    if (node.tag && !plainTags.has(node.tag)) refuse(offset, `the tag ${node.tag} is not allowed`);
    if (yaml.isMap(node)) checkKeys(node, yaml, refuse);
    if (!yaml.isCollection(node)) continue;
    // Pushed backwards, so that nodes are met in the order of the file and an anchor comes before its aliases.
    for (const item of node.items.toReversed()) {
      waiting.push({ node: yaml.isPair(item) ? item.value : item, depth: depth + 1 });
    }
  }
}

const plainTags = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`),
);

function checkKeys(map: YAMLMap<unknown, unknown>, yaml: Yaml, refuse: Refuse): void {
  const seen = new Set<string>();
  for (const { key } of map.items) {
    const offset = yaml.isNode(key) ? (key.range?.[0] ?? 0) : (map.range?.[0] ?? 0);
    if (!yaml.isScalar(key)) refuse(offset, "a key must be a word");
    const name = String((key as { value: unknown }).value);
    // Libraries skip this key without a word, so what stands under it would be believed and not be in force.
    if (name === "__proto__") refuse(offset, "the key __proto__ is not allowed");
    if (seen.has(name)) refuse(offset, `the key ${JSON.stringify(name)} is there twice`);
    seen.add(name);
  }
}

/** The line of a value: of its key where it has one, and of what should hold it where it is missing. */
function lineOf(document: Document.Parsed, lines: LineCounter, steps: Steps, yaml: Yaml): number {
  let offset = document.contents?.range?.[0] ?? 0;
  let node: Node | null = document.contents;
  for (const step of steps) {
    if (yaml.isAlias(node)) node = (node as Alias).resolve(document) ?? null;
    const pair = yaml.isMap(node) ? pairOf(node as YAMLMap, step, yaml) : undefined;
    const item = yaml.isSeq(node) ? (node as YAMLSeq).items[Number(step)] : undefined;
    const found: unknown = pair ? pair.key : item;
    if (!yaml.isNode(found)) break;
    offset = found.range?.[0] ?? offset;
    node = (pair ? pair.value : item) as Node | null;
  }
  return lines.linePos(offset).line;
}

function pairOf(map: YAMLMap, step: PropertyKey, yaml: Yaml): Pair | undefined {
  return map.items.find((pair) => yaml.isScalar(pair.key) && String(pair.key.value) === String(step));
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
