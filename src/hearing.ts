/** Who hears whom: the turns a seat is shown before it answers again. Never its own, never a turn of the round in which it is asked. */
import { canonical } from "./answers.ts";
import type { Opening } from "./position.ts";
import type { Turn } from "./protocol.ts";
import type { Seat } from "./seat.ts";

export type Hearing = { visibility: "all" | "differing" | "neighbours"; carryForward: boolean };

/** Each peer's newest answer, or all of its answers, as far as the seat may read that peer. */
export function heardBy(
  seat: Seat,
  seats: readonly Seat[],
  said: readonly Turn<Opening>[],
  { visibility, carryForward }: Hearing,
): Turn<Opening>[] {
  const answered = said.filter((turn) => turn.said !== null);
  const newest = new Map(answered.map((turn) => [turn.seat, turn]));
  const answerOf = (id: string) => canonical(newest.get(id)?.said?.answer ?? "");
  const place = seats.indexOf(seat);
  const neighbours = [-1, 1].map((step) => seats[(place + step + seats.length) % seats.length]?.id);
  return answered.filter((turn) => {
    if (turn.seat === seat.id || (!carryForward && newest.get(turn.seat) !== turn)) return false;
    if (visibility === "neighbours") return neighbours.includes(turn.seat);
    return visibility === "all" || answerOf(turn.seat) !== answerOf(seat.id);
  });
}
