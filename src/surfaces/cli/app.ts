/**
 * The command line from its arguments to its exit status.
 *
 * Every way out ends here: a command's own status, help, a usage error, or a failure. So `--json` gives one object in each case, and
 * no error leaves as a stack trace.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type Command as Commander, CommanderError } from "commander";
import { type ParleyError, UsageError } from "../../errors.ts";
import { version } from "../../version.ts";
import { protocolEntries } from "./catalog.ts";
import { tellFailure } from "./failures.ts";
import type { Call, Io } from "./io.ts";
import { createOutput } from "./output.ts";
import { createProgram, type Dispatch } from "./program.ts";

/** Runs one command line and returns its exit status. */
export async function main(io: Io): Promise<number> {
  let code = 0;
  // Until the flags are read, failures are told by what can be seen of them.
  let call: Call = {
    io,
    out: createOutput(io, guessedChoices(io)),
    cwd: io.cwd,
    args: [],
    flags: {},
    trace: { run: "", events: [] },
  };
  const dispatch: Dispatch = async (load, args, flags) => {
    call = { ...call, out: createOutput(io, { ...flags, json: wantsJson(flags) }), args, flags };
    call.cwd = folderOf(io.cwd, flags.directory);
    const command = await load();
    code = await command(call);
  };
  try {
    const program = createProgram(version, { out: (text) => call.out.answer(text) }, dispatch);
    if (io.argv.length === 0) {
      program.outputHelp();
      return 0;
    }
    await prepare(program, call);
    await program.parseAsync([...io.argv], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return tellFailure(call, error instanceof CommanderError ? usageOf(error, io.argv) : error);
  }
}

/** Adds what cannot be told from the catalog alone: a protocol's own flags, and completion. */
async function prepare(program: Commander, call: Call): Promise<void> {
  const words = call.io.argv.slice(0, indexOrEnd(call.io.argv, "--"));
  const completing = words[0] === "complete" || words[0] === "completion";
  const named = completing ? call.io.argv : words;
  for (const entry of protocolEntries) {
    if (!named.includes(entry.name)) continue;
    const [{ protocols }, { addProtocolFlags }] = await Promise.all([
      import("../../protocols/index.ts"),
      import("./protocol-flags.ts"),
    ]);
    const command = program.commands.find((candidate) => candidate.name() === entry.name);
    const protocol = protocols[entry.name];
    if (command && protocol) addProtocolFlags(command, protocol);
  }
  const { addCompletion, declareCompletion } = await import("./completion.ts");
  if (completing) await addCompletion(program, call);
  else declareCompletion(program);
}

function folderOf(cwd: string, directory: unknown): string {
  if (typeof directory !== "string") return cwd;
  const folder = resolve(cwd, directory);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UsageError("bad-usage", `-C names ${JSON.stringify(directory)}, which is not a folder.`, {
    hint: "Name an existing folder.",
  });
}

/** Commander's complaint, as an error of ours with the nearest name as its hint. */
function usageOf(error: CommanderError, argv: readonly string[]): ParleyError {
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const suggestion = rest.join(" ").replace(/^\(|\)$/g, "");
  const command = argv.find((word) => /^[a-z]/.test(word)) ?? "";
  if (error.code === "commander.unknownCommand") {
    const hint = suggestion || "The commands are listed by: parley --help";
    return new UsageError(
      "unknown-protocol",
      `No protocol or command is called ${first.replace(/^unknown command /, "")}.`,
      { hint },
    );
  }
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}${/[.!?]$/.test(first) ? "" : "."}`;
  return new UsageError("bad-usage", sentence, {
    hint: suggestion || `See: parley ${command ? `${command} ` : ""}--help`,
  });
}

function guessedChoices(io: Io) {
  const words = io.argv.slice(0, indexOrEnd(io.argv, "--"));
  const format = words[words.indexOf("--format") + 1] === "json" && words.includes("--format");
  return {
    json: words.includes("--json") || format || words.includes("--format=json"),
    color: words.includes("--no-color") ? false : undefined,
  };
}

const wantsJson = (flags: Record<string, unknown>): boolean => flags.json === true || flags.format === "json";

const indexOrEnd = (words: readonly string[], word: string): number =>
  words.includes(word) ? words.indexOf(word) : words.length;
