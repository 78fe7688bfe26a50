/**
 * One call of an occupant under its clocks: connect, first token, between chunks, and the whole turn.
 *
 * The first thing to settle the call wins. An answer that comes after that is handed to `late`, so it is kept and never counted.
 */
import { SeatError } from "./errors.ts";
import type { LiveRun } from "./live-run.ts";
import type { Occupant, Reply, Request } from "./ports.ts";

type Watch = { delta(text: string): void; late(reply: Reply): void; wholeMs: number };

/** Calls the occupant; resolves with its reply or rejects with a `SeatError`. */
export function callOccupant(live: LiveRun, occupant: Occupant, request: Request, watch: Watch): Promise<Reply> {
  if (occupant.pure) return occupant.reply(request, silent);
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    let settled = false;
    let cancelStage: (() => void) | null = null;

    const settle = () => {
      settled = true;
      cancelWhole();
      cancelStage?.();
      live.calls.delete(request.key);
    };
    const cut = (error: SeatError) => {
      if (settled) return;
      settle();
      reject(error);
      controller.abort(error);
    };
    const stage = (ms: number, name: string) => {
      cancelStage?.();
      if (!settled)
        cancelStage = live.world.after(ms, () => cut(new SeatError("timeout", `${name} within ${seconds(ms)}`)));
    };

    const cancelWhole = live.world.after(watch.wholeMs, () =>
      cut(new SeatError("timeout", `no answer within ${seconds(watch.wholeMs)}`)),
    );
    live.calls.set(request.key, (kind, cause) => cut(new SeatError(kind, cause)));
    const { connectMs, firstTokenMs, betweenChunksMs } = live.limits;
    if (occupant.streams) stage(connectMs, "not connected");

    const call = {
      signal: controller.signal,
      connected: () => {
        if (occupant.streams && !settled) stage(firstTokenMs, "no first token");
      },
      delta: (text: string) => {
        if (settled) return;
        if (occupant.streams) stage(betweenChunksMs, "the stream stood still");
        watch.delta(text);
      },
    };
    let reply: Promise<Reply>;
    try {
      reply = occupant.reply(request, call);
    } catch (error) {
      reply = Promise.reject(error);
    }
    reply.then(
      (answer) => {
        if (settled) return watch.late(answer);
        settle();
        resolve(answer);
      },
      (error) => {
        if (settled) return;
        settle();
        reject(error);
      },
    );
  });
}

const silent = { signal: new AbortController().signal, connected: () => {}, delta: () => {} };

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
