/**
 * Files the user asked for: written whole or not at all, and never over something that was there.
 *
 * Everything is written under a temporary name in the same folder and then moved, so a crash leaves no half of an answer. Names are
 * refused when something stands there already, a symbolic link included, so nothing is written through one.
 */
import { constants } from "node:fs";
import { link, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { UsageError } from "../../errors.ts";

const newFile = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

/** Refuses a path that cannot be written as asked, before any work is done for it. */
export async function checkFree(path: string, force = false): Promise<void> {
  const found = await lstat(path).catch(() => null);
  const folder = await lstat(dirname(path)).catch(() => null);
  if (!folder) throw refusal(path, "its folder does not exist", "Make the folder first.");
  if (!found) return;
  if (!force) throw refusal(path, "it exists already", "Choose another name, or take it away first.");
  if (!found.isFile())
    throw refusal(path, "it is not a regular file", "--force replaces regular files only. Choose another name.");
}

/** Writes a file whole: under a temporary name, flushed, and then moved into place. */
export async function writeWhole(path: string, text: string, force = false): Promise<void> {
  await checkFree(path, force);
  const passing = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  await writeNew(passing, text);
  try {
    if (force) await rename(passing, path);
    else await link(passing, path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST") throw refusal(path, "it exists already", "Choose another name.");
    // Some file systems have no hard links; there the check above is all the protection there is.
    if (force || (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP")) throw error;
    await rename(passing, path);
  } finally {
    await rm(passing, { force: true });
  }
}

/** Writes a folder of files whole; the names are the program's own. */
export async function writeFolder(path: string, files: ReadonlyMap<string, string>): Promise<void> {
  await checkFree(path);
  const passing = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  await mkdir(passing);
  try {
    for (const [name, text] of files) await writeNew(join(passing, name), text);
    await checkFree(path);
    await rename(passing, path);
  } catch (error) {
    await rm(passing, { recursive: true, force: true });
    throw error;
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, newFile, 0o644).catch((error: Error) => {
    throw refusal(path, error.message, "Choose another place with -o.");
  });
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function refusal(path: string, why: string, hint: string): UsageError {
  return new UsageError("bad-usage", `${path} cannot be written: ${why}.`, { hint });
}
