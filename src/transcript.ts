/**
 * The fold: every view of a run is made here from its events, and nowhere else.
 *
 * Pure and browser-safe: no clock, no files, no crypto. The terminal, the pages, resumption and the exports all read a `View`.
 */
import type { Ballot } from "./ballot.ts";
import type { Decision, Dissent, Status, StopReason } from "./decision.ts";
import type { Cap, Event, EventOf, Owner } from "./events.ts";
import type { EvidenceItem } from "./evidence.ts";
import type { Synthesis } from "./position.ts";

export type TurnView = {
  key: string;
  seat: string;
  round: number;
  act: string;
  state: "running" | "retrying" | "ended" | "missed" | "in-doubt";
  /** Attempts begun, cut-off ones included. */
  attempts: number;
  /** Attempts whose outcome nobody knows. */
  doubts: number;
  /** Attempts that never left, or cost nothing and were cut off. */
  unsent: number;
  /** Attempts that asked to mend an unreadable reply. */
  repairs: number;
  /** The attempt under way, with what is reserved for it. */
  open: { attempt: number; cap: Cap; free: boolean; repairOf: number | null } | null;
  /** The last attempt that failed; its reply is what a repair would mend. */
  failed: { attempt: number; kind: string; cause: string; raw: string | null; retryAt: number | null } | null;
  startedAt: number;
  promptHash: string;
  /** Keys of the turns it was shown. */
  heard: readonly string[];
  said: unknown;
  missed: { kind: EventOf<"turn-missed">["kind"]; cause: string } | null;
  flags: readonly string[];
  latencyMs: number;
};

export type Degraded = { seat: string; round: number; act: string; kind: string; cause: string };
export type Doubt = {
  key: string;
  seat: string;
  round: number;
  attempt: number;
  charged: Cap;
  policy: string;
  open: boolean;
};

export type View = {
  run: string;
  start: EventOf<"run-start"> | null;
  limits: EventOf<"run-start">["limits"] | null;
  owner: Owner | null;
  epoch: number;
  status: Status;
  stopReason: StopReason | null;
  waiting: string | null;
  error: { code: string; message: string } | null;
  startedAt: number;
  updatedAt: number;
  /** Time spent running, over all ownerships; pauses between them do not count. */
  activeMs: number;
  events: number;
  rounds: {
    round: number;
    name: string;
    end: { stop: StopReason | null; answered: string[]; missing: string[] } | null;
  }[];
  turns: Map<string, TurnView>;
  /** Seats whose standing part of the prompt is on record. */
  told: Set<string>;
  /** What each act was asked with last. */
  asked: Map<string, string>;
  ballots: Ballot[];
  scores: EventOf<"score-given">[];
  evidence: Map<string, EvidenceItem>;
  notes: string[];
  degraded: Degraded[];
  doubts: Doubt[];
  late: { key: string; seat: string }[];
  limitsReached: EventOf<"limit-reached">[];
  spent: { tokens: number; usd: number; usdUnknown: boolean; turns: number };
  /** Reserved for calls under way. */
  reserved: { tokens: number; usd: number };
  aside: { tokens: number; usd: number; turns: number };
  synthesis: { synthesis: Synthesis; by: string; causes: string[] } | null;
  dissent: Dissent[];
  decision: Decision | null;
};

export function emptyView(): View {
  return {
    run: "",
    start: null,
    limits: null,
    owner: null,
    epoch: 0,
    status: "queued",
    stopReason: null,
    waiting: null,
    error: null,
    startedAt: 0,
    updatedAt: 0,
    activeMs: 0,
    events: 0,
    rounds: [],
    turns: new Map(),
    told: new Set(),
    asked: new Map(),
    ballots: [],
    scores: [],
    evidence: new Map(),
    notes: [],
    degraded: [],
    doubts: [],
    late: [],
    limitsReached: [],
    spent: { tokens: 0, usd: 0, usdUnknown: false, turns: 0 },
    reserved: { tokens: 0, usd: 0 },
    aside: { tokens: 0, usd: 0, turns: 0 },
    synthesis: null,
    dissent: [],
    decision: null,
  };
}

/** The view of a run from all its events. */
export function fold(events: Iterable<Event>): View {
  const view = emptyView();
  for (const event of events) advance(view, event);
  return view;
}

/** Takes one more event into a view that the caller owns; `fold` is this over all of them. */
export function advance(view: View, event: Event): void {
  if (event.type === "turn-delta") return;
  if (event.epoch !== view.epoch) {
    view.epoch = event.epoch;
  } else {
    view.activeMs += Math.max(0, event.at - view.updatedAt);
  }
  view.events = event.seq + 1;
  view.updatedAt = event.at;
  (steps[event.type] as (view: View, event: Event) => void)(view, event);
}

type Steps = { [Type in Exclude<Event["type"], "turn-delta">]: (view: View, event: EventOf<Type>) => void };

