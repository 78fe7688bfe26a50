/** The processes of the contenders, hired for one measure and told in turns what to do. */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Order, Report } from "./child.ts";

export type Worker = { key: string; obey(order: Order): Promise<Report>; dismiss(): Promise<void> };

/** No contender may phone home, and none may be slowed by trying to. */
export const quiet = {
  LANGSMITH_TRACING: "false",
  LANGCHAIN_TRACING_V2: "false",
  MASTRA_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
  NO_COLOR: "1",
};

/** Whatever ends the bench, it leaves no folder behind. */
const folders = new Set<string>();
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Hires one process for each contender, lets a measure use them, and sends them home whatever happens. */
export async function withWorkers<Value>(
  keys: readonly string[],
  use: (workers: readonly Worker[]) => Promise<Value>,
  flags: readonly string[] = [],
): Promise<Value> {
  const workers: Worker[] = [];
  try {
    for (const key of keys) workers.push(await hire(key, flags));
    return await use(workers);
  } finally {
    for (const worker of workers) await worker.dismiss();
  }
}

async function hire(key: string, flags: readonly string[]): Promise<Worker> {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  folders.add(folder);
  const script = new URL("./child.ts", import.meta.url);
  const env = { ...process.env, ...quiet };
  const execArgv = [...process.execArgv, ...flags];
  const child = fork(script, [key, folder], { env, execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  await heard(child, key);
  return {
    key,
    async obey(order) {
      const report = heard(child, key);
      child.send(order);
      return (await report) as Report;
    },
    async dismiss() {
      if (!child.connected) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.send({ do: "close" } satisfies Order);
      // A rival's timers may keep its process alive after it is closed.
      const late = setTimeout(() => child.kill(), 5_000);
      await gone;
      clearTimeout(late);
      rmSync(folder, { recursive: true, force: true });
      folders.delete(folder);
    },
  };
}

/** Tells all of them the same in turns, so that noise falls on each alike; whoever began ends the next turn. */
export async function inTurns(workers: readonly Worker[], turns: number, order: Order): Promise<Map<string, Report[]>> {
  const reports = new Map<string, Report[]>(workers.map((worker) => [worker.key, []]));
  for (let turn = 0; turn < turns; turn++) {
    const begin = turn % workers.length;
    for (const worker of [...workers.slice(begin), ...workers.slice(0, begin)]) {
      reports.get(worker.key)?.push(await worker.obey(order));
    }
  }
  return reports;
}

function heard(child: ChildProcess, key: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const died = (code: number | null, signal: string | null) =>
      reject(new Error(`The process of ${key} ended with ${code ?? signal} in the middle of a measure.`));
    child.once("exit", died);
    child.once("message", (message) => {
      child.off("exit", died);
      resolve(message);
    });
  });
}
