/**
 * Turns what SQLite and the file system throw into sentences an operator can act on.
 *
 * The one thing a caller needs to know is whether waiting can help: a full disk, a lock and an I/O error may pass, and the same
 * write then succeeds; a read-only or damaged file will not mend itself.
 */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { ParleyError, StoreError } from "../../errors.ts";

type Failure = { what: string; hint: string; retryable: boolean };

/** The error of a store that cannot be used, from whatever was thrown beneath it. */
export function storeFailure(error: unknown, path: string): ParleyError {
  if (ParleyError.is(error)) return error;
  const thrown = error as { code?: string; errcode?: number; message?: string };
  // The low byte is SQLite's primary code; the rest only says where it happened.
  const kind = thrown.errcode === undefined ? fileFailures[thrown.code ?? ""] : sqliteFailures[thrown.errcode & 0xff];
  const failure = kind?.(path) ?? unexpected(thrown.message ?? String(error));
  return new StoreError("store-failed", `The store ${path} ${failure.what}.`, {
    hint: failure.hint,
    retryable: failure.retryable,
    cause: error,
  });
}

const full = (path: string): Failure => ({
  what: `cannot be written: the disk is full${freeSpace(path)}`,
  hint: "Free some space. Nothing that was acknowledged is lost, and the write can be tried again.",
  retryable: true,
});
const readOnly = (): Failure => ({
  what: "cannot be written: it or its folder is read-only for this user",
  hint: "Check the owner and mode of the file and its folder, or choose another state folder with PARLEY_STATE.",
  retryable: false,
});
const locked = (): Failure => ({
  what: "is locked: another process has been writing to it for too long",
  hint: "Try again. If it stays so, find the process that keeps the file open.",
  retryable: true,
});
const unreadable = (): Failure => ({
  what: "cannot be read or written: the disk reports an input/output error",
  hint: "Check the disk and the system's log. The write can be tried again once the disk answers.",
  retryable: true,
});
const corrupt = (): Failure => ({
  what: "is damaged, or is not a SQLite database",
  hint: "Keep the file, restore a copy of it, or choose another state folder with PARLEY_STATE. `parley verify` tells which runs are whole.",
  retryable: false,
});
const unopened = (): Failure => ({
  what: "cannot be opened",
  hint: "Check that its folder exists, is a folder, and can be written by this user.",
  retryable: false,
});
const unexpected = (reason: string): Failure => ({
  what: `failed: ${reason}`,
  hint: "Nothing of the last write was kept. Please report this if the file and its disk are sound.",
  retryable: false,
});

/** By SQLite's primary result codes. */
const sqliteFailures: Readonly<Record<number, (path: string) => Failure>> = {
  3: readOnly,
  5: locked,
  6: locked,
  8: readOnly,
  10: unreadable,
  11: corrupt,
  13: full,
  14: unopened,
  26: corrupt,
};

const fileFailures: Readonly<Record<string, (path: string) => Failure>> = {
  ENOSPC: full,
  EDQUOT: full,
  EROFS: readOnly,
  EACCES: readOnly,
  EPERM: readOnly,
  EIO: unreadable,
  ENOTDIR: unopened,
  EEXIST: unopened,
  EISDIR: unopened,
  ENOENT: unopened,
  ELOOP: unopened,
};

function freeSpace(path: string): string {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return ` (${bavail * bsize} bytes are free there)`;
  } catch {
    return "";
  }
}
