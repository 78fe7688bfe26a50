/** Exit statuses: one function says what a run's ending means to the shell. The table of meanings is in `errors.ts`. */
import { type ErrorCode, errorCodes } from "../../errors.ts";
import type { Outcome } from "../../run.ts";
import type { View } from "../../transcript.ts";
import type { SignalName } from "./io.ts";

type Circumstances = { strict: boolean; signal: SignalName | null };

/** The exit status of a run that came to rest. */
export function exitOf({ view, rest }: Outcome, { strict, signal }: Circumstances): number {
  if (rest === "paused") return interruptedExit(signal ?? "SIGINT");
  if (rest === "waiting") return view.waiting === "budget" ? 7 : view.waiting === "store" ? 1 : 5;
  if (view.status === "cancelled") return signal ? interruptedExit(signal) : 3;
  if (view.status === "failed") return failedExit(view);
  if (credentialsRefused(view)) return 4;
  if (view.stopReason?.startsWith("budget_")) return 7;
  if (view.stopReason === "rejected") return 6;
  if (view.status !== "decided") return 3;
  return strict && blemished(view) ? 3 : 0;
}

export const interruptedExit = (signal: SignalName): number => (signal === "SIGTERM" ? 143 : 130);

/** Why `--strict` is not content with a decision; empty when it is. */
export function strictFaults(view: View): string[] {
  const final = view.dissent.filter((dissent) => dissent.kind === "final");
  return [
    ...view.degraded.map((miss) => `${miss.seat} missed round ${miss.round} (${miss.kind})`),
    ...final.map((dissent) => `${dissent.seat} dissents`),
    ...view.doubts.map((doubt) => `a call of ${doubt.seat} in round ${doubt.round} is in doubt`),
  ];
}

const blemished = (view: View): boolean => strictFaults(view).length > 0;

function failedExit(view: View): number {
  const code = view.error?.code;
  return code && Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode].exit : 1;
}

/** Nobody answered, and every seat that was asked was refused for its credentials. */
function credentialsRefused(view: View): boolean {
  if (view.ballots.length > 0 || view.degraded.length === 0) return false;
  return view.degraded.every((miss) => miss.kind === "auth" || miss.kind === "billing");
}
