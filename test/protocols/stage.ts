/** A stage for protocol tests: scripted seats, a memory store and a quiet clock, so that a test reads like a play. */
import { occupants as keyless } from "../../src/adapters/occupants/index.ts";
import { memoryStore } from "../../src/adapters/stores/memory.ts";
import { systemWorld } from "../../src/adapters/world.ts";
import { sha256 } from "../../src/chain.ts";
import type { EventOf } from "../../src/events.ts";
import type { EvidenceItem } from "../../src/evidence.ts";
import type { Occupant, Request } from "../../src/ports.ts";
import type { Opening, Revision } from "../../src/position.ts";
import { protocols } from "../../src/protocols/index.ts";
import { type Drive, type Outcome, type RunInput, run } from "../../src/run.ts";
import { scriptedOccupant, specOf } from "../../src/testing/scripted.ts";

/** What a seat says when it is asked; an error is a failed attempt. */
export type Part = (request: Request) => unknown;

export type Play = Partial<Omit<RunInput, "seats" | "judges" | "synthesizers">> & {
  parts: Record<string, Part>;
  judges?: Part[];
  synthesizers?: Part[];
  scopes?: Record<string, string[]>;
  drive?: Partial<Drive>;
};

export type Staged = { outcome: Outcome; drive: Drive; input: RunInput; calls: Request[] };

/** Sets the play going and waits for its end. */
export async function perform(play: Play): Promise<Staged> {
  const { input, drive, calls } = stage(play);
  return { outcome: await run(input, drive), drive, input, calls };
}

/** The same without beginning: for plays that are resumed. */
export function stage(play: Play): Omit<Staged, "outcome"> {
  const calls: Request[] = [];
  const cast = new Map<string, Part>(Object.entries(play.parts));
  for (const [index, part] of (play.judges ?? [score(0.5)]).entries()) cast.set(`judge${index}`, part);
  for (const [index, part] of (play.synthesizers ?? [written("yes")]).entries()) cast.set(`writer${index}`, part);
  const named = (prefix: string) =>
    [...cast.keys()].filter((name) => name.startsWith(prefix)).map((name) => specOf(name, null, name));
  const seats = Object.keys(play.parts).map((id) => ({
    id,
    role: "",
    brief: "",
    rubric: "",
    scope: play.scopes?.[id] ?? [],
    weight: 1,
    occupant: specOf(id, null, id),
  }));
  const occupant = (name: string): Occupant =>
    scriptedOccupant({
      answer: (request) => {
        calls.push(request);
        return cast.get(name)?.(request);
      },
      cap: { tokens: 100, usd: 0 },
      usage: { inputTokens: 30, outputTokens: 20 },
    });
  const { parts: _, judges: __, synthesizers: ___, scopes: ____, drive, ...rest } = play;
  const input: RunInput = {
    protocol: "debate",
    question: { text: "Shall we?", options: [], context: [] },
    evidence: [],
    seed: "play",
    ...rest,
    seats,
    judges: named("judge"),
    synthesizers: named("writer"),
  };
  const occupants = { ...keyless, test: (spec: { name: string }) => occupant(spec.name.slice("test:".length)) };
  return { input, calls, drive: { store: memoryStore(), world: systemWorld(), protocols, occupants, ...drive } };
}

/** A position as a seat gives it. */
export function says(answer: string, more: Partial<Opening & Revision> = {}): Revision {
  return {
    position: `I hold that the answer is ${answer}.`,
    answer,
    claims: [],
    caveats: [],
    confidence: 0.7,
    wouldChange: ["a better reason"],
    verdict: null,
    agreements: [],
    disagreements: [],
    changedBy: null,
    ...more,
  };
}

/** A seat that says the first in round 0, the second in round 1 and so on; the last repeats. */
export function inTurn(...lines: unknown[]): Part {
  return (request) => lines[Math.min(request.round, lines.length - 1)];
}

/** A judge that gives every axis this score; one per round, the last repeats. */
export function score(...values: number[]): Part {
  return ({ round }) => {
    const value = values[Math.min(round, values.length - 1)] ?? 0;
    return { recommendation: value, facts: value, caveats: value };
  };
}

export function written(answer: string, refs: string[] = []): Part {
  return () => ({
    recommendation: `Do ${answer}.`,
    answer,
    reasons: [{ text: "since it was said", refs, by: ["A"] }],
    triggers: ["when things change"],
    unresolved: [],
  });
}

export function item(ref: string, text = `The text of ${ref}.`): EvidenceItem {
  return { ref, text, hash: sha256(text), supports: null, against: null, strength: 1, criterion: null, source: null };
}

/** The stored events of one type. */
export async function recorded<Type extends EventOf<"run-end">["type"] | string>(
  staged: Staged,
  type: Type,
): Promise<Record<string, unknown>[]> {
  const lines = await staged.drive.store.read(staged.outcome.view.run);
  return lines.map((line) => JSON.parse(line.text) as Record<string, unknown>).filter((event) => event.type === type);
}
