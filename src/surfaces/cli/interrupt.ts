/**
 * Ctrl-C: once stops after the calls under way, twice stops now. Either way nothing recorded is lost, and the way on is printed.
 */
import { interruptedExit } from "./exit.ts";
import type { Call, SignalName } from "./io.ts";
import { commandName } from "./io.ts";

/** A launcher and the terminal can both pass on one keystroke; two signals this close are one. */
const sameKeystrokeMs = 100;

export type Interrupts = {
  /** Aborted at the first interrupt. */
  readonly pause: AbortSignal;
  /** The first signal that came, if one did. */
  readonly signal: SignalName | null;
  close(): void;
};

/** Hears interrupts for one run; `run` gives its id once it has one. */
export function hearInterrupts(call: Call, run: () => string): Interrupts {
  const pause = new AbortController();
  let first: SignalName | null = null;
  let last = Number.NEGATIVE_INFINITY;

  const stop = call.io.onSignal((name) => {
    const now = performance.now();
    if (now - last < sameKeystrokeMs) return;
    last = now;
    if (first) {
      call.out.around?.before();
      call.out.around = null;
      call.out.say(`stopped now. ${wayOn(call, run())}`);
      if (call.out.json) call.out.answerJson(interrupted(call, run()));
      call.io.exit(interruptedExit(first));
    }
    first = name;
    call.out.say(`stopping after the calls under way; again to stop now. ${wayOn(call, run())}`);
    pause.abort();
  });

  return {
    pause: pause.signal,
    get signal() {
      return first;
    },
    close: stop,
  };
}

/** One object even now: a program that waits for it must not be left with nothing. */
function interrupted(call: Call, run: string) {
  const error = {
    code: "interrupted",
    message: "The run was stopped before its calls had ended.",
    hint: wayOn(call, run),
  };
  return { ok: false, run: run || null, error };
}

function wayOn(call: Call, run: string): string {
  return run ? `Go on later: ${commandName(call.io)} resume ${run}` : "Nothing was recorded yet.";
}
