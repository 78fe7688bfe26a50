/**
 * `parley init`: a config, a state folder of the project's own, and a first case to try, in the working folder.
 *
 * It writes new files only: when one of them is there already, it writes nothing at all.
 */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { defaultConfigText } from "../../../config/index.ts";
import { UsageError } from "../../../errors.ts";
import { asker } from "../asking.ts";
import { checkFree, writeWhole } from "../files.ts";
import { firstCase } from "../first-case.ts";
import type { Call } from "../io.ts";
import { commandName } from "../io.ts";

export async function init(call: Call): Promise<number> {
  // The state folder holds whole records, so it is kept out of the repository unless someone decides otherwise.
  const files = new Map([["parley.yml", defaultConfigText()], [join(".parley", ".gitignore"), "*\n"], ...firstCase]);
  const paths = [...files.keys()].map((name) => join(call.cwd, name));
  for (const path of paths) await refuseExisting(path);
  await confirm(call, [...files.keys()]);
  for (const [name, text] of files) {
    const path = join(call.cwd, name);
    await mkdir(dirname(path), { recursive: true, ...(name.startsWith(".parley") ? { mode: 0o700 } : {}) });
    await writeWhole(path, text);
  }
  if (call.out.json) call.out.answerJson({ ok: true, written: paths, next: "parley debate case.yml" });
  else call.out.answer(paths.map((path) => `wrote ${path}`).join("\n"));
  call.out.mention(`next    ${commandName(call.io)} debate case.yml`);
  return 0;
}

/** Asks once on a terminal; elsewhere the command itself is the answer, since it only adds files. */
async function confirm(call: Call, names: readonly string[]): Promise<void> {
  const ask = call.flags.yes === true ? null : asker(call);
  if (!ask || (await ask(`Write ${names.join(", ")} in ${call.cwd}?`))) return;
  throw new UsageError("bad-usage", "Nothing was written.", {
    hint: "To write without being asked: parley init --yes",
  });
}

async function refuseExisting(path: string): Promise<void> {
  try {
    await checkFree(path);
  } catch (error) {
    if (!(error instanceof UsageError) || error.message.includes("folder does not exist")) return;
    throw new UsageError("bad-usage", `${path} exists already, and init writes new files only. Nothing was written.`, {
      hint: "Move it away, or choose another folder with -C.",
    });
  }
}
