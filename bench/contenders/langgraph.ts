/**
 * LangGraph.js: a node for each seat, fanned out in every round, a judge node with a conditional edge, and a synthesis node.
 *
 * The state keeps every turn, as the decision of a debate has to name who said what; a checkpointer then writes the state of
 * each step. `exit` durability would lose a run that is killed, so the default is kept.
 */
import { join } from "node:path";
import { Annotation, type BaseCheckpointSaver, END, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import type { Contender } from "../contender.ts";
import { type Desk, reviewPrompt, type Said, type Spoken, seatPrompt, seats } from "../script.ts";

const State = Annotation.Root({
  debate: Annotation<string>(),
  rounds: Annotation<number>(),
  round: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  turns: Annotation<Spoken[]>({ reducer: (turns, more) => turns.concat(more), default: () => [] }),
  convergence: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  answer: Annotation<string | null>({ reducer: (_, next) => next, default: () => null }),
});

export function langgraph(key: string): Contender {
  const labels: Record<string, string> = {
    langgraph: "LangGraph.js",
    "langgraph-memory": "LangGraph.js + MemorySaver",
    "langgraph-sqlite": "LangGraph.js + SQLite",
    "langgraph-sqlite-full": "LangGraph.js + SQLite, full sync",
  };
  return {
    label: labels[key] ?? key,
    async open({ desk, folder }) {
      const saver = key.startsWith("langgraph-sqlite")
        ? SqliteSaver.fromConnString(join(folder, "langgraph.db"))
        : null;
      const memory = key === "langgraph-memory" ? new MemorySaver() : null;
      const graph = build(desk, saver ?? memory);
      let synced = false;
      return {
        async debate(id, rounds) {
          const configurable = { thread_id: id };
          const ended = await graph.invoke({ debate: id, rounds }, { configurable, recursionLimit: 1_000 });
          if (saver && !synced) synced = sync(saver, key);
          return String(ended.answer);
        },
        async bytes(id) {
          return saver ? bytesOf(saver, id) : 0;
        },
        async close() {
          saver?.db.close();
        },
      };
    },
  };
}

function build(desk: Desk, checkpointer: BaseCheckpointSaver | null) {
  const speak = (seat: string) => async (state: typeof State.State) => {
    const raw = await desk.call(state.debate, "seat", seat, state.round, seatPrompt(seat, state.round, state.turns));
    return { turns: [{ seat, round: state.round, said: JSON.parse(raw) as Said }] };
  };
  const judge = async (state: typeof State.State) => {
    const prompt = reviewPrompt("judge", state.round, state.turns);
    const score = JSON.parse(await desk.call(state.debate, "judge", "judge", state.round, prompt)) as Record<
      string,
      number
    >;
    return { round: state.round + 1, convergence: Object.values(score).reduce((sum, axis) => sum + axis, 0) / 3 };
  };
  const synthesize = async (state: typeof State.State) => {
    const prompt = reviewPrompt("synthesizer", state.round - 1, state.turns);
    const raw = await desk.call(state.debate, "synthesizer", "synthesizer", state.round, prompt);
    return { answer: (JSON.parse(raw) as { answer: string }).answer };
  };
  const next = (state: typeof State.State) =>
    state.convergence >= 0.85 || state.round >= state.rounds ? ["synthesize"] : [...seats];
  return new StateGraph(State)
    .addNode("ada", speak("ada"))
    .addNode("ben", speak("ben"))
    .addNode("cleo", speak("cleo"))
    .addNode("judge", judge)
    .addNode("synthesize", synthesize)
    .addEdge(START, "ada")
    .addEdge(START, "ben")
    .addEdge(START, "cleo")
    .addEdge([...seats], "judge")
    .addConditionalEdges("judge", next, [...seats, "synthesize"])
    .addEdge("synthesize", END)
    .compile(checkpointer ? { checkpointer } : {});
}

/** The saver opens its file on first use, in WAL mode with SQLite's sync left at NORMAL; full sync has to be asked for. */
function sync(saver: SqliteSaver, key: string): true {
  if (key === "langgraph-sqlite-full") saver.db.pragma("synchronous = FULL");
  const level = saver.db.pragma("synchronous", { simple: true });
  if (level !== (key === "langgraph-sqlite-full" ? 2 : 1)) throw new Error(`${key} runs with synchronous = ${level}.`);
  return true;
}

function bytesOf(saver: SqliteSaver, id: string): number {
  const checkpoints = "SELECT sum(length(checkpoint) + length(metadata)) AS bytes FROM checkpoints WHERE thread_id = ?";
  const writes = "SELECT sum(length(value)) AS bytes FROM writes WHERE thread_id = ?";
  const sizes = [checkpoints, writes].map((sql) => saver.db.prepare(sql).get(id) as { bytes: number | null });
  return sizes.reduce((sum, size) => sum + (size.bytes ?? 0), 0);
}
