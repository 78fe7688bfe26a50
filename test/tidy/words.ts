/** The glossary, and the names that must follow it: exported names, event names, fields of published shapes, flags and files. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Finding, Node, Source } from "./source.ts";
import { isNode, paths, root, walk } from "./source.ts";

export type Entry = { word: string; is: string; avoid: string[]; line: number };

/** The rows of every table in GLOSSARY.md whose head is "word | is | avoid". */
export function glossary(): Entry[] {
  const entries: Entry[] = [];
  let inside = false;
  for (const [index, line] of readFileSync(join(root, "GLOSSARY.md"), "utf8").split("\n").entries()) {
    const cells = /^\|(.*)\|\s*$/
      .exec(line)?.[1]
      ?.split("|")
      .map((cell) => cell.trim().replaceAll("`", ""));
    if (!cells) inside = false;
    else if (cells.join(" ") === "word is avoid") inside = true;
    else if (inside && !/^[-: ]+$/.test(cells.join(""))) {
      const [word = "", is = "", avoid = ""] = cells;
      entries.push({
        word,
        is,
        avoid: avoid
          .split(",")
          .map((each) => each.trim())
          .filter(Boolean),
        line: index + 1,
      });
    }
  }
  return entries;
}

/** `turnTimeoutMs`, `turn-timeout` and `turn_timeout` as words; a plural counts as its singular. */
export function wordsOf(name: string): string[] {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z]+/);
  return parts.filter(Boolean).flatMap((part) => {
    const word = part.toLowerCase();
    return word.endsWith("s") ? [word, word.slice(0, -1)] : [word];
  });
}

/** Names that hold a word the glossary says to avoid. */
export function avoidedWords(names: readonly Named[], entries: readonly Entry[]): Finding[] {
  const instead = new Map(
    entries.flatMap((entry) => entry.avoid.map((word) => [word.toLowerCase(), entry.word] as const)),
  );
  return names.flatMap(({ name, what, path, line }) => {
    const bad = wordsOf(name).find((word) => instead.has(word));
    return bad
      ? [{ path, line, problem: `${what} ${name}: the word here is "${instead.get(bad)}", not "${bad}"` }]
      : [];
  });
}

export type Named = { name: string; what: string; path: string; line: number };

export function exportedNames(files: readonly Source[]): Named[] {
  const found: Named[] = [];
  for (const file of files) {
    for (const node of file.program.body as Node[]) {
      if (node.type !== "ExportNamedDeclaration") continue;
      const line = file.lineAt(node.start);
      for (const name of declaredNames(node)) found.push({ name, what: "the export", path: file.path, line });
    }
  }
  return found;
}

function declaredNames(node: Node): string[] {
  const specifiers = (node.specifiers as { exported: { name?: string; value?: string } }[]) ?? [];
  const listed = specifiers.map(({ exported }) => exported.name ?? exported.value ?? "");
  const declaration = node.declaration;
  if (!isNode(declaration)) return listed;
  const declared = (declaration.declarations as { id: Node }[] | undefined)?.map(({ id }) => id) ?? [
    declaration.id as Node,
  ];
  return [...listed, ...declared.map((id) => String(id.name ?? ""))];
}

/** The fields of every shape under schema/, which is printed from the shapes in code. */
export function schemaFields(): Named[] {
  const found: Named[] = [];
  for (const path of paths("schema/*.json")) {
    const names = new Set<string>();
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        if (key === "properties") for (const name of Object.keys(inner as object)) names.add(name);
        visit(inner);
      }
    };
    visit(JSON.parse(readFileSync(join(root, path), "utf8")));
    for (const name of names) found.push({ name, what: "the field", path, line: 1 });
  }
  return found;
}

/** Every `--flag` that a string of the command line holds. */
export function flags(files: readonly Source[]): Named[] {
  const found: Named[] = [];
  for (const file of files) {
    walk(file.program, (node) => {
      const text = node.type === "TemplateElement" ? (node.value as { raw: string }).raw : node.value;
      if (typeof text !== "string") return;
      for (const [, name = ""] of text.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)) {
        found.push({ name, what: "the flag", path: file.path, line: file.lineAt(node.start) });
      }
    });
  }
  return found;
}

export function fileNames(files: readonly Source[]): Named[] {
  return files.map(({ path }) => ({ name: basename(path, ".ts"), what: "the file", path, line: 1 }));
}
