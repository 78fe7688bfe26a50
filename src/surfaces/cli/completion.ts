/**
 * Shell completion, through the `tab` library's commander adapter.
 *
 * The library is loaded only while a shell completes or asks for its script; otherwise the command is a name in the help.
 */
import { Argument, type Command as Commander } from "commander";
import type { Call } from "./io.ts";

const shells = ["bash", "zsh", "fish", "powershell"];
const summary = "print a completion script for a shell";

/** The script calls a function of the bash-completion package, which many machines lack; this does as much of it as is needed. */
const bashFallback = `if ! type _get_comp_words_by_ref >/dev/null 2>&1; then
_get_comp_words_by_ref() {
    words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur="\${COMP_WORDS[COMP_CWORD]}"; prev="\${COMP_WORDS[COMP_CWORD-1]}"
}
fi`;

/** Names the command for the help; its code comes with `addCompletion`. */
export function declareCompletion(program: Commander): void {
  program
    .command("completion")
    .description(summary)
    .helpGroup("Set up:")
    .addArgument(new Argument("<shell>").choices(shells));
}

/** Gives the program its `completion` command and the hidden one that the scripts call back. */
export async function addCompletion(program: Commander, call: Call): Promise<void> {
  const [command, shell] = call.io.argv;
  if (command === "completion" && shell === "bash") call.out.answer(bashFallback);
  const { default: tab } = await import("@bomb.sh/tab/commander");
  const completion = tab(program, { completionCommandName: "completion" });
  const runs = await recentRuns(call);
  for (const [name, command] of completion.commands) {
    const takesRun =
      program.commands.find((candidate) => candidate.name() === name)?.registeredArguments[0]?.name() === "run";
    if (takesRun) {
      command.argument("run", (complete) => {
        for (const [id, question] of runs) complete(id, question);
      });
    }
  }
  program.commands.find((command) => command.name() === "completion")?.description(summary);
}

/** The newest runs, for completion; a store that cannot be read completes nothing rather than complain at each Tab. */
async function recentRuns(call: Call): Promise<[string, string][]> {
  try {
    const { openStore } = await import("./state.ts");
    const opened = await openStore(call, "read");
    if (!opened) return [];
    const { oneLine } = await import("../../render/safe.ts");
    const rows = await opened.store.list({ limit: 20 });
    await opened.store.close();
    return [["latest", "the newest run"], ...rows.map((row): [string, string] => [row.id, oneLine(row.question, 60)])];
  } catch {
    return [];
  }
}
