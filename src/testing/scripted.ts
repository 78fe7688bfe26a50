/**
 * An occupant whose replies a test writes as a function of the request, with every call on record.
 *
 * It answers only what the test foresaw: a call for which the function returns nothing fails, since an invented reply would let a
 * test pass that never looked.
 */
import { SeatError } from "../errors.ts";
import type { Cap, Usage } from "../events.ts";
import type { Call, Occupant, Reply, Request } from "../ports.ts";
import type { OccupantSpec } from "../seat.ts";

type Scripted = {
  /** What it says: text as it stands, anything else as JSON, an error by throwing it, and `undefined` for a call nobody expected. */
  answer: (request: Request, call: Call) => unknown;
  /** How long it waits first; for a clock of one's own, wait in `answer`. */
  delayMs?: number | ((request: Request) => number);
  usage?: Usage | null;
  cap?: Cap;
  endpoint?: string | null;
  pure?: boolean;
  acts?: boolean;
  /** With true, the reply also arrives in pieces. */
  streams?: boolean;
};

const free: Cap = { tokens: 0, usd: 0 };
const pieces = 4;

/** Makes an occupant for tests; `calls` holds the requests it was given, in order. */
export function scriptedOccupant(script: Scripted): Occupant & { readonly calls: Request[] } {
  const calls: Request[] = [];
  const usage = script.usage === undefined ? { inputTokens: 0, outputTokens: 0 } : script.usage;
  return {
    calls,
    endpoint: script.endpoint ?? null,
    pure: script.pure ?? false,
    acts: script.acts ?? false,
    streams: script.streams ?? false,
    cap: () => script.cap ?? free,
    reply: async (request, call) => {
      calls.push(request);
      const delayMs = typeof script.delayMs === "function" ? script.delayMs(request) : (script.delayMs ?? 0);
      if (delayMs > 0) await pause(delayMs, call.signal);
      const said = await script.answer(request, call);
      const reply = replyOf(said, request, usage);
      if (script.streams) stream(reply.text, call);
      return reply;
    },
  };
}

/** A spec of kind `test`, for a table of occupants that a test fills itself. */
export function specOf(name: string, settings: OccupantSpec["settings"] = null, lineage = "test"): OccupantSpec {
  return { name: `test:${name}`, kind: "test", lineage, settings };
}

function replyOf(said: unknown, request: Request, usage: Usage | null): Reply {
  if (said instanceof Error) throw said;
  if (said === undefined) {
    throw new SeatError(
      "protocol_error",
      `No one expected ${request.key}, attempt ${request.attempt}, and the script has no reply.`,
    );
  }
  return { text: typeof said === "string" ? said : JSON.stringify(said), usage };
}

function stream(text: string, call: Call): void {
  call.connected();
  const size = Math.max(1, Math.ceil(text.length / pieces));
  for (let at = 0; at < text.length; at += size) call.delta(text.slice(at, at + size));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}
