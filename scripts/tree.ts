/** The tree of the source in AGENTS.md, printed from the sentence that each file opens with. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const begin = "<!-- The tree, printed by `npm run print`; do not edit. -->";
const end = "<!-- The end of the tree. -->";

/** AGENTS.md with its tree as the files are now. */
export function withTree(page: string, folders: readonly string[]): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error("AGENTS.md has lost the two marks around its tree.");
  return `${before}${begin}\n\n${folders.flatMap(branches).join("\n")}\n\n${end}${after}`;
}

function branches(folder: string): string[] {
  const files = globSync(`${folder}/**/*.ts`, { cwd: root, exclude: (path) => basename(path) === "node_modules" });
  const byFolder = Map.groupBy(files.map((path) => path.replaceAll("\\", "/")).sort(), dirname);
  return [...byFolder]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, paths]) => [`- \`${name}/\``, ...paths.map(leaf)]);
}

function leaf(path: string): string {
  return `  - \`${basename(path)}\`: ${openingSentence(readFileSync(join(root, path), "utf8"))}`;
}

/** The first sentence of the comment a file opens with. */
function openingSentence(text: string): string {
  const comment = /^(?:#!.*\n)?\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? "";
  const [first = ""] = comment
    .replace(/^\s*\* ?/gm, "")
    .trim()
    .split(/\n\s*\n/);
  const plain = first.replace(/\s+/g, " ");
  return /^.*?[.!?](?= |$)/.exec(plain)?.[0] ?? plain;
}