const steps: Steps = {
  "run-start": (view, event) => {
    view.run = event.run;
    view.start = event;
    view.limits = event.limits;
    view.owner = event.owner;
    view.startedAt = event.at;
    view.status = "running";
  },
  "run-resumed": (view, event) => {
    view.owner = event.owner;
    view.limits = event.limits;
    const asks = view.doubts.some((doubt) => doubt.open && (event.limits.inDoubt ?? doubt.policy) === "ask");
    view.status = asks ? "waiting" : "running";
    view.waiting = asks ? "person" : null;
  },
  "evidence-added": (view, event) => view.evidence.set(event.item.ref, event.item),
  "round-start": (view, event) => view.rounds.push({ round: event.round, name: event.name, end: null }),
  "round-end": (view, event) => {
    const round = view.rounds.find((round) => round.round === event.round);
    if (round) round.end = { stop: event.stop, answered: event.answered, missing: event.missing };
  },
  "turn-start": startTurn,
  "attempt-failed": (view, event) => {
    const counted = view.turns.get(event.key)?.open?.free === false;
    const turn = settle(view, event.key, event.charged);
    const { attempt, kind, cause, raw, retryAt } = event;
    turn.failed = { attempt, kind, cause, raw, retryAt };
    turn.state = "retrying";
    if (kind !== "cancelled" || retryAt === null) return;
    turn.unsent++;
    if (counted) view.spent.turns--;
  },
  "turn-end": (view, event) => {
    const turn = settle(view, event.key, event.charged);
    turn.state = "ended";
    turn.said = event.said;
    turn.flags = event.flags;
    turn.latencyMs = event.latencyMs;
    turn.failed = null;
  },
  "turn-missed": (view, event) => {
    const turn = view.turns.get(event.key) ?? blankTurn(event);
    view.turns.set(event.key, turn);
    turn.state = "missed";
    turn.missed = { kind: event.kind, cause: event.cause };
    closeDoubts(view, event.key);
    view.degraded.push({ seat: event.seat, round: event.round, act: event.act, kind: event.kind, cause: event.cause });
  },
  "turn-late": (view, event) => view.late.push({ key: event.key, seat: event.seat }),
  "doubt-found": (view, event) => {
    const turn = settle(view, event.key, event.charged);
    turn.state = "in-doubt";
    turn.doubts++;
    const { key, seat, attempt, charged, policy } = event;
    view.doubts.push({ key, seat, round: turn.round, attempt, charged, policy, open: true });
    if (policy === "ask") {
      view.status = "waiting";
      view.waiting = "person";
    }
  },
  "score-given": (view, event) => view.scores.push(event),
  "ballot-cast": (view, event) => view.ballots.push(event.ballot),
  "budget-reserved": (view, event) => {
    view.aside = { tokens: event.aside.tokens, usd: event.aside.usd ?? 0, turns: event.turns };
  },
  "limit-reached": (view, event) => {
    view.limitsReached.push(event);
    if (event.action !== "resume") return;
    view.status = "waiting";
    view.waiting = "budget";
  },
  "note-made": (view, event) => view.notes.push(event.text),
  "synthesis-written": (view, event) => {
    view.synthesis = { synthesis: event.synthesis, by: event.by, causes: event.causes };
  },
  "dissent-kept": (view, event) => view.dissent.push(event.dissent),
  "decision-reached": (view, event) => {
    view.decision = { ...event.decision, dissent: view.dissent };
  },
  "run-end": (view, event) => {
    view.status = event.status;
    view.stopReason = event.stopReason;
    view.error = event.error;
    view.waiting = null;
  },
};

function blankTurn(event: { key: string; seat: string; round: number; act: string; at: number }): TurnView {
  return {
    key: event.key,
    seat: event.seat,
    round: event.round,
    act: event.act,
    state: "running",
    attempts: 0,
    doubts: 0,
    unsent: 0,
    repairs: 0,
    open: null,
    failed: null,
    startedAt: event.at,
    promptHash: "",
    heard: [],
    said: null,
    missed: null,
    flags: [],
    latencyMs: 0,
  };
}

function startTurn(view: View, event: EventOf<"turn-start">): void {
  const turn = view.turns.get(event.key) ?? blankTurn(event);
  view.turns.set(event.key, turn);
  if (event.system !== null) view.told.add(event.seat);
  if (event.say !== null) view.asked.set(event.act, event.say);
  turn.state = "running";
  turn.attempts = Math.max(turn.attempts, event.attempt);
  turn.open = { attempt: event.attempt, cap: event.cap, free: event.free, repairOf: event.repairOf };
  if (event.repairOf === null) {
    turn.promptHash = event.promptHash;
    turn.heard = event.shown.turns;
  } else turn.repairs++;
  closeDoubts(view, event.key);
  view.reserved.tokens += event.cap.tokens;
  view.reserved.usd += event.cap.usd ?? 0;
  if (event.cap.usd === null) view.spent.usdUnknown = true;
  if (!event.free) view.spent.turns++;
}

/** Turns what was reserved for the attempt under way into what it is charged. */
function settle(view: View, key: string, charged: Cap): TurnView {
  const turn = view.turns.get(key);
  if (!turn?.open) throw new Error(`The record settles ${key}, which was not under way.`);
  view.reserved.tokens -= turn.open.cap.tokens;
  view.reserved.usd -= turn.open.cap.usd ?? 0;
  view.spent.tokens += charged.tokens;
  view.spent.usd += charged.usd ?? 0;
  turn.open = null;
  return turn;
}

function closeDoubts(view: View, key: string): void {
  for (const doubt of view.doubts) if (doubt.key === key) doubt.open = false;
}
