/**
 * The debate that every contender runs: three seats, a judge and a synthesizer whose replies are written in advance.
 *
 * Replies are the same for all, and so are the prompts of the contenders that do not build their own; what is measured is then
 * the work around the calls and nothing else. Each call takes its own time, because a timer of 50 ms is never exactly 50 ms.
 */
import { performance } from "node:perf_hooks";

export const seats = ["ada", "ben", "cleo"] as const;
export const expected = "sqlite";
export const question = `Which database should the desktop edition of the planning tool use for the data it keeps on the user's machine?
It has one user at a time, some forty tables, files of up to two gigabytes, a search box over notes, and a sync service that
replays changes to a server. The team has run a database server for years and has never shipped one inside an installer.
Support wants one file that can be copied, mailed and opened. The sync team wants triggers and logical decoding.`;

/** What a seat says, as far as a contender has to read it. */
export type Said = { position: string; answer: string };
export type Spoken = { seat: string; round: number; said: Said };
export type Part = "seat" | "judge" | "synthesizer";

const opening = {
  position:
    "Keep the data in one file beside the user's documents: it is copied and mailed as it is, and needs no service to run.",
  answer: "sqlite",
  claims: [{ text: "One user at a time never needs a server, and forty tables are few.", refs: [] }],
  caveats: ["The sync service loses logical decoding."],
  confidence: 0.7,
  wouldChange: ["A second writer on the same machine."],
  verdict: null,
};
const other = {
  ...opening,
  position:
    "Ship the server the team knows: triggers and logical decoding carry the sync service, and the installer is work done once.",
  answer: "postgres",
};
const peers = { agreements: [{ with: "A", on: "one user" }], disagreements: [], changedBy: null };

const written: Record<string, { first: string; later: string }> = Object.fromEntries(
  seats.map((seat) => {
    const said = seat === "cleo" ? other : opening;
    return [seat, { first: JSON.stringify(said), later: JSON.stringify({ ...said, ...peers }) }];
  }),
);
const score = JSON.stringify({ recommendation: 0.6, facts: 0.7, caveats: 0.5 });
const synthesis = JSON.stringify({
  recommendation:
    "Use SQLite for the desktop edition, and give the sync service its own table of changes in place of decoding.",
  answer: expected,
  reasons: [{ text: "One file can be copied, mailed and opened.", refs: [], by: ["ada", "ben"] }],
  triggers: ["A second writer on the same machine."],
  unresolved: ["How large the table of changes may grow."],
});

/** The scripted reply to one call. */
export function replyOf(part: Part, seat: string, round: number): string {
  if (part === "judge") return score;
  if (part === "synthesizer") return synthesis;
  const own = written[seat];
  if (!own) throw new Error(`There is no seat ${seat} in the scripted debate.`);
  return round === 0 ? own.first : own.later;
}

/** The prompt of a seat: the question, the instruction, and what its peers said in the round before. */
export function seatPrompt(seat: string, round: number, turns: readonly Spoken[]): string {
  const heard = turns.filter((turn) => turn.round === round - 1 && turn.seat !== seat);
  const ask =
    round === 0 ? "Answer alone." : "Read your peers, say where you agree and disagree and why, and answer again.";
  return `${question}\n\n${shape}\n${ask}\n\n${heard.map((turn) => `<peer>${JSON.stringify(turn.said)}</peer>`).join("\n")}`;
}

/** The prompt of the judge and of the synthesizer: the question and every position of a round. */
export function reviewPrompt(part: Part, round: number, turns: readonly Spoken[]): string {
  const heard = turns.filter((turn) => turn.round === round);
  const ask = part === "judge" ? "Score how far the positions agree." : "Write the recommendation.";
  return `${question}\n\n${ask}\n\n${heard.map((turn) => `<position>${JSON.stringify(turn.said)}</position>`).join("\n")}`;
}

const shape = `Return JSON with position, answer, claims with refs, caveats, confidence, what would change your mind, and a verdict.
Cite evidence by its name. Do not repeat the question. Give your own view before you weigh anyone else's.`;

/** How long the calls of one debate took on its critical path. */
type Path = { slowest: number[]; rest: number };

/** Answers the calls of all debates and keeps their times. */
export type Desk = {
  call(debate: string, part: Part, seat: string, round: number, prompt: string): Promise<string>;
  calls(): number;
  /** How long every call takes from now on. */
  take(delayMs: number): void;
  /** The critical path of a debate: the slowest seat of each round, the judge and the synthesis. Forgets it. */
  path(debate: string): number;
};

export function createDesk(): Desk {
  const paths = new Map<string, Path>();
  let calls = 0;
  let delayMs = 0;
  return {
    async call(debate, part, seat, round, prompt) {
      calls++;
      if (prompt.length < 500)
        throw new Error(`A prompt of ${prompt.length} characters is not that of the scripted debate.`);
      if (delayMs === 0) return replyOf(part, seat, round);
      const began = performance.now();
      await new Promise<void>((resolve) => setTimeout(resolve, delayMs));
      note(paths, debate, part, round, performance.now() - began);
      return replyOf(part, seat, round);
    },
    calls: () => calls,
    take(ms) {
      delayMs = ms;
    },
    path(debate) {
      const path = paths.get(debate);
      paths.delete(debate);
      if (!path) throw new Error(`No call of debate ${debate} was timed.`);
      return path.slowest.reduce((sum, ms) => sum + ms, path.rest);
    },
  };
}

function note(paths: Map<string, Path>, debate: string, part: Part, round: number, ms: number): void {
  const path = paths.get(debate) ?? { slowest: [], rest: 0 };
  paths.set(debate, path);
  if (part === "seat") path.slowest[round] = Math.max(path.slowest[round] ?? 0, ms);
  else path.rest += ms;
}
