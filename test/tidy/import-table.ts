/**
 * Who may import whom. Imports go one way, from the surfaces down to the nouns, and this table is the whole rule.
 *
 * A row names its files, the rows it may see besides itself, and the packages it may use. A file that stands in no row fails the
 * test until it has a place, so the table cannot fall behind the tree.
 */
import { matchesGlob } from "node:path";

export type Row = {
  name: string;
  files: readonly string[];
  sees: readonly string[];
  /** Packages and built-in modules; "any" leaves the choice to package.json. */
  packages: readonly string[] | "any";
};

const nouns = ["nouns", "transcript"];
const core = [...nouns, "chain", "ports", "protocol"];

export const importTable: readonly Row[] = [
  {
    name: "nouns",
    files: ["src/{errors,names,question,seat,evidence,position,ballot,decision,limits,events,answers,chance}.ts"],
    sees: [],
    packages: ["zod"],
  },
  { name: "transcript", files: ["src/{transcript,upgrade}.ts"], sees: ["nouns"], packages: ["zod"] },
  { name: "chain", files: ["src/chain.ts"], sees: nouns, packages: ["node:crypto"] },
  { name: "ports", files: ["src/ports.ts"], sees: [...nouns, "chain"], packages: ["zod"] },
  { name: "protocol", files: ["src/{protocol,conclude}.ts"], sees: nouns, packages: ["zod"] },
  {
    name: "room",
    files: ["src/{room,turn,attempt,recorder,budget,prompt,reading,circuit,live-run,horizon}.ts"],
    sees: core,
    packages: ["zod"],
  },
  { name: "protocols", files: ["src/protocols/*.ts"], sees: ["nouns", "protocol"], packages: ["zod"] },
  { name: "run", files: ["src/run.ts"], sees: [...core, "room"], packages: ["zod"] },
  { name: "adapters", files: ["src/adapters/**/*.ts"], sees: ["nouns", "chain", "ports"], packages: "any" },
  { name: "render", files: ["src/render/**/*.ts"], sees: nouns, packages: ["zod", "node:util"] },
  { name: "config", files: ["src/config/**/*.ts"], sees: [...core, "protocols"], packages: "any" },
  {
    name: "index",
    files: ["src/index.ts"],
    sees: [...core, "room", "protocols", "run", "adapters", "render"],
    packages: [],
  },
  { name: "testing", files: ["src/testing/**/*.ts"], sees: [...core, "adapters", "run"], packages: "any" },
  {
    // A surface takes a noun from the noun's own file, because loading the index would cost every short command the whole engine.
    name: "surfaces",
    files: ["src/surfaces/**/*.ts"],
    sees: [...core, "index", "run", "protocols", "config", "render", "adapters"],
    packages: "any",
  },
];

/** The row a file stands in; null when it has no place yet. */
export function rowOf(path: string): Row | null {
  return importTable.find((row) => row.files.some((pattern) => matchesGlob(path, pattern))) ?? null;
}

/** Files that a browser must be able to load, with everything they import. */
export const browserSafe = ["src/events.ts", "src/transcript.ts"];
