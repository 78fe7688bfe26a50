/** The bare loop: `Promise.all` over the seats, and no record. It is the least a debate can cost. */
import type { Contender } from "../contender.ts";
import { reviewPrompt, type Said, type Spoken, seatPrompt, seats } from "../script.ts";

/** What is told before and after each call; the bare loop tells nobody. */
export type Tell = (type: string, body: Record<string, unknown>) => void;

type Call = (part: "seat" | "judge" | "synthesizer", seat: string, round: number, prompt: string) => Promise<string>;

/** The loop itself, which the floor shares. */
export async function loop(call: Call, rounds: number, tell: Tell): Promise<string> {
  const turns: Spoken[] = [];
  for (let round = 0; round < rounds; round++) {
    const spoken = seats.map(async (seat): Promise<Spoken> => {
      const prompt = seatPrompt(seat, round, turns);
      tell("turn-start", { seat, round, prompt });
      const raw = await call("seat", seat, round, prompt);
      const said = JSON.parse(raw) as Said;
      tell("turn-end", { seat, round, raw });
      return { seat, round, said };
    });
    turns.push(...(await Promise.all(spoken)));
    const prompt = reviewPrompt("judge", round, turns);
    tell("turn-start", { seat: "judge", round, prompt });
    const score = JSON.parse(await call("judge", "judge", round, prompt)) as Record<string, number>;
    const convergence = Object.values(score).reduce((sum, axis) => sum + axis, 0) / 3;
    tell("score-given", { round, score, convergence });
    if (convergence >= 0.85) break;
  }
  const prompt = reviewPrompt("synthesizer", rounds - 1, turns);
  tell("turn-start", { seat: "synthesizer", prompt });
  const decision = JSON.parse(await call("synthesizer", "synthesizer", rounds, prompt)) as { answer: string };
  tell("decision-reached", { decision });
  return decision.answer;
}

export const bare: Contender = {
  label: "bare Promise.all",
  async open({ desk }) {
    return {
      debate: (id, rounds) =>
        loop(
          (...call) => desk.call(id, ...call),
          rounds,
          () => {},
        ),
      async close() {},
    };
  },
};
