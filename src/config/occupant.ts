/**
 * Turns an occupant's name into a spec that a run can go on from alone: every file it names is read here and never again.
 *
 * Settings are held against the schema of the adapter that will use them, so a wrong dossier is an error with a line number before
 * the run begins, not a seat that fails in every round.
 */
import { accessSync, constants, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join, resolve } from "node:path";
import * as z from "zod";
import { UsageError } from "../errors.ts";
import type { OccupantSpec } from "../seat.ts";
import { type Shelf, shelve } from "./evidence-shelf.ts";
import { shaped } from "./file-shape.ts";
import { type Place, placeIn } from "./layers.ts";
import { type Kind, type Part, splitName } from "./occupant-name.ts";
import { refuseSecrets } from "./secrets.ts";
import { type Chain, Dossier, type OccupantEntry } from "./shapes.ts";
import { readTextFile } from "./text-file.ts";
import { readYamlFile, yamlLimit } from "./yaml-file.ts";

/** A program that a file asks to be run. */
export type CommandAsked = { file: string; program: string; args: readonly string[]; env: readonly string[] };

/** What occupants bring in while they are resolved. */
export type Intake = { shelf: Shelf; env: NodeJS.ProcessEnv; commands: CommandAsked[] };

/** An occupant ready to be seated, with the refs of its own evidence. */
export type Resolved = { spec: OccupantSpec; refs: string[] };

/** Resolves one occupant. */
export async function resolveOccupant(
  entry: OccupantEntry,
  part: Part,
  place: Place,
  intake: Intake,
): Promise<Resolved> {
  const { name, lineage, ...extra } = typeof entry === "string" ? { name: entry } : entry;
  const { kind, rest } = splitName(name, part, place);
  const needless = Object.keys(extra)[0];
  if (kind !== "command" && needless !== undefined) {
    throw new UsageError(
      "bad-config",
      `${place.where}: ${JSON.stringify(name)} takes no "${needless}"; only a command does.`,
      { hint: `Take "${needless}" out.` },
    );
  }
  const { settings, refs = [], family = kind } = await settingsFor(kind, rest, extra, place, intake);
  return { spec: { name, kind, lineage: lineage ?? family, settings }, refs };
}

/** Resolves a judge or synthesizer and those who stand in for it; the one made of code when nobody is named. */
export async function resolveChain(
  chain: Chain | undefined,
  part: "judge" | "synthesizer",
  place: Place,
  intake: Intake,
): Promise<OccupantSpec[]> {
  const { codeJudge, codeSynthesizer } = await import("../adapters/occupants/index.ts");
  const code = part === "judge" ? codeJudge : codeSynthesizer;
  if (chain === undefined) return [code];
  const entries =
    typeof chain === "string" ? chain.split(",").map((name) => name.trim()) : Array.isArray(chain) ? chain : [chain];
  if (entries.includes("")) {
    throw new UsageError("bad-usage", `${place.where}: the ${part} has an empty name in its chain.`, {
      hint: "Write names with single commas between.",
    });
  }
  const specs: OccupantSpec[] = [];
  for (const entry of entries) {
    const { spec } = await resolveOccupant(entry, part, place, intake);
    specs.push(spec.kind === "code" ? code : spec);
  }
  return specs;
}

type Settled = { settings: OccupantSpec["settings"]; refs?: string[]; family?: string };
type Extra = {
  args?: string[] | undefined;
  env?: string[] | undefined;
  free?: boolean | undefined;
  acts?: boolean | undefined;
};

async function settingsFor(kind: Kind, rest: string, extra: Extra, place: Place, intake: Intake): Promise<Settled> {
  if (kind === "evidence") return dossier(resolve(place.folder, rest), intake.shelf);
  if (kind === "rules") return { settings: await ruleSet(resolve(place.folder, rest)) };
  if (kind === "script") return { settings: await script(resolve(place.folder, rest), place) };
  if (kind === "command") return command(rest, extra, place, intake);
  return { settings: kind === "code" ? { part: rest } : { name: rest === "" ? null : rest } };
}

