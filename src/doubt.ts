/**
 * Calls that a crash cut off. Nobody knows whether they were answered, so each is named, charged at its cap, and sent again, counted as
 * missed, or asked about, as the policy says. A call that costs nothing and changes nothing is simply made again.
 */
import { SeatError } from "./errors.ts";
import type { LiveRun } from "./live-run.ts";
import type { TurnView } from "./transcript.ts";

/** Settles every open intent of the record; true when a person must say what becomes of one. */
export function settleDoubts(live: LiveRun): boolean {
  let asking = false;
  for (const turn of live.view.turns.values()) {
    if (turn.open) nameDoubt(live, turn, turn.open);
    if (turn.state !== "in-doubt") continue;
    const policy = policyFor(live, turn);
    if (policy === "ask") asking = true;
    if (policy === "fail") {
      const { key, seat, round, act } = turn;
      live.recorder.append({
        type: "turn-missed",
        key,
        seat,
        round,
        act,
        kind: "in_doubt",
        cause: "the call was cut off by a crash",
      });
    }
  }
  return asking;
}

function nameDoubt(live: LiveRun, turn: TurnView, open: NonNullable<TurnView["open"]>): void {
  const { key, seat } = turn;
  if (live.occupants.get(turn.seat)?.pure) {
    const { kind, message: cause } = new SeatError("cancelled", "cut off by a crash; it is free to make again");
    const charged = { tokens: 0, usd: 0 };
    const retryAt = live.world.now();
    live.recorder.append({
      type: "attempt-failed",
      key,
      attempt: open.attempt,
      seat,
      kind,
      cause,
      raw: null,
      charged,
      usage: null,
      requestId: null,
      retryAt,
    });
    return;
  }
  live.recorder.append({
    type: "doubt-found",
    key,
    attempt: open.attempt,
    seat,
    charged: open.cap,
    policy: policyFor(live, turn),
  });
}

function policyFor(live: LiveRun, turn: TurnView): "retry" | "fail" | "ask" {
  return live.limits.inDoubt ?? (live.occupants.get(turn.seat)?.acts ? "ask" : "retry");
}
