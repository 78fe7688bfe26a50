/**
 * What the world must supply: occupants that answer, a store that keeps, and a clock with dice.
 *
 * Adapters implement these and see nothing else of the engine. Each port has a public conformance suite under `parley-engine/testing`.
 */
import type * as z from "zod";
import type { Line } from "./chain.ts";
import type { Status } from "./decision.ts";
import type { Cap, Owner, Usage } from "./events.ts";
import type { EvidenceItem } from "./evidence.ts";
import type { Question } from "./question.ts";
import type { OccupantSpec, Seat } from "./seat.ts";

/** What one peer said, as another seat may hear it. */
export type Heard = { label: string; key: string; round: number; said: unknown };

/** Everything an occupant is given for one call. Models read the prompt; deterministic occupants read the parts. */
export type Request = {
  run: string;
  key: string;
  attempt: number;
  seat: Seat;
  round: number;
  act: string;
  system: string;
  user: string;
  question: Question;
  /** Evidence the seat may see and cite: its scope, and what peers cited before it. */
  evidence: readonly EvidenceItem[];
  /** What peers said, in the order shown. */
  heard: readonly Heard[];
  /** What the seat itself said last, or null in its first turn. */
  own: unknown;
  /** The shape the reply must have. */
  reply: z.ZodType;
  /** Set when the last reply could not be read: what it was, and what was wrong with it. */
  repair: { raw: string; problem: string } | null;
};

/** The engine's side of one call: when to stop, and where to report progress. */
export type Call = { signal: AbortSignal; connected(): void; delta(text: string): void };

export type Reply = {
  text: string;
  usage?: Usage | null;
  /** What the call cost in dollars, where the occupant knows; the whole cap is charged where it does not. */
  usd?: number | null;
  requestId?: string | null;
  model?: string | null;
  /** `length` when the provider cut the reply at its token limit. */
  finish?: "stop" | "length";
};

/** What fills a seat. An occupant answers or throws a `SeatError`; it never retries and never invents. */
export interface Occupant {
  /** Calls to one endpoint share a circuit; null when there is nothing to break. */
  readonly endpoint: string | null;
  /** True when a call costs nothing and changes nothing, so its intent need not be on disk before it is made. */
  readonly pure: boolean;
  /** True when a call can act on the world: after a crash such a call is asked about, not sent again. */
  readonly acts: boolean;
  /** True when replies arrive in pieces; only then do the connect, first-token and between-chunks clocks run. */
  readonly streams: boolean;
  /** True for one that takes its own time, as a person does: no turn clock runs, and it holds no place among the process's calls. */
  readonly patient?: true;
  /** The most a call can cost. */
  cap(request: Pick<Request, "system" | "user" | "seat" | "act" | "round" | "attempt" | "reply">): Cap;
  reply(request: Request, call: Call): Promise<Reply>;
  close?(): Promise<void>;
}

/** Makes occupants from their resolved specs; one entry for each kind. */
export type OccupantFactory = (spec: OccupantSpec) => Occupant | Promise<Occupant>;

/** A run as the store lists it. */
export type RunRow = {
  id: string;
  protocol: string;
  question: string;
  status: Status;
  stopReason: string | null;
  createdAt: number;
  updatedAt: number;
  events: number;
  head: string;
  owner: Owner | null;
};

/** The right to write to a run. Every append names its epoch; a store refuses one that is not the newest. */
export type Lease = { run: string; epoch: number; owner: Owner };

/** A request from another process to the one that drives the run. */
export type Signal = { name: "cancel"; at: number };

/**
 * Keeps the lines of runs. `create` and `append` resolve only when the lines are as durable as the store promises, are atomic,
 * and may share one commit with others that are under way.
 */
export interface Store {
  /** Where it is, for people. */
  readonly place: string;
  create(
    row: { id: string; protocol: string; question: string; at: number },
    owner: Owner,
    lines: readonly Line[],
  ): Promise<Lease>;
  /** Takes over a run: a higher epoch, which fences off the former owner. Refused with `run-owned` while that one is alive. */
  claim(run: string, owner: Owner): Promise<Lease>;
  /** Adds lines in order; it may be called before `create` has resolved. A state with a stop reason also releases the run. */
  append(lease: Lease, lines: readonly Line[], state?: { status: Status; stopReason: string | null }): Promise<void>;
  release(lease: Lease): Promise<void>;
  read(run: string, fromSeq?: number): Promise<Line[]>;
  /** The run's row, or null. */
  find(run: string): Promise<RunRow | null>;
  /** Runs, newest first; with a prefix, those whose id begins so. */
  list(query?: { prefix?: string; limit?: number }): Promise<RunRow[]>;
  signal(run: string, signal: Signal): Promise<void>;
  /** Signals not yet taken. */
  signals(run: string): Promise<Signal[]>;
  close(): Promise<void>;
}

/** The clock, the timers and the dice: everything that is not the same twice. */
export interface World {
  /** Milliseconds since 1970; it never goes back within a process. */
  now(): number;
  /** Calls back after a while, unless cancelled. */
  after(ms: number, call: () => void): () => void;
  /** A random hexadecimal string. */
  token(bytes: number): string;
  readonly owner: Owner;
  /** How many calls the process may have under way at once; 256 unless told. */
  readonly callsAtOnce?: number | undefined;
}
