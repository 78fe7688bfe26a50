/**
 * Reads a text file that a person named, and nothing else.
 *
 * Pipes, devices, folders, binaries and oversized files are told apart here, once, so that evidence, dossiers, cases and configs
 * are refused for the same reasons in the same words. A read is bounded even where the size on disk lies, as it does in /proc.
 */
import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";

/** A file's text with its bytes and where it really lies, or the reason why it cannot be used. */
export type TextFile = { text: string; bytes: Buffer; real: string; problem?: never } | { problem: string };

/** Reads a UTF-8 text file of at most so many bytes. */
export async function readTextFile(path: string, maxBytes: number): Promise<TextFile> {
  try {
    const kind = await stat(path);
    if (kind.isDirectory()) return { problem: "it is a folder, not a file" };
    // The kind is checked before the file is opened, because opening some devices acts on the world.
    if (!kind.isFile()) return { problem: "it is not a regular file" };
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const bytes = await readUpTo(handle, maxBytes + 1);
      if (bytes.length > maxBytes) return { problem: `it is larger than ${maxBytes} bytes` };
      return decoded(bytes, await realpath(path));
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { problem: reason(error) };
  }
}

async function readUpTo(handle: FileHandle, limit: number): Promise<Buffer> {
  const size = (await handle.stat()).size;
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < limit) {
    const chunk = Buffer.alloc(Math.min(limit - total, Math.max(size - total + 1, 65_536)));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
  return Buffer.concat(chunks);
}

function decoded(bytes: Buffer, real: string): TextFile {
  if (bytes.includes(0)) return { problem: "it is binary (it holds a NUL byte)" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), bytes, real };
  } catch {
    return { problem: "it is binary (it is not valid UTF-8)" };
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "it may not be read",
  EPERM: "it may not be read",
  ELOOP: "its symbolic links go round in a circle",
  ENAMETOOLONG: "its name is too long",
  ERR_INVALID_ARG_VALUE: "its name holds a NUL character",
};

/** A file system error in words. */
export function reason(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  return reasons[code] ?? `it cannot be read (${code || String(error)})`;
}
