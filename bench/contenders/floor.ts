/**
 * The naive floor: the bare loop that commits every event to SQLite by itself, with full sync.
 *
 * It writes one event for the start of the run and one before and one after each call, which is less than Parley writes. It has
 * no chain, no checks and no way to resume: it is what the disk alone costs when nobody groups the commits.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Contender } from "../contender.ts";
import { question } from "../script.ts";
import { loop } from "./bare.ts";

export const floor: Contender = {
  label: "naive floor (a commit per event)",
  async open({ desk, folder }) {
    const database = new DatabaseSync(join(folder, "floor.db"));
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    database.exec("CREATE TABLE event (run TEXT, seq INTEGER, body TEXT, PRIMARY KEY (run, seq)) WITHOUT ROWID");
    const insert = database.prepare("INSERT INTO event VALUES (?, ?, ?)");
    const count = database.prepare("SELECT count(*) AS events, max(seq) AS last FROM event WHERE run = ?");
    const size = database.prepare("SELECT sum(length(body)) AS bytes FROM event WHERE run = ?");
    const told = new Map<string, number>();
    return {
      async debate(id, rounds) {
        let seq = 0;
        // Outside BEGIN and COMMIT, SQLite makes each statement a transaction of its own.
        const tell = (type: string, body: Record<string, unknown>) => {
          insert.run(id, seq, JSON.stringify({ type, run: id, seq, at: Date.now(), ...body }));
          seq++;
        };
        tell("run-start", { question });
        const answer = await loop((...call) => desk.call(id, ...call), rounds, tell);
        told.set(id, seq);
        return answer;
      },
      async bytes(id) {
        return Number(size.get(id)?.bytes ?? 0);
      },
      async missing(ids) {
        return ids.filter((id) => Number(count.get(id)?.events) !== told.get(id));
      },
      async close() {
        database.close();
      },
    };
  },
};
