/**
 * Who may import whom. Imports go one way, from the surfaces down to the nouns, and this table is the whole rule.
 *
 * A row names its files, the rows it may see besides itself, and the packages it may use; a file stands in the first row that names
 * it. A file that stands in none fails the test until it has a place, so the table cannot fall behind the tree.
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
const core = [...nouns, "chain", "ports", "prompt", "record", "protocol"];

export const importTable: readonly Row[] = [
  {
    name: "nouns",
    files: [
      "src/{errors,names,question,seat,evidence,position,ballot,decision,limits,events}.ts",
      "src/{answers,chance,hidden,json-depth,version}.ts",
    ],
    sees: [],
    packages: ["zod"],
  },
  { name: "transcript", files: ["src/{transcript,upgrade}.ts"], sees: ["nouns"], packages: ["zod"] },
  { name: "chain", files: ["src/chain.ts"], sees: nouns, packages: ["node:crypto"] },
  { name: "ports", files: ["src/ports.ts"], sees: [...nouns, "chain"], packages: ["zod"] },
  { name: "prompt", files: ["src/prompt.ts"], sees: [...nouns, "chain", "ports"], packages: ["zod"] },
  {
    name: "record",
    files: ["src/{verify,record,rebuild}.ts"],
    sees: [...nouns, "chain", "ports", "prompt"],
    packages: ["zod"],
  },
  { name: "protocol", files: ["src/{protocol,conclude,hearing}.ts"], sees: nouns, packages: ["zod"] },
  { name: "protocols", files: ["src/protocols/*.ts"], sees: ["nouns", "protocol"], packages: ["zod"] },
  {
    name: "room",
    files: ["src/{room,asking,casting,horizon,live-run,turn,attempt,reading,budget,circuit,gate,recorder}.ts"],
    sees: core,
    packages: ["zod"],
  },
  { name: "run", files: ["src/{run,starting,doubt,ending}.ts"], sees: [...core, "room"], packages: ["zod"] },
  // One function makes untrusted text safe to show, so whoever writes to a terminal must be able to see it.
  { name: "safe", files: ["src/render/{safe,wrap}.ts"], sees: [], packages: [] },
  { name: "adapters", files: ["src/adapters/**/*.ts"], sees: ["nouns", "chain", "ports", "safe"], packages: "any" },
  { name: "render", files: ["src/render/**/*.ts"], sees: [...nouns, "safe"], packages: ["node:util"] },
  {
    // The shapes of files hold the settings of occupants, so what an adapter needs is said once and checked when the file is read.
    name: "config",
    files: ["src/config/**/*.ts"],
    sees: [...core, "protocols", "run", "adapters", "safe"],
    packages: "any",
  },
  { name: "index", files: ["src/index.ts"], sees: [...core, "protocols", "run"], packages: [] },
  { name: "testing", files: ["src/testing/**/*.ts"], sees: [...core, "run", "adapters"], packages: "any" },
  {
    // A surface takes a noun from the noun's own file, because loading the index would cost every short command the whole engine.
    name: "surfaces",
    files: ["src/surfaces/**/*.ts"],
    sees: [...core, "protocols", "run", "index", "adapters", "config", "render", "safe"],
    packages: "any",
  },
];

/** The row a file stands in; null when it has no place yet. */
export function rowOf(path: string): Row | null {
  return importTable.find((row) => row.files.some((pattern) => matchesGlob(path, pattern))) ?? null;
}

/** Files that a browser must be able to load, with everything they import. */
export const browserSafe = ["src/events.ts", "src/transcript.ts"];
