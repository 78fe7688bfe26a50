/**
 * The kill trial: start a debate whose seats take about a second, kill it with SIGKILL at a random moment, resume it; many times.
 *
 * Everything is judged from outside: the exit statuses, the lines that were printed before the kill, the record as exported, and
 * the seats' own record of the calls they got. `npm run trial:kill -- --times 50 --at-once 4`.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

type Ended = { status: number | null; stdout: string; stderr: string };
type Trial = { id: string; killedAtMs: number; doubts: number; calls: number; problems: string[]; decision: string };

const { values } = parseArgs({
  options: {
    times: { type: "string", default: "50" },
    "at-once": { type: "string", default: "4" },
    "seat-ms": { type: "string", default: "1000" },
  },
});
const parley = resolve("bin/parley.js");
const folder = mkdtempSync(join(tmpdir(), "parley-kill-"));
const calls = join(folder, "calls.jsonl");
const env = {
  ...process.env,
  PARLEY_STATE: join(folder, "state"),
  PARLEY_TRIAL_RECORD: calls,
  PARLEY_TRIAL_MS: values["seat-ms"],
};

try {
  writeFileSync(calls, "");
  writeFileSync(join(folder, "case.yml"), caseText());
  const baseline = await command(["debate", "case.yml", "--id", "baseline", "--json", "--trust"]);
  if (baseline.status !== 0) throw new Error(`The uninterrupted run failed: ${baseline.stderr}`);
  const expected = decisionOf(baseline.stdout);
  const whole = callsOf("baseline").length;
  const trials = await many(Number(values.times), Number(values["at-once"]), (index) => trial(`k${index}`, whole));
  report(trials, expected, whole);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function trial(id: string, whole: number): Promise<Trial> {
  const killedAtMs = Math.round(Math.random() * Number(values["seat-ms"]) * 4.5);
  const first = await command(["debate", "case.yml", "--id", id, "--jsonl"], killedAtMs);
  const problems: string[] = [];
  // A run that was killed before its first commit was never acknowledged: it is begun again, and nobody had been asked.
  const begun = (await command(["show", id, "--json"])).status !== 2;
  if (!begun && callsOf(id).length > 0) problems.push("a seat was called by a run that is not on record");
  const next = begun ? ["resume", id, "--in-doubt", "retry", "--json"] : ["debate", "case.yml", "--id", id, "--json"];
  const resumed = await command(next);
  if (resumed.status !== 0) problems.push(`resume exited ${resumed.status}: ${resumed.stderr.slice(-300)}`);
  const verified = await command(["verify", id]);
  if (verified.status !== 0) problems.push(`verify exited ${verified.status}`);
  const lines = (await command(["show", id, "--format", "jsonl"])).stdout.split("\n").filter((line) => line !== "");
  const shown = first.stdout.split("\n").slice(0, -1);
  if (shown.some((line, index) => lines[index] !== line))
    problems.push("an event that had been shown is not in the record");
  const events = lines.map((line) => JSON.parse(line) as { type: string; key?: string; attempt?: number });
  const doubts = events.filter((event) => event.type === "doubt-found");
  const made = callsOf(id);
  for (const { key } of events.filter((event) => event.type === "turn-end")) {
    const allowed = 1 + doubts.filter((doubt) => doubt.key === key).length;
    const asked = made.filter((call) => call.key === key).length;
    if (asked > allowed) problems.push(`${key} was asked ${asked} times with ${allowed - 1} in doubt`);
  }
  if (made.length > whole + doubts.length)
    problems.push(`${made.length} calls, where ${whole} and ${doubts.length} in doubt explain fewer`);
  return { id, killedAtMs, doubts: doubts.length, calls: made.length, problems, decision: decisionOf(resumed.stdout) };
}

function report(trials: readonly Trial[], expected: string, whole: number): void {
  const differing = trials.filter((trial) => trial.decision !== expected);
  const failed = trials.filter((trial) => trial.problems.length > 0 || trial.decision !== expected);
  const sum = (of: (trial: Trial) => number) => trials.reduce((total, trial) => total + of(trial), 0);
  console.log(`killed and resumed        ${trials.length}`);
  console.log(
    `ended and verified        ${trials.length - trials.filter((trial) => trial.problems.length > 0).length}`,
  );
  console.log(
    `killed with calls in doubt ${trials.filter((trial) => trial.doubts > 0).length} (${sum((trial) => trial.doubts)} calls)`,
  );
  console.log(
    `calls of an uninterrupted run ${whole}; over all trials ${sum((trial) => trial.calls)}, of which in doubt at most ${sum((trial) => trial.doubts)}`,
  );
  console.log(
    `recorded answers asked for again ${sum((trial) => trial.problems.filter((problem) => problem.includes("was asked")).length)}`,
  );
  console.log(`decisions unlike the uninterrupted run's ${differing.length}`);
  for (const { id, killedAtMs, problems } of failed)
    console.error(`${id}, killed after ${killedAtMs} ms: ${problems.join("; ") || "another decision"}`);
  console.log(`${trials.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

function command(args: string[], killAfterMs?: number): Promise<Ended> {
  return new Promise((settle, fail) => {
    const child = spawn(process.execPath, [parley, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    child.on("error", fail);
    child.on("close", (status) => settle({ status, stdout, stderr }));
    if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  });
}

function callsOf(run: string): { run: string; key: string; attempt: number }[] {
  const lines = readFileSync(calls, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line)).filter((call) => call.run === run);
}

function decisionOf(json: string): string {
  try {
    return createHash("sha256")
      .update(JSON.stringify(JSON.parse(json).decision))
      .digest("hex");
  } catch {
    return "none";
  }
}

async function many<Value>(times: number, atOnce: number, work: (index: number) => Promise<Value>): Promise<Value[]> {
  const results: Value[] = [];
  let next = 0;
  const worker = async () => {
    while (next < times) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

function caseText(): string {
  const seat = resolve("scripts/kill-trial-seat.js");
  const program = JSON.stringify(process.execPath);
  const occupant = `{ name: ${JSON.stringify(`command:${process.execPath}`)}, args: [${JSON.stringify(seat)}], env: [PARLEY_TRIAL_RECORD, PARLEY_TRIAL_MS] }`;
  const seats = ["bold", "cautious", "steady"].map((id) => `    - { id: ${id}, occupant: ${occupant} }`).join("\n");
  return `# program: ${program}\nquestion: Shall we release on Friday?\noptions: [go, wait]\npanel:\n  seats:\n${seats}\n`;
}
