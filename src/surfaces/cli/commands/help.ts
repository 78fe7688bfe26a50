/** `parley help TOPIC` for what is no command: the exit codes. */
import { exitCodes, UsageError } from "../../../errors.ts";
import type { Call } from "../io.ts";

export async function help(call: Call): Promise<number> {
  const topic = call.args[0] ?? "";
  if (topic !== "exit-codes") {
    throw new UsageError("bad-usage", `There is no help on ${JSON.stringify(topic)}.`, {
      hint: "Name a command, or exit-codes. The commands are listed by: parley --help",
    });
  }
  if (call.out.json) call.out.answerJson({ ok: true, exitCodes });
  else
    call.out.answer(
      Object.entries(exitCodes)
        .map(([code, means]) => `${code.padStart(3)}  ${means}`)
        .join("\n"),
    );
  return 0;
}
