/** Questions to the person: asked on a terminal only, and never when `--no-input` says not to. */
import { createInterface } from "node:readline/promises";
import { safe } from "../../render/safe.ts";
import type { Call } from "./io.ts";

/** Asks a yes-or-no question; null when there is nobody to ask. */
export function asker(call: Call): ((sentence: string) => Promise<boolean>) | null {
  const { io, flags } = call;
  if (flags.input === false || !io.stdin.isTTY || !io.stderr.isTTY) return null;
  return async (sentence) => {
    const lines = createInterface({ input: io.stdin, output: io.stderr });
    try {
      const answer = await lines.question(`${safe(sentence)} [y/N] `);
      return /^y(es)?$/i.test(answer.trim());
    } finally {
      lines.close();
    }
  };
}
