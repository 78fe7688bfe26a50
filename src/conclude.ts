/**
 * The conclusion: a decision from the ballots, the last score and the synthesis.
 *
 * Counting is code's alone. An answer that more than half of the whole panel holds is decided; so is one the judge found the panel
 * agreed on although its wordings differ. Everything else is an honest `undecided` that keeps every position.
 */
import { canonical, dissentFrom, flipsOf, latest, tally } from "./answers.ts";
import type { Ballot } from "./ballot.ts";
import type { Decision, StopReason } from "./decision.ts";
import type { Synthesis } from "./position.ts";
import type { Room, Scored } from "./protocol.ts";
import type { Question } from "./question.ts";
import type { Seat } from "./seat.ts";

type Parts = {
  question: Question;
  room: Room;
  stop: StopReason;
  scored: Scored | null;
  written: { synthesis: Synthesis; by: string; causes: string[] } | null;
};

/** Builds the decision; the protocol says why it stopped, and code says whether that is a decision. */
export function conclude({ question, room, stop, scored, written }: Parts): Decision {
  const ballots = room.ballots();
  const last = latest(ballots);
  const before = tally(latest(ballots, 0), room.seats);
  const after = tally(last, room.seats);
  const answer = decidedAnswer({ question, room, stop, written, held: last.length, after });
  const decided = answer !== null && written !== null;
  const flips = flipsOf(ballots, room.seats);
  const leading = answer ?? after.leading;
  const behind = last.filter((ballot) => ballot.answer === leading);
  const stated = behind.length > 0 ? behind.reduce((sum, ballot) => sum + ballot.confidence, 0) / behind.length : null;
  return {
    outcome: decided ? "decided" : "undecided",
    stopReason: reasonOf(stop, decided, written !== null, room.limit()),
    recommendation: decided ? written.synthesis.recommendation : null,
    answer: decided ? answer : null,
    leading,
    reasons: written?.synthesis.reasons ?? [],
    confidence: { agreement: after.share, convergence: scored?.convergence ?? null, stated },
    triggers: written?.synthesis.triggers ?? [],
    unresolved: written?.synthesis.unresolved ?? [],
    dissent: dissentFrom(ballots, decided ? answer : null, flips),
    flips,
    votes: { before, after },
    plainVote: { answer: before.leading, same: before.leading === leading },
    voices: voicesOf(room.seats, ballots),
    judge: scored?.judge ?? null,
    synthesizer: written?.by ?? "nobody",
    notes: remarks(scored, written, decided && behind.length === 0),
  };
}

type Held = Omit<Parts, "scored"> & { held: number; after: Decision["votes"]["after"] };

function decidedAnswer({ question, room, stop, written, held, after }: Held): string | null {
  if (stop === "quorum_lost" || held < room.quorum) return null;
  if (after.leading !== null && after.share > 0.5) return after.leading;
  if (stop === "converged" && written) return canonical(written.synthesis.answer, question.options);
  return null;
}

function reasonOf(stop: StopReason, decided: boolean, written: boolean, limit: StopReason | null): StopReason {
  if (!written && stop !== "quorum_lost") return limit ?? "judge_failed";
  return stop === "rounds_done" && !decided ? "no_consensus" : stop;
}

/** Seats of one lineage with the same evidence count once, and so does a seat that only repeated another's words. */
function voicesOf(seats: readonly Seat[], ballots: readonly Ballot[]): Decision["voices"] {
  const scopeOf = (seat: Seat) => [...seat.scope].sort().join(",");
  const copied = new Set(ballots.filter((ballot) => ballot.copyOf !== null).map((ballot) => ballot.seat));
  const own = seats.filter((seat) => !copied.has(seat.id));
  return {
    seats: seats.length,
    lineages: new Set(seats.map((seat) => seat.occupant.lineage)).size,
    scopes: new Set(seats.map(scopeOf)).size,
    effective: new Set(own.map((seat) => `${seat.occupant.lineage}\n${scopeOf(seat)}`)).size,
  };
}

function remarks(scored: Scored | null, written: Parts["written"], reworded: boolean): string[] {
  const notes: string[] = [];
  if (reworded)
    notes.push(
      "The judge found agreement, but no seat gave this answer word for word; read the dissent with that in mind.",
    );
  for (const cause of scored?.causes ?? []) notes.push(`A judge could not be heard (${cause}).`);
  if (scored && scored.causes.length > 0 && !scored.judge)
    notes.push("The share of equal answers stood in for the judge's score.");
  for (const cause of written?.causes ?? [])
    notes.push(`A synthesizer could not be heard (${cause}); ${written?.by} wrote instead.`);
  return notes;
}
