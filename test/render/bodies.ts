/** The events of a run, one builder each, with everything filled in that a test does not care about. */
import type { Ballot } from "../../src/ballot.ts";
import type { StopReason } from "../../src/decision.ts";
import type { Event, EventBody, EventOf } from "../../src/events.ts";
import { Limits } from "../../src/limits.ts";
import type { View } from "../../src/transcript.ts";

export const begin = Date.UTC(2026, 10, 15, 14, 2, 11);

/** Places bodies in a run, a second apart. */
export function eventsOf(bodies: readonly EventBody[], run = "r_7f3a"): Event[] {
  return bodies.map((body, seq) => ({ v: 1, run, seq, at: begin + seq * 1_000, epoch: 1, ...body }) as Event);
}

export const cap = { tokens: 4_096, usd: null };
const usage = { inputTokens: 300, outputTokens: 120 };

type SeatSketch = { id: string; role: string; occupant: string };
const panel: SeatSketch[] = [
  { id: "a", role: "architect", occupant: "evidence:architect.yml" },
  { id: "b", role: "operator", occupant: "evidence:operator.yml" },
  { id: "c", role: "security", occupant: "evidence:security.yml" },
  { id: "d", role: "product", occupant: "command:./product" },
];

export function runStart(
  question = "Should the order service publish events through a Postgres outbox or through Kafka?",
): EventBody {
  return {
    type: "run-start",
    protocol: "debate",
    protocolVersion: 1,
    options: { threshold: 0.85, rounds: 4, convergence: "judge" },
    question: { text: question, options: ["postgres", "kafka"], context: [] },
    seats: panel.map(({ id, role, occupant }) => ({
      id,
      role,
      brief: "",
      rubric: "",
      scope: [],
      weight: 1,
      occupant: { name: occupant, kind: occupant.split(":")[0] ?? "", lineage: occupant, settings: null },
    })),
    judges: [],
    synthesizers: [],
    labels: { A: "c", B: "a", C: "d", D: "b" },
    limits: Limits.parse({}),
    seed: "7f3a",
    nonce: "00",
    owner: { host: "here", pid: 1, started: "0" },
    engine: "0.1.0",
  };
}

export function turnStart(seat: string, round: number, act: string, attempt = 1): EventBody {
  const key = `round-${round}/seat-${seat}/${act}`;
  const shown = { turns: [], refs: [], own: null, cut: [], named: false };
  return {
    type: "turn-start",
    key,
    attempt,
    seat,
    round,
    act,
    system: "s",
    say: "u",
    promptHash: "0",
    shown,
    cap,
    free: false,
    repairOf: null,
  };
}

export function turnEnd(seat: string, round: number, act: string, said: unknown): EventBody {
  const key = `round-${round}/seat-${seat}/${act}`;
  const rest = {
    raw: JSON.stringify(said),
    charged: { tokens: 420, usd: null },
    usage,
    latencyMs: 840,
    requestId: null,
    model: null,
    flags: [],
  };
  return { type: "turn-end", key, attempt: 1, seat, round, act, said: said as EventOf<"turn-end">["said"], ...rest };
}

export function turnMissed(
  seat: string,
  round: number,
  act: string,
  kind: EventOf<"turn-missed">["kind"],
  cause: string,
): EventBody {
  return { type: "turn-missed", key: `round-${round}/seat-${seat}/${act}`, seat, round, act, kind, cause };
}

export function attemptFailed(
  seat: string,
  round: number,
  act: string,
  retryAt: number | null,
  cause = "no answer within 5 s",
): EventBody {
  const key = `round-${round}/seat-${seat}/${act}`;
  const rest = { raw: null, charged: cap, usage: null, requestId: null, retryAt };
  return { type: "attempt-failed", key, attempt: 1, seat, kind: "timeout", cause, ...rest };
}

type BallotSketch = Partial<Ballot> & Pick<Ballot, "seat" | "round" | "answer" | "position">;

export function ballot(sketch: BallotSketch): EventBody {
  const key = `round-${sketch.round}/seat-${sketch.seat}/${sketch.round === 0 ? "answer" : "critique"}`;
  const rest = {
    confidence: 0.7,
    verdict: null,
    refs: [],
    badRefs: [],
    changedBy: null,
    newRefs: [],
    copyOf: null,
    wouldChange: [],
  };
  return { type: "ballot-cast", ballot: { key, ...rest, ...sketch } };
}

export function score(round: number, share: number, convergence: number): EventBody {
  const axes = { recommendation: convergence, facts: convergence, caveats: convergence };
  return {
    type: "score-given",
    round,
    score: axes,
    convergence,
    share,
    unanimous: false,
    judge: "rules:judge",
    causes: [],
  };
}

export function ending(status: View["status"], stopReason: StopReason, error: View["error"] = null): EventBody {
  return { type: "run-end", status, stopReason, error };
}
