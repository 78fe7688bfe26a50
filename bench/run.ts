/**
 * The benchmark: Parley beside a bare loop, a naive floor, LangGraph.js and Mastra, all running the same scripted debate.
 *
 * Every figure is taken in the same run and judged as a ratio, since no two machines are alike and this one is never quiet.
 * Prints one table, writes it to docs/bench.md, and exits with 1 when a promise is broken. `--quick` measures less and writes
 * nothing; `--date` puts a date on the page.
 */
import { readFileSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { cpuDurable, cpuInMemory, full, inFlight, moreRounds, short, wallOverPath } from "./debates.ts";
import { help, imports, isBuilt, offlineDebate, simulated } from "./starts.ts";
import { type Row, table } from "./table.ts";

const { values: flags } = parseArgs({
  options: { quick: { type: "boolean", default: false }, date: { type: "string" } },
});
const size = flags.quick ? short : full;
const began = performance.now();
const rows: Row[] = [];
const steps: [string, () => Row[] | Promise<Row[]>][] = [
  ["wall time over critical path", () => wallOverPath(size)],
  ["processor time, durable", () => cpuDurable(size)],
  ["processor time, in memory", () => cpuInMemory(size)],
  ["debates in flight", () => inFlight(size)],
  ["more rounds", () => moreRounds(size)],
  ["simulator", () => simulated(flags.quick ? 2_000 : 60_000)],
  ["help", () => help(flags.quick ? 5 : 15)],
  ["offline debate", () => offlineDebate(flags.quick ? 3 : 7)],
  ["imports", () => imports(flags.quick ? 3 : 7)],
];
for (const [name, step] of steps) {
  process.stderr.write(`${name} …\n`);
  rows.push(...(await step()));
}
const seconds = Math.round((performance.now() - began) / 1_000);
const broken = rows.filter((row) => row.verdict === "fail");

console.log(`${facts().join("\n")}\n\n${table(rows)}\n`);
console.log(
  broken.length === 0
    ? `Every promise is kept. It took ${seconds} s.`
    : `${broken.length} broken. It took ${seconds} s.`,
);
if (!flags.quick) writeFileSync(new URL("../docs/bench.md", import.meta.url), page());
process.exitCode = broken.length === 0 ? 0 : 1;

/** What is said of the machine: enough to read the figures by, and nothing that names it. */
function facts(): string[] {
  const memory = Math.round(totalmem() / 2 ** 30);
  const onDisk = statfsSync(tmpdir()).type !== 0x01021994;
  const said = [
    `${availableParallelism()} cores, ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}, SQLite ${process.versions.sqlite}.`,
    `Parley is measured ${isBuilt ? "as built" : "from its source, not built"}.`,
    versions(),
  ];
  if (!onDisk) said.push("The temporary folder is in memory, so the durable figures leave the disk out.");
  if (flags.date) said.push(`Taken on ${flags.date}.`);
  return said;
}

function versions(): string {
  const read = readFileSync(new URL("./package.json", import.meta.url), "utf8");
  const { dependencies } = JSON.parse(read) as { dependencies: Record<string, string> };
  const named = ["@langchain/langgraph", "@langchain/langgraph-checkpoint-sqlite", "@mastra/core", "@mastra/libsql"];
  return `${named.map((name) => `${name} ${dependencies[name]}`).join(", ")}.`;
}

function page(): string {
  return `# Benchmark

Written by \`npm run bench\`; do not edit it. ${facts().join(" ")}

${table(rows)}

## What is measured

Every contender runs the same debate: three seats and three rounds (one blind, two of critique), a judge after each round, a
synthesis at the end; thirteen calls. Replies are written in advance, about 400 characters of JSON each; prompts carry the
question and the peers' last answers, one to two thousand characters. The seats never agree, so every round is held. Each
contender has a process of its own, warms up, and is measured in turns with the others; figures are medians, and a ratio is the
median of the ratios turn by turn. Processor time is user and system time of the whole process.

- **Wall time over critical path**: each call takes 50 ms and is timed itself; the path is the slowest seat of each round, the
  judge and the synthesis.
- **Processor time**: replies come at once. *Durable* is a file on disk. Parley and the floor commit with full sync. LangGraph.js
  and Mastra set SQLite's sync to NORMAL, which can lose the last commits in a power cut; they are held to the ratio with full sync
  and shown as they come besides. *Side by side* is twenty debates at once in one process, as a server has them, where turns of
  different debates share a commit too; *one at a time* is one debate after the other, where most of Parley's time is eight waits for
  the disk.
- **The naive floor** commits one event when the run starts, one before each call and one after it, each by itself. Parley writes
  more events than that and lets those that start or end together share a commit.
- **In flight**: so many debates begun at once in one process, 50 ms a call; the highest resident memory of the process. After it,
  every record is read back: its lines must be without gaps, closed, and as many as were announced. Parley has at most 256 calls of a
  process under way at once; the other debates are begun, on record, and wait.
- **Cost of a round**: a debate of 30 rounds, per round, over one of 3; processor time, and the bytes of its record.
- **Rivals** run as they come: default durability and validation, telemetry off, better-sqlite3 13 in place of 12 since that
  installs without a compiler. They keep the answers but not the prompts; the floor keeps both, and Parley
  keeps every word once, from which each prompt can be made again.

Repeat it with \`npm run build && npm run bench\`; \`npm run bench -- --quick\` takes a short look and writes nothing.
`;
}
