/** The measures over whole debates: time over the critical path, processor time, memory, and the cost of more rounds. */
import type { Report } from "./child.ts";
import { goal, median, promise, type Row } from "./table.ts";
import { inTurns, withWorkers } from "./workers.ts";

/** How much is measured; the quick one is for a first look and proves nothing. */
export type Size = {
  wall: number;
  warmUp: number;
  turns: number;
  flight: number;
  rivalsFlight: number;
  longTurns: number;
};
export const full: Size = { wall: 9, warmUp: 600, turns: 14, flight: 5_000, rivalsFlight: 1_000, longTurns: 6 };
export const short: Size = { wall: 3, warmUp: 40, turns: 3, flight: 500, rivalsFlight: 100, longTurns: 2 };

const labels: Record<string, string> = {
  bare: "bare Promise.all, no record",
  floor: "naive floor: SQLite, a commit per event",
  langgraph: "LangGraph.js, no checkpointer",
  "langgraph-memory": "LangGraph.js, MemorySaver",
  "langgraph-sqlite": "LangGraph.js, SQLite (sync NORMAL)",
  "langgraph-sqlite-full": "LangGraph.js, SQLite, full sync",
  mastra: "Mastra, memory store",
  "mastra-alone": "Mastra, workflow alone, no record",
  "mastra-libsql": "Mastra, libSQL (sync NORMAL)",
  "mastra-libsql-full": "Mastra, libSQL, full sync",
  parley: "Parley, memory store",
  "parley-sqlite": "Parley, SQLite, full sync",
};
const label = (key: string): string => labels[key] ?? key;

/** Lets each warm up with replies that come at once, and then goes round. */
function measure(
  keys: readonly string[],
  warmUp: number,
  turns: number,
  order: { do?: "debates" | "flight"; count: number; delayMs: number },
) {
  return withWorkers(keys, async (workers) => {
    for (const worker of workers) await worker.obey({ do: "debates", count: warmUp, rounds: 3, delayMs: 0 });
    return await inTurns(workers, turns, { do: "debates", rounds: 3, ...order });
  });
}

export async function wallOverPath(size: Size): Promise<Row[]> {
  const keys = ["bare", "floor", "langgraph-sqlite", "mastra-libsql", "parley-sqlite"];
  const reports = await measure(keys, size.warmUp, size.wall, { count: 1, delayMs: 50 });
  return keys.map((key): Row => {
    const over = median((reports.get(key) ?? []).map((report) => report.wallMs / report.pathMs));
    const own = key === "parley-sqlite";
    return {
      measure: "wall time over critical path, durable, 50 ms seats",
      contender: label(key),
      value: over.toFixed(3),
      ratio: null,
      need: own ? "≤ 1.03" : "",
      verdict: own ? promise(over, 1.03) : "",
    };
  });
}

/** The most Parley may take of a contender's processor time; `goal` marks what is wanted and not promised. */
type Bound = { most: number; goal?: true };

/** Durable against durable: rivals are held to the ratio with full sync, and shown as they come besides. */
export async function cpuDurable(size: Size): Promise<Row[]> {
  const others = ["floor", "langgraph-sqlite-full", "langgraph-sqlite", "mastra-libsql-full", "mastra-libsql"];
  const alone: Record<string, Bound> = {
    floor: { most: 1 },
    "langgraph-sqlite-full": { most: 0.2, goal: true },
    "mastra-libsql-full": { most: 0.2, goal: true },
  };
  const together: Record<string, Bound> = {
    floor: { most: 1 },
    "langgraph-sqlite-full": { most: 0.2 },
    "mastra-libsql-full": { most: 0.2 },
  };
  const measured = "processor time per debate, durable";
  return [
    ...(await cpu(`${measured}, 20 side by side`, "parley-sqlite", others, together, size, "flight")),
    ...(await cpu(`${measured}, one at a time`, "parley-sqlite", others, alone, size)),
  ];
}

export async function cpuInMemory(size: Size): Promise<Row[]> {
  const bounds: Record<string, Bound> = {
    bare: { most: 2, goal: true },
    "langgraph-memory": { most: 0.2 },
    langgraph: { most: 0.2, goal: true },
    mastra: { most: 1 },
  };
  return cpu("processor time per debate, in memory", "parley", [...Object.keys(bounds), "mastra-alone"], bounds, size);
}

