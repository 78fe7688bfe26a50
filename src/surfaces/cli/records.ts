/** The record a name means: a run of the store, or an export on disk. */
import { type Record, readRun } from "../../record.ts";
import { verifyLines } from "../../verify.ts";
import { isPath, readExport, recordOf } from "./exports.ts";
import type { Call } from "./io.ts";
import { findRun } from "./run-names.ts";
import { openStoreToRead } from "./state.ts";

/** A record with where it was read; `sound` is false for an export that does not verify. */
export type Named = { record: Record; place: string; sound: boolean };

/** Reads a record by name. An export that does not verify is still read, with a warning: someone may need to see what is left. */
export async function readNamed(call: Call, name: string): Promise<Named> {
  if (isPath(name, call.cwd)) return readExported(call, name);
  const { store } = await openStoreToRead(call, name);
  try {
    const row = await findRun(store, name);
    return { record: await readRun(store, row.id), place: store.place, sound: true };
  } finally {
    await store.close();
  }
}

async function readExported(call: Call, name: string): Promise<Named> {
  const found = await readExport(call.cwd, name);
  const record = recordOf(found);
  const { ok } = verifyLines(found.texts, found.manifest);
  if (!ok) call.out.say(`! this export does not verify; see: parley verify ${name}`);
  return { record, place: found.eventsPath, sound: ok };
}
