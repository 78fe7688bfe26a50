/**
 * The program as commander knows it: names, descriptions and flags from the catalog, and nothing loaded.
 *
 * Code is imported by the action that needs it. A protocol's own flags come from its options schema, so they are added only when
 * the command line names that protocol.
 */
import { Argument, Command as Commander, InvalidArgumentError, Option } from "commander";
import { type Entry, entries, type Flag } from "./catalog.ts";
import type { Command, GlobalFlags } from "./io.ts";

/** What the program hands on when a command is called. */
export type Dispatch = (
  load: () => Promise<Command>,
  args: readonly (string | undefined)[],
  flags: Record<string, unknown>,
) => Promise<void>;

type Written = { out: (text: string) => void };

const groups = { deliberate: "Deliberate:", runs: "Runs:", setup: "Set up:" } as const;

/** Makes the program. Help is written through `out`; errors are thrown, and the caller tells them. */
export function createProgram(version: string, written: Written, dispatch: Dispatch): Commander {
  const program = new Commander("parley")
    .description("Puts a question before a panel of independent seats and returns one decision that can be audited.")
    .usage("<command> [flags]")
    .version(version, "--version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: written.out,
      writeErr: () => {},
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true, styleTitle: (title) => title });
  for (const flag of globalFlags) program.addOption(optionOf(flag));
  for (const entry of entries) addEntry(program, entry, dispatch);
  addHelp(program, written, dispatch);
  program.addHelpText("after", afterHelp);
  return program;
}

const globalFlags: readonly Flag[] = [
  { flags: "--json", means: "one JSON object on stdout, also on failure" },
  { flags: "-q, --quiet", means: "no progress, only the answer and errors" },
  { flags: "--no-color", means: "no colour" },
  { flags: "--no-input", means: "never ask; fail instead and say which flag to use" },
  { flags: "--config <file>", means: "a config file instead of the nearest parley.yml" },
  { flags: "-C, --directory <dir>", means: "work as if started in this folder" },
];

const afterHelp = `
Try:
  parley debate examples/outage/case.yml
  parley show latest --full
  parley help exit-codes`;

function addEntry(program: Commander, entry: Entry, dispatch: Dispatch): void {
  const command = program.command(entry.name).description(entry.summary).helpGroup(groups[entry.group]);
  command.helpOption("-h, --help", "print help").allowExcessArguments(false);
  if (entry.takes) command.addArgument(new Argument(entry.takes, entry.argument));
  for (const flag of entry.flags) command.addOption(optionOf(flag));
  command.action(async (...given: unknown[]) => {
    const args = entry.takes ? [given[0] as string | undefined] : [];
    await dispatch(entry.load, args, explicitFlags(command));
  });
}

/** Our own `help`, because it also explains topics that are no command. */
function addHelp(program: Commander, written: Written, dispatch: Dispatch): void {
  const help = program.command("help").description("explain a command, or exit-codes").helpGroup(groups.setup);
  help.helpOption(false).addArgument(new Argument("[topic]", "a command, or exit-codes"));
  help.action(async (topic: string | undefined) => {
    const command = program.commands.find((candidate) => candidate.name() === topic);
    if (!topic) written.out(program.helpInformation());
    else if (command) written.out(command.helpInformation());
    else await dispatch(async () => (await import("./commands/help.ts")).help, [topic], explicitFlags(help));
  });
}

/** One flag of the catalog, as commander has it. */
export function optionOf(flag: Flag): Option {
  const option = new Option(flag.flags, flag.means);
  if (flag.choices) option.choices(flag.choices);
  if (flag.kind === "number") option.argParser(numberOf);
  if (flag.kind === "count") option.argParser(countOf);
  if (flag.kind === "repeat") option.argParser((value: string, held: string[] | undefined) => [...(held ?? []), value]);
  return option;
}

/** Only what was said on the command line; defaults belong to the config and the schemas. */
function explicitFlags(command: Commander): GlobalFlags & Record<string, unknown> {
  const flags: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(command.optsWithGlobals())) {
    if (command.getOptionValueSourceWithGlobals(name) === "cli") flags[name] = value;
  }
  return flags;
}

export function numberOf(value: string): number {
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number)) throw new InvalidArgumentError("It is not a number.");
  if (number < 0) throw new InvalidArgumentError("It is below 0.");
  return number;
}

export function countOf(value: string): number {
  const number = numberOf(value);
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError("It is not a whole number.");
  return number;
}
