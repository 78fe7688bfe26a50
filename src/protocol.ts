/**
 * What a protocol is, and everything it may do.
 *
 * A protocol is an async function over a room. It has no clock, dice, network, files or concurrency of its own, so the same file
 * runs in a test, a terminal, the simulator and a distributed worker, and replays from its record after a crash.
 */
import type * as z from "zod";
import type { Ballot } from "./ballot.ts";
import type { Decision, StopReason } from "./decision.ts";
import type { MissKind } from "./errors.ts";
import type { EventOf } from "./events.ts";
import type { Opening, Synthesis } from "./position.ts";
import type { Question } from "./question.ts";
import type { Seat } from "./seat.ts";

/** One thing said, or the reason why it was not. */
export type Turn<Said> = {
  key: string;
  seat: string;
  round: number;
  said: Said | null;
  missed: { kind: MissKind; cause: string } | null;
};

/** What one seat is asked, and whose words it hears first. */
export type Brief = {
  /** What is asked for: `answer`, `critique`, `score`, `synthesis` … A part of the turn's key. */
  act: string;
  /** The instruction, in the protocol's words. */
  say: string;
  /** Turns it is shown, as fenced data; none in a blind round. */
  hear?: readonly Turn<unknown>[];
  /** Shows peers under their seats' names instead of letters. */
  named?: boolean;
  /** What is wrong with a reply that has the right shape, or null; the seat is told once and may mend it. */
  check?: (said: unknown) => string | null;
};

/** How far the positions of a round agree. */
export type Scored = Pick<
  EventOf<"score-given">,
  "round" | "score" | "convergence" | "share" | "unanimous" | "judge" | "causes"
>;

/** Everything a protocol may do. */
export interface Room {
  readonly seats: readonly Seat[];
  /** How many seats must have answered for there to be a decision. */
  readonly quorum: number;
  /** Names what comes next and returns its number, counting from 0. */
  round(name: string): number;
  /** One seat speaks. */
  ask<Said>(seat: Seat, brief: Brief, reply: z.ZodType<Said>): Promise<Turn<Said>>;
  /** Several speak, none hearing the others. */
  askAll<Said>(seats: readonly Seat[], brief: (seat: Seat) => Brief, reply: z.ZodType<Said>): Promise<Turn<Said>[]>;
  /** Casts the ballots of a round, with their citations checked. */
  vote(turns: readonly Turn<Opening>[]): Ballot[];
  /** The judge, or the next of its chain, scores how far the positions agree; code adds the share. With no words for a judge, code alone. */
  judge(turns: readonly Turn<Opening>[], say: string | null): Promise<Scored>;
  /** The synthesizer, or the next of its chain, writes the recommendation from everything that was said; null when none could be heard. */
  synthesize(
    turns: readonly Turn<unknown>[],
    say: string,
  ): Promise<{ synthesis: Synthesis; by: string; causes: string[] } | null>;
  /** Every ballot cast so far. */
  ballots(): readonly Ballot[];
  /** The budget that had no room for a call, where one was reached. */
  limit(): StopReason | null;
  /** Remarks on something a reader must know. */
  note(text: string): void;
  /** Closes a round, and says why the protocol must go to its ending now: the quorum is lost, or a budget is reached. */
  close(turns: readonly Turn<unknown>[]): StopReason | null;
}

export type Protocol<Options extends z.ZodObject = z.ZodObject> = {
  name: string;
  /** Raised when the same run would be asked other things; a run is resumed with the version that began it. */
  version: number;
  summary: string;
  minSeats: number;
  options: Options;
  /** How many calls it makes at most, for `--dry-run`. */
  calls(seats: number, options: z.infer<Options>): { seats: number; judge: number; synthesizer: number };
  run(question: Question, room: Room, options: z.infer<Options>): Promise<Decision>;
};

/** Names a protocol, with its options' types carried along. */
export function defineProtocol<Options extends z.ZodObject>(protocol: Protocol<Options>): Protocol<Options> {
  return protocol;
}
