/**
 * Trust: a program that a file asks for is run only after someone has seen the exact command and allowed it.
 *
 * What was allowed is recorded by the file that asks and the hash of the command line, so that a changed command asks again. The
 * record lies in the user's own state folder and never in the project's, because a repository could bring its own permission.
 */
import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { makeFolder } from "../adapters/stores/folder.ts";
import { sha256 } from "../chain.ts";
import { UsageError } from "../errors.ts";
import { visibleJson } from "../hidden.ts";
import type { CommandAsked } from "./occupant.ts";
import { ownFolder } from "./state-folder.ts";
import { readTextFile } from "./text-file.ts";

/** Asks a person, who is shown one sentence. */
export type Confirm = (sentence: string) => Promise<boolean>;

type Asking = { cwd: string; env: NodeJS.ProcessEnv; trust: boolean; confirm: Confirm | null };

const TrustFile = z.strictObject({
  version: z.literal(1),
  allowed: z.array(z.strictObject({ file: z.string(), hash: z.string(), command: z.array(z.string()) })),
});
type TrustFile = z.infer<typeof TrustFile>;

/** Returns when every command is allowed, and records what was newly allowed; refuses otherwise. */
export async function settleTrust(
  commands: readonly CommandAsked[],
  { cwd, env, trust, confirm }: Asking,
): Promise<void> {
  if (commands.length === 0) return;
  const folder = ownFolder({ cwd, env }).path;
  const record = await readTrust(join(folder, "trust.json"));
  const fresh: TrustFile["allowed"] = [];
  for (const asked of commands) {
    const entry = { file: asked.file, hash: commandHash(asked), command: [asked.program, ...asked.args] };
    const known = [...record.allowed, ...fresh].some((one) => one.file === entry.file && one.hash === entry.hash);
    if (known) continue;
    if (!trust && !(confirm && (await confirm(question(asked))))) throw untrusted(asked);
    fresh.push(entry);
  }
  if (fresh.length > 0) await writeTrust(folder, { version: 1, allowed: [...record.allowed, ...fresh] });
}

/** The command as one line that hides nothing: quoted, with control, zero-width and direction characters written out. */
export function commandLine({ program, args }: Pick<CommandAsked, "program" | "args">): string {
  return [program, ...args]
    .map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : visibleJson(JSON.stringify(word))))
    .join(" ");
}

const commandHash = ({ program, args, env }: CommandAsked): string =>
  sha256(JSON.stringify({ command: [program, ...args], env }));

/** Variables are handed over by name, and the name tells what the program will learn. */
const variables = ({ env }: CommandAsked): string =>
  env.length === 0 ? "" : ` (it is given the variables ${env.join(", ")})`;

function question(asked: CommandAsked): string {
  return `${visibleJson(asked.file)} asks to run this program on your machine: ${commandLine(asked)}${variables(asked)}. Allow it from now on?`;
}

function untrusted(asked: CommandAsked): UsageError {
  return new UsageError(
    "untrusted",
    `${visibleJson(asked.file)} asks to run a program, and nobody has allowed it yet: ${commandLine(asked)}${variables(asked)}`,
    {
      hint: "Read the program; if you trust it, run the same command again with --trust, and it is remembered for this file.",
    },
  );
}

async function readTrust(path: string): Promise<TrustFile> {
  const file = await readTextFile(path, 4_000_000);
  if (file.problem === "there is no such file") return { version: 1, allowed: [] };
  const parsed = file.problem === undefined ? TrustFile.safeParse(json(file.text)) : null;
  if (parsed?.success) return parsed.data;
  throw new UsageError(
    "bad-config",
    `The record of trusted commands, ${path}, cannot be read${file.problem ? `: ${file.problem}` : ""}.`,
    {
      hint: "Delete it to be asked about each command again.",
    },
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Writes beside the record and renames over it, so that a crash leaves the old record or the new one. */
async function writeTrust(folder: string, record: TrustFile): Promise<void> {
  const path = join(folder, "trust.json");
  const draft = `${path}.${randomUUID()}`;
  try {
    makeFolder(folder);
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(record, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new UsageError("bad-config", `The permission cannot be recorded in ${path}: ${(error as Error).message}.`, {
      hint: "Make the folder writable, or set PARLEY_STATE to one that is.",
      cause: error,
    });
  }
}
