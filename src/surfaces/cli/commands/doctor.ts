/**
 * `parley doctor`: checks that everything Parley needs is there and works, with a real debate at the end.
 *
 * A check that only looks can be green while the work fails, so the store is written to and a panel deliberates, in memory and
 * without the network.
 */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { access, constants, mkdtemp, readFile, rm, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { occupants } from "../../../adapters/occupants/index.ts";
import { sqliteStore } from "../../../adapters/stores/sqlite.ts";
import { resolveConfig } from "../../../config/index.ts";
import { ownFolder } from "../../../config/state-folder.ts";
import { ParleyError } from "../../../errors.ts";
import { oneLine } from "../../../render/safe.ts";
import type { Call } from "../io.ts";
import { selfTest } from "../self-test.ts";
import { stateOf } from "../state.ts";

type Check = { name: string; ok: boolean; says: string; hint: string | null };

const leastFreeBytes = 50_000_000;

export async function doctor(call: Call): Promise<number> {
  const checks = [
    await check("node", nodeCheck),
    await check("state folder", () => folderCheck(call)),
    await check("store", storeCheck),
    await check("config", () => configCheck(call)),
    await check("trust", () => trustCheck(call)),
    await check(
      "occupants",
      async () =>
        `${Object.keys(occupants)
          .filter((kind) => kind !== "code")
          .join(", ")}; none of these needs a key or the network`,
    ),
    await check("self-test", selfTest),
  ];
  const ok = checks.every((entry) => entry.ok);
  if (call.out.json) call.out.answerJson({ ok, checks });
  else call.out.answer(checks.map((entry) => lineOf(call, entry)).join("\n"));
  return ok ? 0 : 1;
}

/** Runs one check; what it throws is what is wrong. */
async function check(name: string, run: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, says: await run(), hint: null };
  } catch (error) {
    const hint = ParleyError.is(error) ? error.hint : null;
    return { name, ok: false, says: error instanceof Error ? error.message : String(error), hint };
  }
}

function lineOf(call: Call, { name, ok, says, hint }: Check): string {
  const mark = ok ? call.out.answerPaint("green", "ok  ") : call.out.answerPaint("red", "FAIL");
  return `${mark}  ${name.padEnd(13)} ${oneLine(says)}${hint ? `\n${" ".repeat(20)}${oneLine(hint)}` : ""}`;
}

async function nodeCheck(): Promise<string> {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 24) throw new Error(`Node ${process.versions.node}; Parley needs 24 or newer`);
  return `Node ${process.versions.node}, SQLite ${process.versions.sqlite ?? "unknown"}`;
}

async function folderCheck(call: Call): Promise<string> {
  const { path, from } = await stateOf(call);
  // The folder is made on the first run; until then the nearest one above it must be writable.
  let standing = path;
  while (!existsSync(standing) && dirname(standing) !== standing) standing = dirname(standing);
  const refuse = (problem: string): never => {
    throw new ParleyError("store-failed", problem, { hint: "Choose another folder with PARLEY_STATE=FOLDER." });
  };
  if (!(await stat(standing)).isDirectory()) refuse(`${standing} is not a folder`);
  await access(standing, constants.W_OK).catch(() => refuse(`${standing} cannot be written`));
  const { bavail, bsize } = await statfs(standing);
  const free = bavail * bsize;
  if (free < leastFreeBytes) refuse(`only ${Math.floor(free / 1e6)} MB are free at ${standing}`);
  const made = standing === path ? "" : ", made on the first run";
  return `${path} (${from}${made}), ${(free / 1e9).toFixed(1)} GB free`;
}

/** Opening asserts the journal mode, the sync level and the version; a store of its own leaves the user's alone. */
async function storeCheck(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-doctor-"));
  try {
    const store = sqliteStore(join(folder, `${randomBytes(4).toString("hex")}.db`));
    await store.list({ limit: 1 });
    await store.close();
    return "SQLite opens in WAL with full sync";
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function configCheck(call: Call): Promise<string> {
  const given = call.flags.config;
  const { files, origins } = await resolveConfig({
    cwd: call.cwd,
    env: call.io.env,
    ...(given ? { config: given } : {}),
  });
  return files.length > 0 ? `${files.join(", ")} (${origins.length} values)` : "no file, defaults only";
}

async function trustCheck(call: Call): Promise<string> {
  const path = join(ownFolder({ cwd: call.cwd, env: call.io.env }).path, "trust.json");
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return "no file was allowed to start a program yet";
  const { allowed } = JSON.parse(text) as { allowed: unknown[] };
  return `${path} allows ${allowed.length === 1 ? "1 program" : `${allowed.length} programs`}`;
}
