/**
 * Reads stdin whole, for `-` alone.
 *
 * Stdin is never read unasked: a parent that leaves its end of the pipe open would make the command wait for ever, and a loop that
 * feeds `while read` would lose the rest of its lines.
 */
import { UsageError } from "../../errors.ts";
import type { Call } from "./io.ts";

/** More than any question or material may hold, so what is too long is refused by its own rule. */
const limitBytes = 1_000_000;

export async function readStdin(call: Call): Promise<string> {
  if (call.io.stdin.isTTY) call.out.say("reading from the terminal; end with Ctrl-D on an empty line");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of call.io.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > limitBytes) {
      throw new UsageError("bad-question", `What came on stdin is longer than ${limitBytes} bytes.`, {
        hint: "Put long material in files and name them with --evidence or --context.",
      });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
