/**
 * What code may not reach for itself: clocks, dice, the network, files, timers, and in protocols any concurrency of its own.
 *
 * The engine takes all of these from its ports, which is what lets the same code run in a test, a terminal and the simulator.
 */
import type { Finding, Node, Source } from "./source.ts";
import { source, walk } from "./source.ts";

const worldNames = new Set([
  "Date",
  "Temporal",
  "performance",
  "crypto",
  "fetch",
  "WebSocket",
  "EventSource",
  "XMLHttpRequest",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "process",
  "Deno",
  "Bun",
  "globalThis",
  "require",
]);
const joins = new Set(["all", "allSettled", "any", "race"]);

/** Uses of a clock, dice, network, timer or process by name. */
export function worldUses(files: readonly Source[]): Finding[] {
  return eachNode(files, (node, parent) => {
    if (isMember(node, "Math", (name) => name === "random"))
      return "Math.random is not the same twice: take dice from a port";
    const name = node.type === "Identifier" && !isLabel(node, parent) ? (node.name as string) : "";
    return worldNames.has(name) ? `${name} reaches outside: take it from a port` : null;
  });
}

/** Uses of `Promise.all` and its like. */
export function joinUses(files: readonly Source[]): Finding[] {
  return eachNode(files, (node) => {
    if (!isMember(node, "Promise", (name) => joins.has(name))) return null;
    return "a protocol owns no concurrency: use room.askAll";
  });
}

/** Imports of built-in modules, other than those named. */
export function builtinImports(files: readonly Source[], except: readonly string[] = []): Finding[] {
  return files.flatMap((file) =>
    file.imports
      .filter(({ specifier }) => specifier.startsWith("node:") && !except.includes(specifier))
      .map(({ specifier, line }) => ({
        path: file.path,
        line,
        problem: `${specifier} reaches outside: take it from a port`,
      })),
  );
}

/** Everything that the given files import, directly or not, with themselves. */
export function closure(paths: readonly string[]): Source[] {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { target } of source(path).imports) if (target) visit(target);
  };
  for (const path of paths) visit(path);
  return [...seen].map(source);
}

/** Imports of anything but our own files and the given packages. */
export function packageImports(files: readonly Source[], allowed: readonly string[]): Finding[] {
  return files.flatMap((file) =>
    file.imports
      .filter(({ target, specifier }) => target === null && !allowed.includes(packageOf(specifier)))
      .map(({ specifier, line }) => ({ path: file.path, line, problem: `may not import ${specifier}` })),
  );
}

/** `node:fs/promises` is `node:fs`, `zod/v4` is `zod`, `@scope/name/part` is `@scope/name`. */
export function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function eachNode(files: readonly Source[], problemOf: (node: Node, parent: Node | null) => string | null): Finding[] {
  const found: Finding[] = [];
  for (const file of files) {
    walk(file.program, (node, parent) => {
      const problem = problemOf(node, parent);
      if (problem) found.push({ path: file.path, line: file.lineAt(node.start), problem });
    });
  }
  return found;
}

function isMember(node: Node, object: string, named: (name: string) => boolean): boolean {
  if (node.type !== "MemberExpression") return false;
  const { object: left, property } = node as unknown as { object: Node; property: Node };
  if (left.type !== "Identifier" || left.name !== object) return false;
  return named(String(property.type === "Literal" ? property.value : property.name));
}

/** A name that only labels a property, as in `x.process` or `{ process: 1 }`, reaches nothing. */
function isLabel(node: Node, parent: Node | null): boolean {
  if (!parent || parent.computed === true) return false;
  return parent.property === node || (parent.key === node && parent.shorthand !== true);
}
