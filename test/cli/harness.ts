/**
 * Runs the command line for tests: in this process where that is enough, in a real one where streams, signals or exits matter.
 *
 * Every test works in its own folder and shares no state with the machine: the state folder, the home and the config folder are
 * all below it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { main } from "../../src/surfaces/cli/app.ts";
import type { Io, OutputStream, SignalName } from "../../src/surfaces/cli/io.ts";

export const entry = join(import.meta.dirname, "../../src/surfaces/cli/main.ts");

export type Ran = { code: number; out: string; err: string };

type Choices = { env?: Record<string, string>; stdin?: string; tty?: boolean; rows?: number };

/** A folder for one test file, with a state folder and a home inside. */
export function place(): { folder: string; env: Record<string, string>; state: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "parley-cli-"));
  const state = join(folder, "state");
  const env = { PARLEY_STATE: state, HOME: folder, XDG_CONFIG_HOME: join(folder, "xdg"), PATH: process.env.PATH ?? "" };
  return { folder, env, state, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function write(folder: string, files: Record<string, string | Buffer>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Runs one command line in this process. */
export async function parley(
  cwd: string,
  env: Record<string, string>,
  argv: string[],
  choices: Choices = {},
): Promise<Ran> {
  const stdout = new Sink(choices);
  const stderr = new Sink(choices);
  const stdin = new PassThrough();
  stdin.end(choices.stdin ?? "");
  const io: Io = {
    argv,
    stdin,
    stdout: stdout as OutputStream,
    stderr: stderr as OutputStream,
    env: { ...env, ...choices.env },
    cwd,
    onSignal: () => () => {},
    exit: (code) => {
      throw new Error(`left with ${code}`);
    },
    self: [process.execPath, entry],
  };
  const code = await main(io);
  return { code, out: stdout.text, err: stderr.text };
}

class Sink extends Writable {
  text = "";
  readonly isTTY: boolean;
  readonly columns = 100;
  readonly rows: number;
  constructor(choices: Choices) {
    super();
    this.isTTY = choices.tty === true;
    this.rows = choices.rows ?? 30;
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString("utf8");
    done();
  }
}

/** Starts a real process; its streams are pipes. */
export function start(cwd: string, env: Record<string, string>, argv: string[], node: string[] = [entry]) {
  const child = spawn(process.execPath, [...node, ...argv], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ran = { code: -1, out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (ran.out += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (ran.err += chunk.toString("utf8")));
  const ended = new Promise<Ran & { signal: NodeJS.Signals | null }>((resolve) => {
    child.on("close", (code, signal) => resolve({ ...ran, code: code ?? -1, signal }));
  });
  return { child, ran, ended, interrupt: (name: SignalName) => kill(child, name) };
}

function kill(child: ChildProcess, name: SignalName): void {
  child.kill(name);
}

/** Waits until what was written so far says so. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let looks = 0; looks < 1_000; looks++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`never happened: ${what}`);
}

/** The hidden-profile case of these tests: every seat alone prefers `left`, and the pooled evidence decides for `right`. */
export function caseFiles(delayMs = 0): Record<string, string> {
  const dossier = (own: string) => `items:
  - { ref: habit, text: Left is what we have always done., supports: left, strength: 3 }
  - { ref: ${own}, text: The ${own} says that right is better., supports: right, strength: 2 }
`;
  return {
    "case.yml": `question: Left or right?
options: [left, right]
panel:
  seats:
    - { id: a, occupant: "evidence:a.yml" }
    - { id: b, occupant: "evidence:b.yml" }
    - { id: c, occupant: "evidence:c.yml" }
seed: test
best: right
`,
    "a.yml": dossier("north"),
    "b.yml": dossier("east"),
    "c.yml": dossier("south"),
    "slow.yml": `question: Left or right?
options: [left, right]
panel:
  seats:
    - { id: a, occupant: "script:slow.jsonl" }
    - { id: b, occupant: "script:slow.jsonl" }
seed: test
`,
    // A script plays its n-th fitting line at the n-th attempt, so a call that is sent again needs a line of its own.
    "slow.jsonl": `${JSON.stringify({ reply: position("left"), delayMs })}\n`.repeat(3),
  };
}

/** A position as a scripted seat says it, fit for an answer and for a critique. */
export function position(answer: string, words = `I say ${answer}.`) {
  const own = { position: words, answer, claims: [], caveats: [], confidence: 0.6, wouldChange: [], verdict: null };
  return { ...own, agreements: [], disagreements: [], changedBy: null };
}
