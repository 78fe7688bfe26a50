/** The front door: set a protocol going on a question, or go on with a run from its record. (Being written.) */
import type { Event } from "./events.ts";
import type { EvidenceItem } from "./evidence.ts";
import type { Limits } from "./limits.ts";
import type { OccupantFactory, Store, World } from "./ports.ts";
import type { Protocol } from "./protocol.ts";
import type { Question } from "./question.ts";
import type { OccupantSpec, Seat } from "./seat.ts";
import type { View } from "./transcript.ts";

/** What drives a run: where it is kept, who can occupy a seat, and how it is watched and stopped. */
export type Drive = {
  store: Store;
  world: World;
  occupants: Readonly<Record<string, OccupantFactory>>;
  protocols: Readonly<Record<string, Protocol>>;
  /** Ends the run as cancelled: calls under way are aborted, and what was gathered is kept. */
  cancel?: AbortSignal;
  /** Stops before the next call and leaves the run to be resumed; calls under way are waited for. */
  pause?: AbortSignal;
  /** Hears every event once it is durable, and `turn-delta` as it passes. */
  onEvent?: (event: Event) => void;
};

export type RunInput = {
  protocol: string;
  question: Question;
  seats: readonly Seat[];
  judges: readonly OccupantSpec[];
  synthesizers: readonly OccupantSpec[];
  evidence: readonly EvidenceItem[];
  options?: Record<string, unknown>;
  limits?: Partial<Limits>;
  seed?: string;
  id?: string;
};

/** How a drive of a run came to rest. `paused` and `waiting` runs can be resumed. */
export type Outcome = { view: View; rest: "ended" | "paused" | "waiting" };
