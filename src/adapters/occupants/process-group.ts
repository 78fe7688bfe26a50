/**
 * One program in a process group of its own, from its start to the end of the whole group.
 *
 * A program may start others. Ending the group, and not only the program, is what keeps a cancelled run from leaving work behind.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { abortedBy } from "./waiting.ts";

/** How a program came to its end. */
export type Ended =
  | { how: "exited"; code: number | null; signal: string | null; stdout: string; stderr: string }
  | { how: "too-large"; stdout: string }
  | { how: "not-started"; cause: Error };

type Start = {
  program: string;
  args: readonly string[];
  cwd: string | null;
  env: Record<string, string>;
  input: string;
  outputLimit: number;
  signal: AbortSignal;
  /** How long the group may take to end by itself once it is told to. */
  graceMs?: number;
};

const usualGraceMs = 5_000;
const stderrLimit = 2_048;
/** How long a program that has exited may still be read, where a process it left behind holds its pipes. */
const pipesMs = 250;

/** Starts a program, feeds it the input and gathers what it writes. Rejects only when the call was aborted, once the group is gone. */
export function startProgram(start: Start): { ended: Promise<Ended>; stop(): Promise<void> } {
  if (start.signal.aborted) return { ended: Promise.reject(abortedBy(start.signal)), stop: async () => {} };
  const child = spawn(start.program, [...start.args], {
    ...(start.cwd === null ? {} : { cwd: start.cwd }),
    env: start.env,
    detached: true,
    shell: false,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const group = new Group(child, start.graceMs ?? usualGraceMs);
  const stopped = () => group.end();
  start.signal.addEventListener("abort", stopped, { once: true });
  // A program may answer without reading its input; the broken pipe that follows is no failure.
  child.stdin.on("error", () => {});
  child.stdin.end(start.input);
  const ended = gather(child, group, start.outputLimit).then((end) => {
    start.signal.removeEventListener("abort", stopped);
    if (start.signal.aborted) throw abortedBy(start.signal);
    return end;
  });
  const stop = async () => {
    group.end();
    await ended.catch(() => {});
  };
  return { ended, stop };
}

function gather(child: ChildProcess, group: Group, limit: number): Promise<Ended> {
  const out: Buffer[] = [];
  let size = 0;
  let errors: Buffer = Buffer.alloc(0);
  let tooLarge = false;
  child.stdout?.on("data", (chunk: Buffer) => {
    if (tooLarge) return;
    size += chunk.length;
    out.push(chunk);
    if (size <= limit) return;
    tooLarge = true;
    group.kill();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    errors = Buffer.concat([errors, chunk]).subarray(-stderrLimit);
  });
  return new Promise((resolve) => {
    child.once("error", (cause) => {
      if (child.pid !== undefined) return;
      group.over();
      resolve({ how: "not-started", cause });
    });
    // What is left of the group would hold the pipes open after the program itself is gone; what has left the group still does.
    child.once("exit", () => {
      group.kill();
      setTimeout(() => closePipes(child), pipesMs);
    });
    child.once("close", (code, signal) => {
      group.over();
      const stdout = Buffer.concat(out).toString("utf8");
      resolve(
        tooLarge
          ? { how: "too-large", stdout }
          : { how: "exited", code, signal, stdout, stderr: errors.toString("utf8") },
      );
    });
  });
}

function closePipes({ stdin, stdout, stderr }: ChildProcess): void {
  for (const pipe of [stdin, stdout, stderr]) pipe?.destroy();
}

/** Groups that have not ended; whatever ends this process ends them too. */
const living = new Set<Group>();
let watching = false;

function endWithProcess(group: Group): void {
  living.add(group);
  if (watching) return;
  watching = true;
  process.on("exit", () => {
    for (const one of living) one.kill();
  });
}

/** The process group of a program, which it leads. */
class Group {
  readonly #child: ChildProcess;
  readonly #graceMs: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(child: ChildProcess, graceMs: number) {
    this.#child = child;
    this.#graceMs = graceMs;
    endWithProcess(this);
  }

  /** Asks the group to end, and ends it when it has not done so in time. */
  end(): void {
    if (this.#timer || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#send("SIGTERM");
    this.#timer = setTimeout(() => this.kill(), this.#graceMs);
  }

  kill(): void {
    this.#send("SIGKILL");
  }

  over(): void {
    living.delete(this);
    if (this.#timer) clearTimeout(this.#timer);
  }

  #send(signal: "SIGTERM" | "SIGKILL"): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, signal);
    } catch {
      // The group is gone already, which is what was wanted.
    }
  }
}
