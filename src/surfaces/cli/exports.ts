/**
 * Exports on disk: a folder that holds a run's exact lines, its decision in two forms, and a manifest of them all.
 *
 * An export stands alone: it is read and verified without a store, a network or a key. File names are fixed, so a manifest cannot
 * lead the reader anywhere else.
 */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { sha256, unseal } from "../../chain.ts";
import { UsageError } from "../../errors.ts";
import { eventVersion } from "../../events.ts";
import { parseLines, type Record } from "../../record.ts";
import { jsonText, jsonView } from "../../render/json.ts";
import { markdown } from "../../render/markdown.ts";
import { fold } from "../../transcript.ts";
import { version } from "../../version.ts";
import { eventsText, headOf } from "./writing.ts";

export const eventsFile = "events.jsonl";
export const manifestFile = "manifest.json";
const decisionFiles = ["decision.md", "decision.json"] as const;

/** Everything an export says about itself. */
export type Manifest = {
  run: string;
  events: number;
  head: string;
  files: { [name: string]: string };
  /** The version that wrote the export, and with it the words of the decision files. */
  engine: string;
  eventVersion: number;
};

/** An export as found: its lines word for word, and what its manifest says, if it has one. */
export type Export = {
  folder: string;
  eventsPath: string;
  texts: string[];
  /** Lines that are not the UTF-8 text they decode to, counted from 1. */
  unreadable: number[];
  manifest: Manifest | null;
  manifestProblem: string | null;
};

/** The largest events file that is read at once. */
const eventsLimit = 400_000_000;

/** Whether a name is meant as a path: it holds a separator, ends as an events file does, or is the name of an export that lies here. */
export function isPath(name: string, cwd: string): boolean {
  if (name.includes("/") || name.includes(sep) || name.startsWith(".") || name.endsWith(".jsonl")) return true;
  return name !== "" && !name.includes("\0") && existsSync(join(cwd, name, eventsFile));
}

/** The files of an export, by name. */
export function bundleOf(record: Record): Map<string, string> {
  const { view } = record;
  const files = new Map<string, string>([
    [eventsFile, eventsText(record)],
    ["decision.md", markdown(view, { head: headOf(record) })],
    ["decision.json", `${jsonText(jsonView(view, { head: headOf(record) }))}\n`],
  ]);
  const manifest: Manifest = {
    run: view.run,
    events: record.lines.length,
    head: headOf(record) ?? "",
    files: Object.fromEntries([...files].map(([name, text]) => [name, sha256(text)])),
    engine: version,
    eventVersion,
  };
  return files.set(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Reads an export from its folder or its events file; nothing in it is believed yet. */
export async function readExport(cwd: string, name: string): Promise<Export> {
  const path = resolve(cwd, name);
  const found = await stat(path).catch(() => null);
  const eventsPath = found?.isDirectory() ? join(path, eventsFile) : path;
  const file = found?.isDirectory() ? await stat(eventsPath).catch(() => null) : found;
  if (name.includes("\0") || !file?.isFile() || !eventsPath.endsWith(".jsonl")) throw notAnExport(name);
  if (file.size > eventsLimit) throw notAnExport(name, `it is larger than ${eventsLimit / 1e6} MB`);
  const folder = dirname(eventsPath);
  const { texts, unreadable } = linesOf(await readFile(eventsPath));
  return { folder, eventsPath, texts, unreadable, ...(await readManifest(folder, basename(eventsPath))) };
}

function notAnExport(name: string, why = "it is neither a folder with an events.jsonl nor a .jsonl file"): UsageError {
  return new UsageError("unknown-run", `${JSON.stringify(name)} is not a run or an export: ${why}.`, {
    hint: "Name a run by its id, or an export by its folder. Runs are listed by: parley list",
  });
}

/** The lines of a file. Decoding can hide a changed byte behind a replacement character, so each line is encoded again. */
function linesOf(bytes: Buffer): { texts: string[]; unreadable: number[] } {
  const texts: string[] = [];
  const unreadable: number[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const line = bytes.subarray(from, end < 0 ? bytes.length : end);
    const text = line.toString("utf8");
    texts.push(text);
    if (Buffer.byteLength(text) !== line.length || !Buffer.from(text).equals(line)) unreadable.push(texts.length);
    from = end < 0 ? bytes.length : end + 1;
  }
  return { texts, unreadable };
}

async function readManifest(folder: string, events: string): Promise<Pick<Export, "manifest" | "manifestProblem">> {
  if (events !== eventsFile) return { manifest: null, manifestProblem: null };
  const text = await readFile(join(folder, manifestFile), "utf8").catch(() => null);
  if (text === null) {
    // A lone events file may have been copied by itself; a folder with the decision in it was exported with a manifest.
    const exported = decisionFiles.some((name) => existsSync(join(folder, name)));
    return { manifest: null, manifestProblem: exported ? "it is missing from the export" : null };
  }
  try {
    const manifest = JSON.parse(text) as Manifest;
    if (isManifest(manifest)) return { manifest, manifestProblem: null };
    return { manifest: null, manifestProblem: "it does not have the shape of a manifest" };
  } catch (error) {
    return { manifest: null, manifestProblem: `it is not JSON (${(error as Error).message})` };
  }
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== "object" || value === null) return false;
  const { run, events, head, files } = value as Partial<Manifest>;
  const named = typeof run === "string" && Number.isSafeInteger(events) && typeof head === "string";
  return (
    named &&
    typeof files === "object" &&
    files !== null &&
    Object.values(files).every((hash) => typeof hash === "string")
  );
}

export type FileProblem = { file: string; line: number | null; problem: string };

/** The lines of an export as a record; its hashes are what the lines say of themselves. */
export function recordOf({ texts }: Export): Record {
  const events = parseLines(texts);
  const lines = texts.map((text, seq) => ({ seq, text, hash: unseal(text)?.hash ?? "" }));
  return { lines, events, view: fold(events) };
}

/** What is wrong with the files of an export beside its events. The record is null when the events themselves do not verify. */
export async function fileProblems(found: Export, record: Record | null): Promise<FileProblem[]> {
  const { manifest, folder, manifestProblem } = found;
  if (manifestProblem) return [{ file: manifestFile, line: null, problem: manifestProblem }];
  if (!manifest) return [];
  const problems: FileProblem[] = [];
  const add = (file: string, problem: string) => problems.push({ file, line: null, problem });
  const known: readonly string[] = [eventsFile, ...decisionFiles];
  // Another version words a decision in its own way, so what the files should say is known for this version's exports alone.
  const expected = record && manifest.engine === version ? bundleOf(record) : null;
  if (record && manifest.run !== record.view.run)
    add(manifestFile, `it names run ${manifest.run}, not ${record.view.run}`);
  for (const name of known) {
    const listed = Object.hasOwn(manifest.files, name) ? manifest.files[name] : null;
    const file = await lstat(join(folder, name)).catch(() => null);
    const bytes = file?.isFile() ? await readFile(join(folder, name)) : null;
    if (!listed) add(manifestFile, `it does not list ${name}`);
    else if (!bytes) add(name, "the manifest lists it, and it is not there as a file");
    else if (hash("sha256", bytes, "hex") !== listed) add(name, "its SHA-256 is not the one in the manifest");
    else if (expected && !bytes.equals(Buffer.from(expected.get(name) ?? "")))
      add(name, "it does not say what the events say");
  }
  for (const name of Object.keys(manifest.files)) {
    if (!known.includes(name)) add(manifestFile, `it lists ${name}, which is no file of an export`);
  }
  return problems;
}
