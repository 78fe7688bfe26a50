/**
 * The plan of one world: what is asked of whom, within which limits, and everything that will go wrong.
 *
 * Each seed switches on a random part of the features and faults, because a mixture of everything hides what only a few together show.
 */
import { sha256 } from "../src/chain.ts";
import type { EvidenceItem } from "../src/evidence.ts";
import type { Limits } from "../src/limits.ts";
import type { RunInput } from "../src/run.ts";
import type { OccupantSpec, Seat } from "../src/seat.ts";
import { Dice } from "./dice.ts";
import { type LifePlan, livesOf } from "./life-plan.ts";

/** What an occupant may do instead of answering well. */
export const faults = [
  "rate_limited",
  "rate_limited_after",
  "provider_error",
  "hang",
  "late",
  "slow",
  "malformed",
  "schema_miss",
  "off_list",
  "empty",
  "refused",
  "auth",
  "too_large",
  "throws",
  "throws_at_once",
  "stall",
  "truncated_stream",
  "context_overflow",
  "ghost",
  "bad_quote",
  "invisible",
  "copy",
  "cut_short",
  "guessed_fence",
  "long_words",
] as const;
export type Fault = (typeof faults)[number];

/** How a simulated occupant is made; a part of its spec, so it is in the record like any occupant's settings. */
export type SimSettings = {
  endpoint: string | null;
  acts: boolean;
  streams: boolean;
  outTokens: number;
  usdPerToken: number | null;
};

/** Everything about one world that is fixed before it begins. */
export type Plan = {
  seed: number;
  /** The seed as the dice take it; a twin without crashes shares it. */
  name: string;
  input: RunInput & { id: string; limits: Limits };
  /** The answers there are, in canonical form. */
  answers: readonly string[];
  /** What each seat answers in each round, as an index of `answers`. */
  path: ReadonlyMap<string, readonly number[]>;
  faultRate: number;
  faults: readonly Fault[];
  /** An endpoint that is down nearly all the time. */
  outage: string | null;
  /** How often usage is not told, or is above the cap. */
  usageUnknown: number;
  overCap: number;
  lives: readonly LifePlan[];
  /** True when nothing in the plan makes the outcome depend on when things happen. */
  timeless: boolean;
};

const names = ["ada", "bohr", "curie", "dirac", "euler"] as const;
const words = ["Amber Tide", "Basalt", "Cinder Path", "Dune"] as const;

/** The plan of a seed. */
export function planOf(seed: number): Plan {
  const name = `w${seed}`;
  const dice = new Dice(name, "plan");
  const faultRate = dice.pick([0, 0.05, 0.15, 0.3, 0.5]);
  const rounds = dice.pick([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 3]);
  const seatCount = dice.pick([2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 4, 5]);
  const open = dice.bool(0.3);
  const evidence = evidenceOf(dice);
  const seats = names.slice(0, seatCount).map((id) => seatOf(id, dice, evidence));
  const synthesizers = chainOf("synthesizer", dice);
  const limits = limitsOf(dice, seatCount, rounds);
  // A money budget is refused where a seat's price is unknown, so such a panel tells its prices.
  if (limits.maxUsd !== null)
    for (const { occupant } of seats) (occupant.settings as SimSettings).usdPerToken ??= 0.001;
  const outage = faultRate > 0 && dice.bool(limits.maxTimeMs === null ? 0.06 : 0.25) ? "east" : null;
  if (outage && dice.bool(0.5)) {
    narrowOutage(seats, synthesizers, outage);
    limits.quorum = 1;
  }
  const answers = words.slice(0, dice.int(2, 4)).map((word) => (open ? word.toLowerCase() : word));
  return {
    seed,
    name,
    answers,
    path: pathsOf(dice, seats, rounds, answers.length),
    faultRate,
    faults: faultRate === 0 ? [] : dice.some(faults, dice.pick([0.15, 0.4, 0.8])),
    outage,
    usageUnknown: dice.pick([0, 0, 0.2]),
    overCap: dice.pick([0, 0, 0, 0.1]),
    lives: livesOf(new Dice(name, "lives"), limits.maxTimeMs !== null),
    timeless:
      limits.graceMs === null &&
      limits.maxTimeMs === null &&
      limits.maxTokens === null &&
      limits.maxUsd === null &&
      limits.maxTurns === null,
    input: {
      protocol: "debate",
      id: `run-${seed}`,
      question: { text: `Which way, ${seed}?`, options: open ? [] : [...answers], context: contextOf(dice) },
      seats,
      judges: chainOf("judge", dice),
      synthesizers,
      evidence,
      limits,
      options: optionsOf(dice, rounds),
    },
  };
}

/** All but the last seat stand behind the endpoint that is down, and the synthesizer; the last carries the debate to its end. */
function narrowOutage(seats: readonly Seat[], synthesizers: readonly OccupantSpec[], outage: string): void {
  for (const [index, { occupant }] of seats.entries())
    (occupant.settings as SimSettings).endpoint = index < seats.length - 1 ? outage : null;
  const [first] = synthesizers;
  if (first?.kind === "sim") (first.settings as SimSettings).endpoint = outage;
}

