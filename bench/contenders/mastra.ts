/**
 * Mastra: a workflow of parallel seat steps and a judge step, repeated until it is done, and a synthesis step after it.
 *
 * It runs as its documentation sets it up, registered with a `Mastra` that has a store: in memory, or libSQL, which then holds
 * a snapshot of the run after every step. `mastra-alone` is the workflow by itself, which keeps no record of any kind.
 */
import { join } from "node:path";
import type { Client } from "@libsql/client";
import { Mastra } from "@mastra/core/mastra";
import { InMemoryStore } from "@mastra/core/storage";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { LibSQLStore } from "@mastra/libsql";
import * as z from "zod";
import type { Contender } from "../contender.ts";
import { type Desk, reviewPrompt, type Said, type Spoken, seatPrompt } from "../script.ts";

const Spoke = z.object({ seat: z.string(), round: z.number(), said: z.any() });
const Table = z.object({
  debate: z.string(),
  rounds: z.number(),
  round: z.number(),
  turns: z.array(Spoke),
  convergence: z.number(),
});
type Table = { debate: string; rounds: number; round: number; turns: Spoken[]; convergence: number };
const Ending = z.object({ answer: z.string() });

export function mastra(key: string): Contender {
  const labels: Record<string, string> = {
    mastra: "Mastra",
    "mastra-alone": "Mastra, workflow alone (no record)",
    "mastra-libsql": "Mastra + libSQL",
    "mastra-libsql-full": "Mastra + libSQL, full sync",
  };
  return {
    label: labels[key] ?? key,
    async open({ desk, folder }) {
      const workflow = build(desk);
      const file = join(folder, "mastra.db");
      const durable = key.startsWith("mastra-libsql");
      const storage = durable ? new LibSQLStore({ id: "bench", url: `file:${file}` }) : new InMemoryStore();
      await storage.init();
      // The store hides its client; making one outside would lose the settings that the store gives its own.
      const client = durable ? (Reflect.get(storage, "client") as Client) : null;
      if (client) await sync(client, key);
      const host = key === "mastra-alone" ? null : new Mastra({ workflows: { workflow }, storage, logger: false });
      const hosted = host?.getWorkflow("workflow") ?? workflow;
      return {
        async debate(id, rounds) {
          const run = await hosted.createRun({ runId: id });
          const ended = await run.start({ inputData: { debate: id, rounds, round: 0, turns: [], convergence: 0 } });
          if (ended.status !== "success") throw new Error(`Mastra ended a debate as ${ended.status}.`);
          return ended.result.answer;
        },
        async bytes(id) {
          const sql = "SELECT sum(length(snapshot)) AS bytes FROM mastra_workflow_snapshot WHERE run_id = ?";
          const sizes = await client?.execute({ sql, args: [id] });
          return Number(sizes?.rows[0]?.bytes ?? 0);
        },
        async close() {
          await host?.shutdown();
          client?.close();
        },
      };
    },
  };
}

/** The store sets SQLite's sync to NORMAL by itself; full sync has to be asked for after it. */
async function sync(client: Client, key: string): Promise<void> {
  const full = key === "mastra-libsql-full";
  if (full) await client.execute("PRAGMA synchronous = FULL");
  const mode = (await client.execute("PRAGMA journal_mode")).rows[0]?.[0];
  const level = Number((await client.execute("PRAGMA synchronous")).rows[0]?.[0]);
  if (mode !== "wal" || level !== (full ? 2 : 1))
    throw new Error(`${key} runs with ${mode} and synchronous = ${level}.`);
}

function build(desk: Desk) {
  const speak = <Id extends string>(seat: Id) =>
    createStep({
      id: seat,
      inputSchema: Table,
      outputSchema: Spoke,
      execute: async ({ inputData: table }) => {
        const raw = await desk.call(
          table.debate,
          "seat",
          seat,
          table.round,
          seatPrompt(seat, table.round, table.turns),
        );
        return { seat, round: table.round, said: JSON.parse(raw) as Said };
      },
    });
  const judge = createStep({
    id: "judge",
    inputSchema: z.object({ ada: Spoke, ben: Spoke, cleo: Spoke }),
    outputSchema: Table,
    execute: async ({ inputData, getInitData }) => {
      const table = getInitData<Table>();
      const turns: Spoken[] = [...table.turns, inputData.ada, inputData.ben, inputData.cleo];
      const prompt = reviewPrompt("judge", table.round, turns);
      const score = JSON.parse(await desk.call(table.debate, "judge", "judge", table.round, prompt)) as Record<
        string,
        number
      >;
      const convergence = Object.values(score).reduce((sum, axis) => sum + axis, 0) / 3;
      return { ...table, turns, round: table.round + 1, convergence };
    },
  });
  const round = createWorkflow({ id: "round", inputSchema: Table, outputSchema: Table })
    .parallel([speak("ada"), speak("ben"), speak("cleo")])
    .then(judge)
    .commit();
  const synthesize = createStep({
    id: "synthesize",
    inputSchema: Table,
    outputSchema: Ending,
    execute: async ({ inputData: table }) => {
      const prompt = reviewPrompt("synthesizer", table.round - 1, table.turns);
      const raw = await desk.call(table.debate, "synthesizer", "synthesizer", table.round, prompt);
      return { answer: (JSON.parse(raw) as { answer: string }).answer };
    },
  });
  return createWorkflow({ id: "debate", inputSchema: Table, outputSchema: Ending })
    .dountil(round, async ({ inputData }) => inputData.convergence >= 0.85 || inputData.round >= inputData.rounds)
    .then(synthesize)
    .commit();
}
