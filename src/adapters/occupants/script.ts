/**
 * The script occupant: it replays turns written beforehand, failures and delays included.
 *
 * Which turn it plays follows from the act, the round and the attempt alone. It keeps no place of its own, so a run that stops and
 * is resumed by another process goes on with the right line, and a call cut off by a crash is answered as it would have been. A call
 * that the script does not foresee is an error, never a guess.
 */
import * as z from "zod";
import { missKinds, SeatError } from "../../errors.ts";
import type { Occupant, Reply, Request } from "../../ports.ts";
import type { OccupantSpec } from "../../seat.ts";
import { settingsOf } from "./settings.ts";
import { wait } from "./waiting.ts";

const tokens = z.int().min(0);

const ScriptTurn = z
  .strictObject({
    act: z
      .string()
      .min(1)
      .optional()
      .describe("The act it answers, such as `answer` or `critique`; any when left out."),
    round: z.int().min(0).optional().describe("The round it answers in; any when left out."),
    reply: z.json().optional().describe("What it says: text is sent as it stands, anything else as JSON."),
    delayMs: z.int().min(0).max(3_600_000).default(0).describe("How long it waits first."),
    fail: z
      .strictObject({
        kind: z.enum(missKinds).describe("The kind of failure, as the record names it."),
        message: z.string().min(1).default("The script says so.").describe("The cause."),
        retryAfterMs: z.int().min(0).optional().describe("How long it asks to be left alone."),
      })
      .optional()
      .describe("A failure in place of a reply."),
    usage: z
      .strictObject({ inputTokens: tokens, outputTokens: tokens })
      .optional()
      .describe("The tokens it reports, and its cap."),
  })
  .check(
    z.refine(
      (turn) => (turn.reply === undefined) !== (turn.fail === undefined),
      "a turn has either a reply or a fail, and not both",
    ),
  );
type ScriptTurn = z.infer<typeof ScriptTurn>;

export const ScriptSettings = z
  .strictObject({
    turns: z
      .array(ScriptTurn)
      .min(1, "a script holds one turn at least")
      .describe(
        "The turns. Attempt n plays the n-th turn that fits its act and round; past them, the last that has a reply.",
      ),
  })
  .meta({ id: "ScriptSettings" });
export type ScriptSettings = z.infer<typeof ScriptSettings>;

/** Makes an occupant that replays a script. */
export function script(spec: OccupantSpec): Occupant {
  const { turns } = settingsOf(ScriptSettings, spec);
  return {
    endpoint: null,
    pure: false,
    acts: false,
    streams: false,
    cap: (request) => {
      const usage = pick(turns, request)?.usage;
      return { tokens: usage ? usage.inputTokens + usage.outputTokens : 0, usd: 0 };
    },
    reply: async (request, call) => {
      const turn = pick(turns, request);
      if (!turn)
        throw new SeatError(
          "protocol_error",
          `The script of ${spec.name} has no turn for ${request.key}, attempt ${request.attempt}.`,
        );
      if (turn.delayMs > 0) await wait(turn.delayMs, call.signal);
      return play(turn);
    },
  };
}

function pick(
  turns: readonly ScriptTurn[],
  request: Pick<Request, "act" | "round" | "attempt">,
): ScriptTurn | undefined {
  const fitting = turns.filter(
    (turn) => (turn.act ?? request.act) === request.act && (turn.round ?? request.round) === request.round,
  );
  return fitting[request.attempt - 1] ?? fitting.findLast((turn) => turn.reply !== undefined);
}

function play(turn: ScriptTurn): Reply {
  const usage = turn.usage ?? { inputTokens: 0, outputTokens: 0 };
  if (turn.fail) {
    const { kind, message, retryAfterMs } = turn.fail;
    throw new SeatError(kind, message, { usage, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  }
  return { text: typeof turn.reply === "string" ? turn.reply : JSON.stringify(turn.reply), usage };
}
