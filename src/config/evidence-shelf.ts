/**
 * The shelf: every item of evidence that a run takes in, under its ref, hashed.
 *
 * One ref means one text for the whole run. Two dossiers may hold the same item, and then it must be the same in every respect;
 * otherwise a citation would mean something else to each who reads it.
 */
import { hash } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { sha256 } from "../chain.ts";
import { UsageError } from "../errors.ts";
import { type EvidenceItem, evidenceLimit } from "../evidence.ts";
import { nameProblem } from "../names.ts";
import type { Place } from "./layers.ts";
import type { EvidenceEntry } from "./shapes.ts";
import { readTextFile, reason } from "./text-file.ts";

/** Most text of evidence in one run, in bytes, and most items. */
export const totalLimit = 4_000_000;
const itemLimit = 2_000;

/** Evidence as it is taken in. */
export type Shelf = {
  items: Map<string, EvidenceItem>;
  places: Map<string, Place>;
  bytes: number;
  notes: string[];
};

export const newShelf = (): Shelf => ({ items: new Map(), places: new Map(), bytes: 0, notes: [] });

/** Takes in an item that a file lists, and returns its ref. */
export async function shelve(shelf: Shelf, entry: EvidenceEntry, place: Place): Promise<string> {
  const { ref, text, file, sha256: expected, ...rest } = entry;
  if (file === undefined) return put(shelf, { ...unread, ...given(rest), ref: ref ?? "", text: text ?? "" }, place);
  return putFile(shelf, resolve(place.folder, file), place, { expected, ref, ...given(rest) });
}

/** Takes in a file, or every file of a folder in the order of their names, and returns their refs. */
export async function shelvePath(shelf: Shelf, path: string, place: Place): Promise<string[]> {
  const full = resolve(place.folder, path);
  const kind = await stat(full).catch((error: unknown) => refuse(place, full, reason(error)));
  if (!kind.isDirectory()) return [await putFile(shelf, full, place, {})];
  const entries: Dirent[] = await readdir(full, { withFileTypes: true }).catch((error: unknown) =>
    refuse(place, full, reason(error)),
  );
  // Hidden files and folders within are left out; anything else that is no file is refused, since it may have been meant.
  const names = entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name);
  if (names.length === 0) refuse(place, full, "the folder holds no files");
  const refs: string[] = [];
  for (const name of names.sort()) refs.push(await putFile(shelf, join(full, name), place, {}));
  return refs;
}

/** A ref made from a file's name. */
export function refFrom(path: string): string {
  const cleaned = basename(path)
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9._-]+/gu, "-")
    .replace(/\.{2,}/gu, ".")
    .replace(/^[^A-Za-z0-9]+/u, "")
    .slice(0, 64)
    .replace(/[-.]+$/u, "");
  if (nameProblem(cleaned) === null) return cleaned;
  return `file-${cleaned}`.slice(0, 64).replace(/[-.]+$/u, "");
}

const unread = { supports: null, against: null, strength: 1, criterion: null, source: null } as const;
type Reading = Partial<Pick<EvidenceItem, "supports" | "against" | "strength" | "criterion">>;

/** Only what was said, so that the defaults stand for the rest. */
function given(rest: { [Key in keyof Reading]?: Reading[Key] | undefined }): Reading {
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
}

type FileFacts = Reading & { ref?: string | undefined; expected?: string | undefined };

async function putFile(
  shelf: Shelf,
  path: string,
  place: Place,
  { ref, expected, ...rest }: FileFacts,
): Promise<string> {
  const file = await readTextFile(path, evidenceLimit * 4);
  if (file.problem !== undefined) return refuse(place, path, file.problem);
  const found = hash("sha256", file.bytes, "hex");
  if (expected !== undefined && expected.toLowerCase() !== found) {
    refuse(
      place,
      path,
      `its SHA-256 is ${found}, and ${expected.toLowerCase()} was expected`,
      "Find out who changed it, or correct the hash.",
    );
  }
  if (file.text.trim() === "") refuse(place, path, "it is empty");
  if (file.text.length > evidenceLimit) {
    refuse(
      place,
      path,
      `it has ${file.text.length} characters, and ${evidenceLimit} are allowed`,
      "Split it into several items that can be cited apart.",
    );
  }
  if (relative(place.folder, file.real).startsWith("..") && place.file !== null) {
    shelf.notes.push(`${place.where} takes evidence from outside its own folder: ${file.real}.`);
  }
  const source = { path: file.real, hash: found };
  return put(shelf, { ...unread, ...rest, ref: ref ?? refFrom(path), text: file.text, source }, place);
}

function put(shelf: Shelf, item: Omit<EvidenceItem, "hash">, place: Place): string {
  const known = shelf.items.get(item.ref);
  if (known) {
    const field = differing(known, item);
    if (field === null) return item.ref;
    const first = shelf.places.get(item.ref)?.where ?? "an earlier place";
    throw new UsageError(
      "bad-evidence",
      `Evidence "${item.ref}" is at ${first} and at ${place.where} with a different ${field}.`,
      {
        hint: "Make both the same word for word, or give one of them another ref.",
      },
    );
  }
  shelf.bytes += Buffer.byteLength(item.text);
  if (shelf.bytes > totalLimit || shelf.items.size >= itemLimit) {
    const fact =
      shelf.bytes > totalLimit
        ? `more than ${totalLimit} bytes of evidence`
        : `more than ${itemLimit} items of evidence`;
    throw new UsageError("bad-evidence", `${place.where}: with "${item.ref}" there would be ${fact}.`, {
      hint: "Leave out what the question does not need, or split the question.",
    });
  }
  shelf.items.set(item.ref, { ...item, hash: sha256(item.text) });
  shelf.places.set(item.ref, place);
  return item.ref;
}

function differing(a: Omit<EvidenceItem, "hash">, b: Omit<EvidenceItem, "hash">): string | null {
  const fields = ["text", "supports", "against", "strength", "criterion"] as const;
  return fields.find((field) => a[field] !== b[field]) ?? null;
}

function refuse(place: Place, path: string, problem: string, hint?: string): never {
  throw new UsageError("bad-evidence", `Evidence ${path} (${place.where}) cannot be used: ${problem}.`, {
    hint: hint ?? "Name a text file (UTF-8); paths in a file are relative to that file.",
  });
}