async function dossier(path: string, shelf: Shelf): Promise<Settled> {
  const file = await readYamlFile(path, "the dossier");
  refuseSecrets(file);
  const { items, about: _, ...settings } = shaped(file, Dossier, "a dossier");
  const refs: string[] = [];
  for (const [index, item] of items.entries()) {
    const ref = await shelve(shelf, item, placeIn(file, ["items", index]));
    if (refs.includes(ref)) {
      throw new UsageError(
        "bad-evidence",
        `${file.at(["items", index])}: evidence "${ref}" is in this dossier twice.`,
        { hint: "Take one of them out, or give it another ref." },
      );
    }
    refs.push(ref);
  }
  return { settings, refs };
}

async function ruleSet(path: string): Promise<OccupantSpec["settings"]> {
  const { RulesSettings } = await import("../adapters/occupants/rules.ts");
  return shaped(await readYamlFile(path, "the rule file"), RulesSettings, "a rule file");
}

async function script(path: string, place: Place): Promise<OccupantSpec["settings"]> {
  const { ScriptSettings } = await import("../adapters/occupants/script.ts");
  const file = await readTextFile(path, yamlLimit);
  const refuse = (where: string, problem: string): never => {
    throw new UsageError("bad-config", `${where}: ${problem}.`, {
      hint: "A script holds one turn per line, each a JSON object with a reply or a fail.",
    });
  };
  if (file.problem !== undefined)
    return refuse(`The script ${path} (${place.where})`, `it cannot be used: ${file.problem}`);
  const lines = file.text
    .split(/\r?\n/u)
    .map((text, index) => ({ text, at: `${path}:${index + 1}` }))
    .filter(({ text }) => text.trim() !== "");
  const turns = lines.map(({ text, at }) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return refuse(at, "this line is not JSON");
    }
  });
  const parsed = ScriptSettings.safeParse({ turns });
  if (parsed.success) return parsed.data as OccupantSpec["settings"];
  const issue = parsed.error.issues[0];
  const turn = typeof issue?.path[1] === "number" ? lines[issue.path[1]] : undefined;
  return refuse(
    turn?.at ?? path,
    z.prettifyError(new z.ZodError(parsed.error.issues.slice(0, 1))).replace(/\s*\n\s*/gu, " "),
  );
}

async function command(
  rest: string,
  { args = [], env = [], free = false, acts = false }: Extra,
  place: Place,
  intake: Intake,
): Promise<Settled> {
  const { CommandSettings } = await import("../adapters/occupants/command.ts");
  const program = programPath(rest, place, intake.env);
  const settings = CommandSettings.parse({ program, args, cwd: place.folder, env, free, acts });
  if (place.file !== null) intake.commands.push({ file: place.file, program, args, env });
  return { settings, family: `command:${basename(program)}` };
}

/** The program's absolute path: a path relative to where it was named, or a bare name looked up in PATH and never in the working folder. */
function programPath(named: string, place: Place, env: NodeJS.ProcessEnv): string {
  const bare = !named.includes("/");
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const candidates = bare ? folders.map((folder) => join(folder, named)) : [resolve(place.folder, named)];
  const found = candidates.find(runnable);
  if (found !== undefined) return found;
  const problem = bare ? "no program of that name is in PATH" : programProblem(candidates[0] ?? named);
  throw new UsageError(
    "unknown-occupant",
    `${place.where}: the command ${JSON.stringify(named)} cannot be used: ${problem}.`,
    {
      hint: bare
        ? `Write command:./${named} for a program in the folder, and give arguments in the object form of a file.`
        : "Check the path, and make it executable with chmod +x.",
    },
  );
}

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function programProblem(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return `there is no file ${path}`;
  return stats.isFile() ? `${path} is not executable` : `${path} is not a file`;
}
