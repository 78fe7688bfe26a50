/** The page of the command line, printed from the program itself: what `--help` says of every command, at one width, without colour. */
import type { Command } from "commander";
import { protocols } from "../src/protocols/index.ts";
import { declareCompletion } from "../src/surfaces/cli/completion.ts";
import { createProgram } from "../src/surfaces/cli/program.ts";
import { addProtocolFlags } from "../src/surfaces/cli/protocol-flags.ts";

/** Prints the help of the program and of each of its commands. */
export function cliPage(): string {
  const program = createProgram("", { out: () => {} }, async () => {});
  for (const command of program.commands) {
    const protocol = protocols[command.name()];
    if (protocol) addProtocolFlags(command, protocol);
  }
  declareCompletion(program);
  return `# The command line

Printed from the code by \`npm run print\`; do not edit. The exit codes are in \`exit-codes.md\`.

${[program, ...program.commands].map(section).join("\n")}`;
}

function section(command: Command): string {
  const title = command.parent ? `${command.parent.name()} ${command.name()}` : command.name();
  command.configureHelp({ ...command.configureHelp(), helpWidth: 110 });
  return `## ${title}\n\n\`\`\`text\n${command.helpInformation().trim()}\n\`\`\`\n`;
}
