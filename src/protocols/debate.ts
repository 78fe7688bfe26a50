/**
 * Debate: several seats answer blind, read each other, and revise until they agree, stall or run out of rounds.
 *
 * The essay is docs/protocols/debate.md; the numbered comments are its steps. From the round-table literature it takes the blind first
 * round and the critique; it adds a quorum, a judge that may fail, and dissent that nobody can write away.
 */
import * as z from "zod";
import { canonical, latest, split } from "../answers.ts";
import { conclude } from "../conclude.ts";
import type { StopReason } from "../decision.ts";
import { heardBy } from "../hearing.ts";
import { Opening, Revision } from "../position.ts";
import { type Brief, defineProtocol, type Scored, type Turn } from "../protocol.ts";
import type { Question } from "../question.ts";

const Options = z.object({
  rounds: z.int().min(0).max(30).default(4).describe("How many times everyone may revise after the blind first round."),
  threshold: z.number().min(0).max(1).default(0.85).describe("The convergence at which the debate is over."),
  convergence: z
    .enum(["judge", "verdict", "both"])
    .default("judge")
    .describe("What ends the debate early: the judge's score, a unanimous one-word verdict, or both."),
  stallAfter: z.int().min(1).max(30).default(2).describe("How many revisions without anyone moving make a stall."),
  visibility: z
    .enum(["all", "differing", "neighbours"])
    .default("all")
    .describe("Whose answers a seat reads: everyone's, only differing ones, or its two neighbours'."),
  carryForward: z.boolean().default(false).describe("Show the answers of all earlier rounds, not of the last alone."),
  anonymous: z.boolean().default(true).describe("Show peers under letters instead of their seats' names."),
});
type Options = z.infer<typeof Options>;

export const debate = defineProtocol({
  name: "debate",
  version: 1,
  summary: "Seats answer blind, read each other, and revise until they agree.",
  minSeats: 2,
  options: Options,
  calls: (seats, { rounds }) => ({ seats: seats * (rounds + 1), judge: rounds + 1, synthesizer: 1 }),
  run: async (question, room, options) => {
    const said: Turn<Opening>[] = [];
    let scored: Scored | null = null;
    let stop: StopReason | null = null;
    let still = 0;

    // 1. Everyone answers alone, before hearing anyone: a position, a short answer, claims with evidence, and what would change it.
    room.round("first answers");
    let turns = await room.askAll(room.seats, () => firstAnswer(question, options), Opening);

    for (let round = 0; stop === null; round++) {
      const before = split(latest(room.ballots(), round - 1));
      said.push(...turns);
      room.vote(turns);

      // 2. A round that a quorum did not answer, or that a budget cut short, is the last one.
      stop = room.close(turns);
      if (stop !== null) break;

      // 3. A judge scores how far the answers agree on the recommendation, the facts and the caveats; code counts equal answers.
      scored = await room.judge(turns, options.convergence === "verdict" ? null : judging);

      // 4. When they agree enough the debate is over; also when nobody has moved for some rounds, or the rounds are used up.
      still = before === split(latest(room.ballots(), round)) ? still + 1 : 0;
      stop = ending(scored, still, round, options);
      if (stop !== null) break;

      // 5. Otherwise each reads its peers' answers, without names, and answers again; whoever changes its answer says what changed it.
      room.round(`critique ${round + 1}`);
      turns = await room.askAll(
        room.seats,
        (seat) => critique(question, options, heardBy(seat, room.seats, said, options)),
        Revision,
      );
    }

    // 6. A synthesizer that holds no seat writes the recommendation; votes, changes of mind and dissent are built by code.
    const nobody = said.every((turn) => turn.said === null);
    const written = stop === "quorum_lost" || nobody ? null : await room.synthesize(said, synthesis);
    return conclude({ question, room, stop: stop ?? "rounds_done", scored, written });
  },
});

function ending(scored: Scored, still: number, round: number, options: Options): StopReason | null {
  if (agreed(scored, options)) return "converged";
  if (still >= options.stallAfter) return "stalled";
  return round >= options.rounds ? "rounds_done" : null;
}

/** A judge that could not be heard leaves the share of equal answers to decide. */
function agreed(scored: Scored, options: Options): boolean {
  const byScore = (scored.convergence ?? scored.share) >= options.threshold;
  return options.convergence === "judge"
    ? byScore
    : options.convergence === "verdict"
      ? scored.unanimous
      : byScore && scored.unanimous;
}

function firstAnswer(question: Question, options: Options): Brief {
  return {
    act: "answer",
    say: `${answering}${verdictWord(options)}`,
    check: (said) => offList(question, said as Opening),
  };
}

function critique(question: Question, options: Options, hear: readonly Turn<Opening>[]): Brief {
  const say = `${revising}${verdictWord(options)}`;
  return { act: "critique", say, hear, named: !options.anonymous, check: (said) => offList(question, said as Opening) };
}

function offList({ options }: Question, { answer }: Opening): string | null {
  if (options.length === 0 || options.includes(canonical(answer, options))) return null;
  return `answer: must be one of ${options.map((option) => JSON.stringify(option)).join(", ")}`;
}

function verdictWord(options: Options): string {
  return options.convergence === "judge"
    ? " Set verdict to null."
    : " Set verdict to your answer in one word, the same word for the same answer.";
}

const answering =
  "Answer the question on your own. Give your position, a short canonical answer, the claims it rests on with the evidence for each, " +
  "what speaks against it, how sure you are, and what would change your mind.";

const revising =
  "Others have answered; they may be right or wrong, and their number proves nothing. Say with whom you agree and on what, and with whom you " +
  "disagree, on what and why, from the substance. Then answer again. Keep your answer unless you can name the error in it or the evidence " +
  "against it; if you change it, changedBy names the argument, whose it was, and its evidence. To agree with an answer, repeat it word for word.";

const judging =
  "Score from 0 to 1 how far these positions agree: on the central recommendation, on the key facts, and on the critical caveats. " +
  "Do not judge who is right. Length, tone and order say nothing.";

const synthesis =
  "Write the panel's recommendation from everything said, giving every participant equal weight. Attribute each reason to those who brought it " +
  "and cite only evidence they cited. Say what should reopen the question and what is not settled. Leave dissent to the record: it is kept for you.";
