/**
 * Parley itself, through its front door: `run` with a scripted occupant in every seat, as judge and as synthesizer.
 *
 * The occupant says that its calls cost something (`pure: false`), so every intent is on disk before its call, as with a paid
 * model. The built package is measured where there is one, since that is what users run; otherwise the source.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Occupant, Store } from "../../src/ports.ts";
import type { RunInput } from "../../src/run.ts";
import type { OccupantSpec } from "../../src/seat.ts";
import type { Contender } from "../contender.ts";
import { type Desk, type Part, question, seats } from "../script.ts";

const built = new URL("../../dist/", import.meta.url);

/** What is measured: the built package or the source. */
export const measured = existsSync(new URL("index.js", built)) ? "built" : "source";

export function parley(key: string): Contender {
  return {
    label: key === "parley-sqlite" ? "Parley + SQLite, full sync" : "Parley",
    async open({ desk, folder }) {
      const engine = await load();
      const store: Store =
        key === "parley-sqlite" ? engine.sqliteStore(join(folder, "parley.db")) : engine.memoryStore();
      const heard = new Map<string, number>();
      const drive = {
        store,
        world: engine.systemWorld(),
        occupants: { bench: (spec: OccupantSpec) => occupant(desk, spec) },
        protocols: { debate: engine.debate },
        onEvent: (event: { run: string }) => heard.set(event.run, (heard.get(event.run) ?? 0) + 1),
      };
      return {
        async debate(id, rounds) {
          const { view, rest } = await engine.run(input(id, rounds), drive);
          if (rest !== "ended") throw new Error(`Parley left a debate ${rest}.`);
          return String(view.decision?.answer);
        },
        async bytes(id) {
          return (await store.read(id)).reduce((sum, line) => sum + Buffer.byteLength(line.text) + 1, 0);
        },
        async missing(ids) {
          const short: string[] = [];
          for (const id of ids) {
            const lines = await store.read(id);
            const whole =
              lines.every((line, place) => line.seq === place) && lines.at(-1)?.text.includes('"type":"run-end"');
            if (!whole || lines.length !== heard.get(id)) short.push(id);
          }
          return short;
        },
        close: () => store.close(),
      };
    },
  };
}

/** The names that the bench needs of the package. */
type Engine = Pick<typeof import("../../src/run.ts"), "run"> &
  Pick<typeof import("../../src/adapters/stores/memory.ts"), "memoryStore"> &
  Pick<typeof import("../../src/adapters/stores/sqlite.ts"), "sqliteStore"> &
  Pick<typeof import("../../src/adapters/world.ts"), "systemWorld"> &
  Pick<typeof import("../../src/protocols/debate.ts"), "debate">;

const modules = ["run", "adapters/stores/memory", "adapters/stores/sqlite", "adapters/world", "protocols/debate"];

async function load(): Promise<Engine> {
  const at = (name: string) => new URL(measured === "built" ? `${name}.js` : `../src/${name}.ts`, built).href;
  const loaded: object[] = await Promise.all(modules.map((name) => import(at(name))));
  return Object.assign({}, ...loaded) as Engine;
}

const spec = (part: Part): OccupantSpec => ({
  name: `bench:${part}`,
  kind: "bench",
  lineage: part,
  settings: { part },
});

function input(id: string, rounds: number): RunInput {
  const panel = seats.map((seat) => ({
    id: seat,
    role: "",
    brief: "",
    rubric: "",
    scope: [],
    weight: 1,
    occupant: spec("seat"),
  }));
  return {
    id,
    protocol: "debate",
    question: { text: question, options: [], context: [] },
    seats: panel,
    judges: [spec("judge")],
    synthesizers: [spec("synthesizer")],
    evidence: [],
    // Nobody moves in the script, so the stall must not end the debate before its rounds are done.
    options: { rounds: rounds - 1, stallAfter: 30 },
    seed: "bench",
  };
}

function occupant(desk: Desk, { settings }: OccupantSpec): Occupant {
  const { part } = settings as { part: Part };
  return {
    endpoint: null,
    pure: false,
    acts: false,
    streams: false,
    cap: () => ({ tokens: 0, usd: 0 }),
    async reply(request) {
      const text = await desk.call(request.run, part, request.seat.id, request.round, request.system + request.user);
      return { text, usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
}
