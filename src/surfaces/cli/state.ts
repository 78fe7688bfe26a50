/**
 * The state folder and the store in it.
 *
 * The folder is made on the first write and not before, so looking at runs, a dry run or a mistyped flag leaves no trace.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../adapters/stores/folder.ts";
import { StoreError, UsageError } from "../../errors.ts";
import { checkName } from "../../names.ts";
import type { Store } from "../../ports.ts";
import type { Call } from "./io.ts";

export type Opened = { store: Store; folder: string };

const storeName = "parley.db";

export async function openStore(call: Call, purpose: "write"): Promise<Opened>;
export async function openStore(call: Call, purpose: "read"): Promise<Opened | null>;
/** Opens the store; to read, only one that is there already. */
export async function openStore(call: Call, purpose: "read" | "write"): Promise<Opened | null> {
  const { path: folder } = await stateOf(call);
  const path = join(folder, storeName);
  if (purpose === "read" && !existsSync(path)) return null;
  try {
    makeFolder(folder);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new StoreError("store-failed", `The state folder ${folder} cannot be made: ${why}`, {
      cause,
      hint: "Choose another with PARLEY_STATE=FOLDER.",
    });
  }
  const { sqliteStore } = await import("../../adapters/stores/sqlite.ts");
  return { store: await sqliteStore(path), folder };
}

/** Where state is kept: PARLEY_STATE, else what the config says, else the folder of the project or the user. */
export async function stateOf(call: Call): Promise<{ path: string; from: string }> {
  const { resolveConfig, stateFolder } = await import("../../config/index.ts");
  const where = { cwd: call.cwd, env: call.io.env };
  if (call.io.env.PARLEY_STATE) return stateFolder(where);
  const { config, origins } = await resolveConfig({
    ...where,
    ...(call.flags.config ? { config: call.flags.config } : {}),
  });
  const from = origins.find((origin) => origin.path === "store.path")?.from ?? "the config";
  return config.store ? { path: config.store.path, from } : stateFolder(where);
}

/** Opens the store to look for a run; without a store there is no run. */
export async function openStoreToRead(call: Call, name: string): Promise<Opened> {
  if (name !== "latest") checkName("The run", name);
  const opened = await openStore(call, "read");
  if (opened) return opened;
  throw new UsageError(
    "unknown-run",
    `There is no run called ${JSON.stringify(name)}: nothing was recorded here yet.`,
    {
      hint: "Start one: parley debate CASE.yml. Another state folder is chosen with PARLEY_STATE=FOLDER.",
    },
  );
}
