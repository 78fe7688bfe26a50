/**
 * The project's own source as data: each TypeScript file with its lines, its syntax tree, its comments and its imports.
 *
 * The rules of `tidy.test.ts` read a real syntax tree rather than text, so a word inside a string or a comment breaks no rule.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync } from "rolldown/utils";

/** The project's folder; every path in the rules is relative to it and has forward slashes. */
export const root = join(import.meta.dirname, "..", "..");

/** Any node of a syntax tree: a type, a place, and whatever else its type gives it. */
export type Node = { type: string; start: number; end: number; [field: string]: unknown };

export type Comment = { type: "Line" | "Block"; value: string; start: number; end: number };

/** An import or re-export: what it names, and the file behind it when that is one of ours. */
export type Import = { specifier: string; target: string | null; line: number };

export type Source = {
  path: string;
  text: string;
  lines: number;
  program: Node;
  comments: readonly Comment[];
  imports: readonly Import[];
  lineAt(offset: number): number;
};

/** A broken rule: where, and what is wrong there. */
export type Finding = { path: string; line: number; problem: string };

/** Findings as the failure message shows them: one line each, in an order that does not change. */
export function listed(findings: readonly Finding[]): string[] {
  return findings.map(({ path, line, problem }) => `${path}:${line}  ${problem}`).sort();
}

const parsed = new Map<string, Source>();

/** The TypeScript files under the given folders. */
export function sources(...folders: string[]): Source[] {
  const inside = folders.filter((folder) => existsSync(join(root, folder)));
  return inside.flatMap((folder) => paths(`${folder}/**/*.ts`).map(source));
}

/** The project's files that match a pattern, installed packages and built output left out. */
export function paths(pattern: string): string[] {
  const found = globSync(pattern, {
    cwd: root,
    exclude: (name) => /(^|[\\/])(node_modules|dist|\.parley)$/.test(name),
  });
  return found.map((path) => path.replaceAll("\\", "/")).sort();
}

export function source(path: string): Source {
  const known = parsed.get(path);
  if (known) return known;
  const text = readFileSync(join(root, path), "utf8");
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  const lineAt = (offset: number): number => {
    const next = starts.findIndex((start) => start > offset);
    return next < 0 ? starts.length : next;
  };
  const tree = program as unknown as Node;
  const lines = text.endsWith("\n") ? starts.length - 1 : starts.length;
  const made: Source = { path, text, lines, program: tree, comments, imports: importsOf(path, tree, lineAt), lineAt };
  parsed.set(path, made);
  return made;
}

/** Visits every node with its parent, from the outside in. */
export function walk(node: Node, visit: (node: Node, parent: Node | null) => void, parent: Node | null = null): void {
  visit(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, node);
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** The text of a string literal or of a template without holes; null for anything else. */
export function plainText(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type !== "TemplateLiteral") return null;
  const pieces = node.quasis as { value: { cooked: string } }[];
  return pieces.length === 1 ? (pieces[0]?.value.cooked ?? null) : null;
}

/** The name at the root of `a`, `a.b.c` or `a.b(…)`; null when it is not a plain name. */
export function rootName(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "Identifier") return node.name as string;
  return rootName(node.object ?? node.callee);
}

const importing = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSImportType",
]);

function importsOf(path: string, program: Node, lineAt: (offset: number) => number): Import[] {
  const found: Import[] = [];
  walk(program, (node) => {
    if (!importing.has(node.type)) return;
    const specifier = plainText(node.source);
    if (specifier === null) return;
    const target = specifier.startsWith(".") ? normalize(join(dirname(path), specifier)).replaceAll("\\", "/") : null;
    found.push({ specifier, target, line: lineAt(node.start) });
  });
  return found;
}