async function cpu(
  measured: string,
  own: string,
  others: string[],
  bounds: Record<string, Bound>,
  size: Size,
  how: "debates" | "flight" = "debates",
): Promise<Row[]> {
  const reports = await measure([own, ...others], size.warmUp, size.turns, { do: how, count: 20, delayMs: 0 });
  const ours = reports.get(own) ?? [];
  const perDebate = (of: readonly Report[]) => median(of.map((report) => report.cpuMs / 20));
  const rows: Row[] = [
    {
      measure: measured,
      contender: label(own),
      value: `${perDebate(ours).toFixed(2)} ms`,
      ratio: null,
      need: "",
      verdict: "",
    },
  ];
  for (const key of others) {
    const theirs = reports.get(key) ?? [];
    // Each turn is compared with the same turn of the other, so that a slow minute does not decide.
    const ratio = median(ours.map((report, turn) => report.cpuMs / (theirs[turn]?.cpuMs ?? Number.NaN)));
    const bound = bounds[key];
    const verdict = !bound ? "" : bound.goal ? goal(ratio, bound.most) : promise(ratio, bound.most);
    const need = !bound ? "" : `≤ ${bound.most}${bound.goal ? " (goal)" : ""}`;
    rows.push({
      measure: measured,
      contender: label(key),
      value: `${perDebate(theirs).toFixed(2)} ms`,
      ratio,
      need,
      verdict,
    });
  }
  return rows;
}

/** Parley's heap is capped for the promise: the engine's own need is measured, not how long V8 lets garbage lie. */
const heapCapMib = 256;

export async function inFlight(size: Size): Promise<Row[]> {
  const all: { key: string; count: number; capped?: true }[] = [
    { key: "bare", count: size.flight },
    { key: "langgraph-sqlite", count: size.rivalsFlight },
    { key: "mastra-libsql", count: size.rivalsFlight },
    { key: "parley-sqlite", count: size.flight },
    { key: "parley-sqlite", count: size.flight, capped: true },
  ];
  const rows: Row[] = [];
  for (const { key, count, capped } of all) {
    const order = { do: "flight", count, rounds: 3, delayMs: 50 } as const;
    const flags = capped ? [`--max-old-space-size=${heapCapMib}`] : [];
    // A process that runs out of memory is a figure too, and no reason to lose the others.
    const report = await withWorkers([key], async ([worker]) => worker?.obey(order), flags).catch(() => undefined);
    const own = key === "parley-sqlite";
    const whole = own && report ? `, ${report.missing} records not whole` : "";
    const figure = report && report.missing === 0 ? report.maxRssMib : null;
    const fewer = count === size.flight ? "" : `: ${count.toLocaleString("en")} in flight`;
    rows.push({
      measure: `highest memory, ${size.flight.toLocaleString("en")} debates in flight, durable`,
      contender: `${label(key)}${fewer}${capped ? `, V8 heap capped at ${heapCapMib} MiB` : ""}`,
      value: report
        ? `${report.maxRssMib.toFixed(0)} MiB, ${(report.wallMs / 1_000).toFixed(1)} s${whole}`
        : "did not finish",
      ratio: null,
      need: capped ? "< 512 MiB, none lost" : own ? "< 512 MiB (goal)" : "",
      verdict: capped ? promise(figure, 511.9) : own ? goal(figure, 511.9) : "",
    });
  }
  return rows;
}

export async function moreRounds(size: Size): Promise<Row[]> {
  const keys = ["bare", "floor", "langgraph-sqlite", "mastra-libsql", "parley", "parley-sqlite"];
  const few: Report[][] = keys.map(() => []);
  const many: Report[][] = keys.map(() => []);
  await withWorkers(keys, async (workers) => {
    for (const worker of workers) {
      await worker.obey({ do: "debates", count: size.warmUp, rounds: 3, delayMs: 0 });
      await worker.obey({ do: "debates", count: 2, rounds: 30, delayMs: 0 });
    }
    for (let turn = 0; turn < size.longTurns; turn++) {
      for (const [at, worker] of workers.entries()) {
        few[at]?.push(await worker.obey({ do: "debates", count: 20, rounds: 3, delayMs: 0 }));
        many[at]?.push(await worker.obey({ do: "debates", count: 3, rounds: 30, delayMs: 0 }));
      }
    }
  });
  return keys.flatMap((key, at) => growth(key, few[at] ?? [], many[at] ?? []));
}

function growth(key: string, few: readonly Report[], many: readonly Report[]): Row[] {
  const own = key.startsWith("parley");
  const cpu = median(many.map((report, turn) => report.cpuMs / 3 / 30 / ((few[turn]?.cpuMs ?? Number.NaN) / 20 / 3)));
  const [short, long] = [few.at(-1)?.bytes ?? 0, many.at(-1)?.bytes ?? 0];
  const bytes = short > 0 ? long / 30 / (short / 3) : null;
  const size = bytes === null ? "" : `; record ${bytes.toFixed(2)} (${kib(short)} → ${kib(long)})`;
  const worst = Math.max(cpu, bytes ?? 0);
  return [
    {
      measure: "cost of a round at 30 rounds over one at 3",
      contender: label(key),
      value: `processor ${cpu.toFixed(2)}${size}`,
      ratio: null,
      need: own ? "≤ 1.1" : "",
      verdict: own ? promise(worst, 1.1) : "",
    },
  ];
}

const kib = (bytes: number): string => `${Math.round(bytes / 1024).toLocaleString("en")} KiB`;