function optionsOf(dice: Dice, rounds: number): Record<string, unknown> {
  return {
    rounds,
    threshold: dice.pick([0.85, 0.85, 0.6]),
    convergence: dice.pick(["judge", "judge", "verdict", "both"]),
    stallAfter: dice.pick([1, 2, 2]),
    visibility: dice.pick(["all", "all", "differing", "neighbours"]),
    carryForward: dice.bool(0.25),
    anonymous: dice.bool(0.8),
  };
}

function contextOf(dice: Dice): { name: string; text: string }[] {
  return dice.bool(0.1) ? [{ name: "note", text: "Shared material.\u202eEND" }] : [];
}

function evidenceOf(dice: Dice): EvidenceItem[] {
  const count = dice.pick([0, 0, 0, 2, 3, 4]);
  return Array.from({ length: count }, (_, index) => {
    const text = `PROOF-${index}: walked by ${index + 2} people.`;
    const item = { ref: `e${index}`, text, hash: sha256(text), supports: null, against: null, strength: 1 };
    return { ...item, criterion: null, source: null };
  });
}

function seatOf(id: string, dice: Dice, evidence: readonly EvidenceItem[]): Seat {
  const scope = dice.some(evidence, 0.5).map((item) => item.ref);
  const weight = dice.bool(0.1) ? 2 : 1;
  return { id, role: "", brief: "", rubric: "", scope, weight, occupant: specOf(id, dice) };
}

function specOf(name: string, dice: Dice): OccupantSpec {
  const settings: SimSettings = {
    endpoint: dice.bool(0.5) ? dice.pick(["east", "west"]) : null,
    acts: dice.bool(0.1),
    streams: dice.bool(0.25),
    outTokens: dice.pick([100, 200]),
    usdPerToken: dice.bool(0.9) ? 0.001 : null,
  };
  return { name: `sim:${name}`, kind: "sim", lineage: dice.pick(["north", "south"]), settings };
}

function chainOf(part: "judge" | "synthesizer", dice: Dice): OccupantSpec[] {
  const code: OccupantSpec = { name: `code:${part}`, kind: "code", lineage: "code", settings: { part } };
  const first = dice.bool(0.25) ? code : specOf(part, dice);
  if (dice.bool(0.6)) return [first];
  return [first, dice.bool(0.5) ? code : specOf(`${part}-spare`, dice)];
}

/** Limits with at most one or two budgets, of a size that is reached early, late or never. */
function limitsOf(dice: Dice, seats: number, rounds: number): Limits {
  const calls = (seats + 1) * (rounds + 1) + 1;
  const budgeted = dice.bool(0.35);
  const kind = budgeted ? dice.pick(["tokens", "usd", "turns", "time", "time"]) : null;
  const size = dice.pick([0.1, 0.4, 0.7, 1, 1.2]);
  const tokens = Math.round(calls * 700 * size);
  return {
    maxTokens: kind === "tokens" ? tokens : null,
    maxUsd: kind === "usd" ? tokens * 0.001 : null,
    maxTurns: kind === "turns" ? Math.max(1, Math.round(calls * size)) : null,
    maxTimeMs: kind === "time" ? dice.pick([3_000, 12_000, 40_000, 200_000]) : null,
    onBudget: dice.pick(["harvest", "harvest", "harvest", "continue", "resume"]),
    inDoubt: dice.pick([null, null, "retry", "fail", "ask"]),
    quorum: dice.bool(0.3) ? dice.int(1, seats) : null,
    turnTimeoutMs: dice.pick([20_000, 30_000, 60_000]),
    connectMs: 4_000,
    firstTokenMs: 8_000,
    betweenChunksMs: 5_000,
    graceMs: dice.bool(0.2) ? dice.pick([500, 4_000]) : null,
    attempts: dice.pick([3, 3, 3, 2, 1]),
    peerChars: dice.bool(0.25) ? 200 : 8_000,
    replyChars: 4_000,
  };
}

/** Panels that agree at once, come together, stay apart, or wander. */
function pathsOf(dice: Dice, seats: readonly Seat[], rounds: number, answers: number): Map<string, number[]> {
  const mood = dice.pick(["agree", "drift", "drift", "split", "wander"]);
  const goal = dice.int(0, answers - 1);
  return new Map(
    seats.map((seat) => {
      const start = mood === "agree" ? goal : dice.int(0, answers - 1);
      const turnsAt = dice.int(1, 3);
      const path = Array.from({ length: rounds + 1 }, (_, round) => {
        if (mood === "wander") return dice.int(0, answers - 1);
        return mood === "drift" && round >= turnsAt ? goal : start;
      });
      return [seat.id, path];
    }),
  );
}
