/** What a contender is: a way to run the scripted debate, opened once in a process of its own. */
import type { Desk } from "./script.ts";

export type Setup = {
  desk: Desk;
  /** A folder of its own for whatever it keeps. */
  folder: string;
};

export type Opened = {
  /** Runs one debate to its end and returns the decided answer. */
  debate(id: string, rounds: number): Promise<string>;
  /** What the record of one debate takes, in bytes. */
  bytes?(id: string): Promise<number>;
  /** Says what is missing from the records of these debates; empty when nothing is. */
  missing?(ids: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
};

export type Contender = { label: string; open(setup: Setup): Promise<Opened> };

/** Each contender by its key. A module is loaded only in the process that runs it. */
export async function contender(key: string): Promise<Contender> {
  if (key === "bare") return (await import("./contenders/bare.ts")).bare;
  if (key === "floor") return (await import("./contenders/floor.ts")).floor;
  if (key.startsWith("langgraph")) return (await import("./contenders/langgraph.ts")).langgraph(key);
  if (key.startsWith("mastra")) return (await import("./contenders/mastra.ts")).mastra(key);
  if (key.startsWith("parley")) return (await import("./contenders/parley.ts")).parley(key);
  throw new Error(`There is no contender ${key}.`);
}
