/**
 * One call of an occupant under its clocks: connect, first token, between chunks, and the whole turn.
 *
 * The first thing to settle the call wins. An answer that comes after that is handed to `late`, so it is kept and never counted.
 */
import { SeatError } from "./errors.ts";
import type { LiveRun } from "./live-run.ts";
import type { Call, Occupant, Reply, Request } from "./ports.ts";

type Watch = { delta(text: string): void; late(reply: Reply): void; wholeMs: number };

/** Calls the occupant; resolves with its reply or rejects with what it threw. */
export function callOccupant(live: LiveRun, occupant: Occupant, request: Request, watch: Watch): Promise<Reply> {
  if (occupant.pure) return occupant.reply(request, silent);
  return new Promise((resolve, reject) => {
    const clocks = new Clocks(live, watch.wholeMs, (error) => cut(error));
    const ending = new Ending();
    let settled = false;
    const settle = () => {
      settled = true;
      clocks.stop();
      live.calls.delete(request.key);
      live.patient.delete(request.key);
    };
    const cut = (error: SeatError) => {
      if (settled) return;
      settle();
      reject(error);
      ending.abort(error);
    };
    live.calls.set(request.key, (kind, cause) => cut(new SeatError(kind, cause)));
    if (occupant.patient) live.patient.add(request.key);
    const call = clocks.over(ending.call(watch.delta), occupant.streams);
    Promise.try(() => occupant.reply(request, call)).then(
      (reply) => {
        if (settled) {
          late(watch, reply);
          return;
        }
        settle();
        resolve(reply);
      },
      (error) => {
        if (settled) return;
        settle();
        reject(error);
      },
    );
  });
}

/** What comes late counts for nothing, so nothing in it may end the process either. */
function late(watch: Watch, reply: Reply): void {
  try {
    watch.late(reply);
  } catch {
    // The turn is settled and on record; there is nobody left to tell.
  }
}

const silent: Call = { signal: new AbortController().signal, connected: () => {}, delta: () => {} };

/** When a call is over, for occupants that ask: a signal costs more than the rest of a call, and many never look at it. */
class Ending {
  #controller: AbortController | null = null;
  #reason: SeatError | null = null;

  abort(reason: SeatError): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  call(delta: (text: string) => void): Call {
    const signal = () => this.#signal();
    return {
      get signal() {
        return signal();
      },
      connected: () => {},
      delta,
    };
  }

  #signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }
}

/** The clocks of one call. The stage clocks run only for occupants that stream: others have nothing to show before they answer. */
class Clocks {
  readonly #live: LiveRun;
  readonly #cut: (error: SeatError) => void;
  readonly #cancelWhole: () => void;
  #cancelStage: (() => void) | null = null;
  #stopped = false;

  constructor(live: LiveRun, wholeMs: number, cut: (error: SeatError) => void) {
    this.#live = live;
    this.#cut = cut;
    this.#cancelWhole = this.#after(wholeMs, "no answer");
  }

  /** The call as the occupant sees it, each sign of life moving the stage clock on. */
  over(call: Call, streams: boolean): Call {
    if (!streams) return call;
    const { connectMs, firstTokenMs, betweenChunksMs } = this.#live.limits;
    this.#stage(connectMs, "not connected");
    return {
      get signal() {
        return call.signal;
      },
      connected: () => this.#stage(firstTokenMs, "no first token"),
      delta: (text) => {
        this.#stage(betweenChunksMs, "the stream stood still");
        if (!this.#stopped) call.delta(text);
      },
    };
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelWhole();
    this.#cancelStage?.();
  }

  #stage(ms: number, what: string): void {
    this.#cancelStage?.();
    if (!this.#stopped) this.#cancelStage = this.#after(ms, what);
  }

  #after(ms: number, what: string): () => void {
    const within = ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
    return this.#live.world.after(ms, () => this.#cut(new SeatError("timeout", `${what} within ${within}`)));
  }
}
