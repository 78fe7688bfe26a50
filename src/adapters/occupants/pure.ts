/** Occupants made of code alone: a call costs nothing, changes nothing, and gives the same reply each time. */
import { SeatError } from "../../errors.ts";
import type { Occupant, Reply, Request } from "../../ports.ts";

/** An occupant that is nothing but its function. */
export function pureOccupant(speak: (request: Request) => Reply): Occupant {
  return {
    endpoint: null,
    pure: true,
    acts: false,
    streams: false,
    cap: () => ({ tokens: 0, usd: 0 }),
    reply: async (request) => speak(request),
  };
}

/** A position as a reply; other acts get it only where it has the shape they ask for. */
export function positionReply(who: string, request: Request, said: unknown): Reply {
  const takesPositions = request.act === "answer" || request.act === "critique";
  if (!takesPositions && !request.reply.safeParse(said).success) {
    const what = `takes positions; it cannot give what \`${request.act}\` asks for`;
    throw new SeatError("unsupported", `${who} ${what}.`);
  }
  return { text: JSON.stringify(said), usage: { inputTokens: 0, outputTokens: 0 } };
}
