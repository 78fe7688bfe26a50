/**
 * Every command and flag, as plain data.
 *
 * `parley --help` must start fast, so this file names things and loads none of them: a command's code, and a protocol's own flags,
 * are imported when that command is called.
 */
import type { Command } from "./io.ts";

export type Flag = {
  flags: string;
  means: string;
  choices?: readonly string[];
  kind?: "number" | "count" | "repeat";
};

export type Entry = {
  name: string;
  /** As commander reads it, such as `<run>` or `[question]`. */
  takes?: string;
  argument?: string;
  summary: string;
  flags: readonly Flag[];
  group: "deliberate" | "runs" | "setup";
  load: () => Promise<Command>;
};

const formats = ["text", "md", "json", "jsonl"] as const;

const writing: readonly Flag[] = [
  { flags: "--jsonl", means: "the stored events, one on each line, as they become durable" },
  { flags: "--format <form>", means: "what stdout carries", choices: formats },
  { flags: "-o, --output <file>", means: "write the answer to a new file instead of stdout" },
  { flags: "--force", means: "let -o replace an existing file" },
];

const budgets: readonly Flag[] = [
  { flags: "--budget <usd>", means: "US dollars for the whole run", kind: "number" },
  { flags: "--max-tokens <n>", means: "tokens for the whole run", kind: "count" },
  { flags: "--max-turns <n>", means: "calls for the whole run", kind: "count" },
  { flags: "--max-time <duration>", means: "running time for the whole run, such as 90s or 10m" },
  { flags: "--turn-timeout <duration>", means: "time for one call" },
  { flags: "--in-doubt <policy>", means: "a call cut off by a crash is", choices: ["retry", "fail", "ask"] },
  { flags: "--on-budget <action>", means: "at a budget, the run will", choices: ["harvest", "continue", "resume"] },
];

/** The flags of every protocol; its own options come beside them. */
export const protocolFlags: readonly Flag[] = [
  { flags: "--panel <name|file>", means: "who sits: a panel of the config, or a panel file" },
  { flags: "--seat <id=occupant>", means: "add or replace a seat, such as ops=evidence:ops.yml", kind: "repeat" },
  { flags: "--judge <occupant>", means: "who scores the agreement" },
  { flags: "--synthesizer <occupant>", means: "who writes the recommendation" },
  { flags: "--evidence <path>", means: "evidence that every seat may cite", kind: "repeat" },
  { flags: "--context <file>", means: "material shown to every seat; - reads stdin", kind: "repeat" },
  ...budgets,
  { flags: "--quorum <n>", means: "how many seats must answer a round", kind: "count" },
  { flags: "--strict", means: "exit 3 when a seat failed, dissents or is in doubt" },
  { flags: "--seed <text>", means: "what every order of the run is drawn from" },
  { flags: "--id <name>", means: "the run's id, instead of a random one" },
  { flags: "--trust", means: "let the case or project file start the programs it names" },
  { flags: "--dry-run", means: "say which calls would be made, and make none" },
  { flags: "--detach", means: "start the run, print its id and leave it going" },
  ...writing,
];

/** The protocols by name; a test holds this list against `src/protocols`. */
export const protocolEntries: readonly Entry[] = [
  {
    name: "debate",
    takes: "[question]",
    argument: "the question, a case file, or - for stdin",
    summary: "seats answer blind, read each other and revise until they agree",
    flags: protocolFlags,
    group: "deliberate",
    load: async () => (await import("./commands/protocol.ts")).protocol("debate"),
  },
];

const runArgument = "an id, a unique prefix, or latest";
const recordArgument = "an id, a unique prefix, latest, or the path of an export";

const runEntries: readonly Entry[] = [
  {
    name: "resume",
    takes: "<run>",
    argument: runArgument,
    summary: "go on with a run from its record",
    flags: [
      ...budgets,
      { flags: "--quorum <n>", means: "how many seats must answer a round", kind: "count" },
      {
        flags: "--evidence <policy>",
        means: "use evidence as recorded though its file changed",
        choices: ["recorded"],
      },
      { flags: "--trust", means: "let the record start the programs it names" },
      { flags: "--strict", means: "exit 3 when a seat failed, dissents or is in doubt" },
      ...writing,
    ],
    group: "runs",
    load: async () => (await import("./commands/resume.ts")).resumeRun,
  },
  {
    name: "watch",
    takes: "<run>",
    argument: runArgument,
    summary: "follow a run that another process drives",
    flags: writing,
    group: "runs",
    load: async () => (await import("./commands/watch.ts")).watch,
  },
  {
    name: "cancel",
    takes: "<run>",
    argument: runArgument,
    summary: "end a run and keep what was gathered",
    flags: [],
    group: "runs",
    load: async () => (await import("./commands/cancel.ts")).cancel,
  },
  {
    name: "show",
    takes: "<run>",
    argument: recordArgument,
    summary: "print a run's decision or its record",
    flags: [...writing, { flags: "--full", means: "with every turn" }],
    group: "runs",
    load: async () => (await import("./commands/show.ts")).show,
  },
  {
    name: "list",
    summary: "list runs, newest first",
    flags: [{ flags: "--limit <n>", means: "how many at most (default: 50)", kind: "count" }],
    group: "runs",
    load: async () => (await import("./commands/list.ts")).list,
  },
  {
    name: "export",
    takes: "<run>",
    argument: recordArgument,
    summary: "write a run to files that can be verified anywhere",
    flags: [
      { flags: "-o, --output <path>", means: "the new folder or file (default: ./parley-<id>)" },
      { flags: "--format <form>", means: "what is written", choices: ["bundle", "md", "json", "jsonl"] },
    ],
    group: "runs",
    load: async () => (await import("./commands/export.ts")).exportRun,
  },
  {
    name: "verify",
    takes: "<run>",
    argument: recordArgument,
    summary: "check a record, in the store or exported",
    flags: [],
    group: "runs",
    load: async () => (await import("./commands/verify.ts")).verify,
  },
];

const setupEntries: readonly Entry[] = [
  {
    name: "doctor",
    summary: "check that everything Parley needs is there and works",
    flags: [],
    group: "setup",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "init",
    summary: "write a config and a first case to try in this folder",
    flags: [{ flags: "-y, --yes", means: "do not ask" }],
    group: "setup",
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    name: "config",
    summary: "print the config as it is resolved here",
    flags: [{ flags: "--origin", means: "say where each value came from" }],
    group: "setup",
    load: async () => (await import("./commands/config.ts")).config,
  },
];

export const entries: readonly Entry[] = [...protocolEntries, ...runEntries, ...setupEntries];
