/** The measures over whole processes: help, an offline debate, imports, and the simulator. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { goal, median, promise, type Row } from "./table.ts";
import { quiet } from "./workers.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "bin", "parley.js");

/** Whether the package is built: the command line is measured as users get it. */
export const isBuilt = existsSync(program) && existsSync(join(root, "dist", "index.js"));

type Started = { ms: number; stdout: string; status: number | null };

function start(args: readonly string[], cwd: string, env: Record<string, string> = {}): Started {
  const began = performance.now();
  const ended = spawnSync(process.execPath, args, {
    cwd,
    env: { ...process.env, ...quiet, ...env },
    encoding: "utf8",
    timeout: 120_000,
  });
  return { ms: performance.now() - began, stdout: ended.stdout, status: ended.status };
}

/** The median time of each command, taken in turns. */
function times(commands: readonly (() => Started)[], turns: number): number[] {
  const taken: number[][] = commands.map(() => []);
  for (let turn = -1; turn < turns; turn++) {
    for (const [at, command] of commands.entries()) {
      const { ms, status } = command();
      if (status !== 0) throw new Error(`A process that is measured ended with ${status}.`);
      // The first turn only fills the disk cache.
      if (turn >= 0) taken[at]?.push(ms);
    }
  }
  return taken.map(median);
}

export function help(turns: number): Row[] {
  const measure = "parley --help over bare node";
  if (!isBuilt) return [unbuilt(measure, "≤ +60 ms")];
  const [bare = 0, own = 0] = times([() => start(["-e", "0"], root), () => start([program, "--help"], root)], turns);
  const urls = modulesOf([program, "--help"]);
  const files = urls.filter((url) => url.startsWith("file:"));
  const heavy = [...adaptersIn(files), ...urls.filter((url) => url === "node:sqlite")];
  return [
    { measure, contender: "bare node", value: `${bare.toFixed(0)} ms`, ratio: null, need: "", verdict: "" },
    {
      measure,
      contender: "Parley",
      value: `+${(own - bare).toFixed(0)} ms, ${files.length} modules, ${heavy.length === 0 ? "no adapter" : heavy.join(", ")}`,
      ratio: null,
      need: "≤ +60 ms, no adapter",
      verdict: promise(heavy.length > 0 ? null : own - bare, 60),
    },
  ];
}

function modulesOf(args: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const file = join(folder, "modules.json");
  start(["--import", join(here, "count-modules.ts"), ...args], root, { PARLEY_BENCH_MODULES: file });
  const urls = JSON.parse(readFileSync(file, "utf8")) as string[];
  rmSync(folder, { recursive: true, force: true });
  return urls;
}

/**
 * The adapters whose code is in these files. The command line is bundled, so they are known by the functions they define; short
 * names such as `prepare` are left out, since others define them too.
 */
function adaptersIn(files: readonly string[]): string[] {
  const loaded = files.map((url) => readFileSync(fileURLToPath(url), "utf8")).join("\n");
  const adapters = readdirSync(join(root, "src", "adapters"), { recursive: true, encoding: "utf8" });
  return adapters.filter((path) => {
    if (!path.endsWith(".ts")) return false;
    const source = readFileSync(join(root, "src", "adapters", path), "utf8");
    const names = [...source.matchAll(/^export (?:async )?(function|class) (\w{8,})/gm)];
    return names.some(([, kind, name]) => new RegExp(`\\b${kind} ${name}\\b`).test(loaded));
  });
}

export function offlineDebate(turns: number): Row[] {
  const measure = "an offline debate, whole process";
  if (!isBuilt) return [unbuilt(measure, "≤ 1 s")];
  const examples = join(root, "examples");
  const name = readdirSync(examples).find((entry) => existsSync(join(examples, entry, "case.yml")));
  if (!name) return [{ ...unbuilt(measure, "≤ 1 s"), value: "no case in examples/" }];
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const env = { PARLEY_STATE: join(folder, "state"), HOME: folder };
  const debate = () => start([program, "debate", join(examples, name, "case.yml"), "--json"], folder, env);
  try {
    const first = debate();
    if (first.status !== 0 && first.status !== 3)
      return [{ ...unbuilt(measure, "≤ 1 s"), value: `ended with ${first.status}` }];
    const ms = median(Array.from({ length: turns }, () => debate().ms));
    const value = `${ms.toFixed(0)} ms (examples/${name})`;
    return [{ measure, contender: "Parley", value, ratio: null, need: "≤ 1 s (goal)", verdict: goal(ms, 1_000) }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function imports(turns: number): Row[] {
  const own = isBuilt ? "../dist/index.js" : "../src/index.ts";
  const modules: Record<string, string[]> = {
    "bare node": [],
    Parley: [own],
    "LangGraph.js + SQLite": ["@langchain/langgraph", "@langchain/langgraph-checkpoint-sqlite"],
    "Mastra + libSQL": ["@mastra/core/mastra", "@mastra/core/workflows", "@mastra/libsql"],
  };
  const commands = Object.values(modules).map((names) => {
    const code = `${names.map((name) => `await import(${JSON.stringify(name)});`).join("")}process.exit(0)`;
    return () => start(["--input-type=module", "-e", code], here);
  });
  const taken = times(commands, turns);
  const ours = taken[1] ?? Number.NaN;
  return Object.keys(modules).map((name, at) => ({
    measure: "import alone, whole process",
    contender: name,
    value: `${(taken[at] ?? 0).toFixed(0)} ms`,
    ratio: name === "Parley" ? null : ours / (taken[at] ?? Number.NaN),
    need: "",
    verdict: "",
  }));
}

/** Reads the simulator's own figure from what it prints. */
export function simulated(runs: number): Row[] {
  const measure = "simulated debates with faults per core-second";
  const need = "≥ 1,000";
  const script = join(root, "sim", "run.ts");
  const row: Row = { measure, contender: "Parley", value: "", ratio: null, need, verdict: "fail" };
  const { stdout, status } = start([script, "--runs", String(runs), "--seed", "1", "--no-mutants"], root);
  const figure = /^runs per core-second\s+([\d,]+)$/m.exec(stdout)?.[1];
  if (figure === undefined) return [{ ...row, value: `the simulator ended with ${status} and gave no figure` }];
  const perSecond = Number(figure.replaceAll(",", ""));
  return [{ ...row, value: perSecond.toLocaleString("en"), verdict: promise(1_000, perSecond) }];
}

function unbuilt(measure: string, need: string): Row {
  return { measure, contender: "Parley", value: "not built: npm run build", ratio: null, need, verdict: "fail" };
}
