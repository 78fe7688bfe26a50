/**
 * Which run a name means: an id, a unique beginning of one, or `latest`.
 *
 * A name is checked against the allow-list before anything is looked up, so no name can reach the file system or the store as
 * anything but a name.
 */
import { nearest } from "../../config/did-you-mean.ts";
import { UsageError } from "../../errors.ts";
import { checkName } from "../../names.ts";
import type { RunRow, Store } from "../../ports.ts";

const shownMatches = 5;

/** Finds the run a name means, or says what is near it. */
export async function findRun(store: Store, name: string): Promise<RunRow> {
  if (name === "latest") {
    const [newest] = await store.list({ limit: 1 });
    if (newest) return newest;
    throw new UsageError("unknown-run", "There is no run yet.", { hint: "Start one: parley debate CASE.yml" });
  }
  checkName("The run", name);
  const exact = await store.find(name);
  if (exact) return exact;
  const [first, ...others] = await store.list({ prefix: name, limit: shownMatches + 1 });
  if (first && others.length === 0) return first;
  if (first) throw ambiguous(name, [first, ...others]);
  throw await unknown(store, name);
}

function ambiguous(name: string, rows: readonly RunRow[]): UsageError {
  const ids = rows.slice(0, shownMatches).map((row) => row.id);
  const more = rows.length > shownMatches ? " and more" : "";
  return new UsageError(
    "unknown-run",
    `More than one run begins with ${JSON.stringify(name)}: ${ids.join(", ")}${more}.`,
    {
      hint: "Give more of the id.",
    },
  );
}

async function unknown(store: Store, name: string): Promise<UsageError> {
  const known = (await store.list({ limit: 500 })).map((row) => row.id);
  const near = nearest(name, known);
  const hint = near ? `Did you mean ${near}? Parley lists all runs: parley list` : "Parley lists all runs: parley list";
  return new UsageError("unknown-run", `No run in ${store.place} is called ${JSON.stringify(name)}.`, { hint });
}
