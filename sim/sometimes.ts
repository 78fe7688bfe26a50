/**
 * Things that must happen sometimes: a simulation that never reaches a rare state has proved nothing about it.
 *
 * Each is counted once for a world in which it happened; a long run in which one of them never happened has failed.
 */
import type { Event } from "../src/events.ts";
import type { Case } from "./case.ts";
import { faults } from "./plan.ts";

const fixed = [
  "stop converged",
  "stop stalled",
  "stop rounds_done",
  "stop no_consensus",
  "stop quorum_lost",
  "stop budget_time",
  "stop budget_tokens",
  "stop budget_cost",
  "stop budget_turns",
  "stop judge_failed",
  "stop cancelled_by_user",
  "in doubt, sent again",
  "in doubt, counted as missed",
  "in doubt, asked about",
  "crash before a commit",
  "crash after a commit",
  "crash between a call and its answer",
  "crash during recovery",
  "a free call cut off by a crash",
  "late answer kept",
  "answer after the end",
  "second judge scores",
  "no judge heard, share stands in",
  "second synthesizer writes",
  "no synthesizer heard",
  "ghost citation rejected",
  "wrong quote rejected",
  "unseen citation rejected",
  "ghost in a synthesis mended",
  "repair succeeds",
  "repair fails",
  "retry succeeds",
  "budget in round 0",
  "budget in a later round",
  "budget at the synthesis",
  "budget noted and passed",
  "budget waits and is raised",
  "usage above the cap",
  "usage unknown",
  "dissent of nobody",
  "dissent of one",
  "dissent of all but one",
  "position given up",
  "flip by new evidence",
  "flip by argument",
  "flip to the majority",
  "flip unexplained",
  "zombie fenced off",
  "rival refused",
  "store full and back",
  "store full for good, then resumed",
  "store broken, then resumed",
  "commit whose answer was lost",
  "store stands still",
  "paused, then resumed",
  "clock jump between lives",
  "seat left behind",
  "seat skipped after a lasting miss",
  "peer's words cut",
  "copied words flagged",
  "circuit left alone",
  "changed prompts stopped a resume",
  "resumed run equals its twin",
] as const;

export type Sometimes = (typeof fixed)[number] | `fault ${(typeof faults)[number]}`;

/** Everything that must happen. */
export const sometimes: readonly Sometimes[] = [...faults.map((fault) => `fault ${fault}` as const), ...fixed];

/** How often each happened. */
export type Counts = Partial<Record<Sometimes, number>>;

/** Notes what happened in a world. */
export function noteWorld(each: Case, counts: Counts): void {
  const seen = new Set<Sometimes>();
  const note = (name: Sometimes, happened: unknown = true) => {
    if (happened) seen.add(name);
  };
  for (const call of each.calls) if (call.fault) note(`fault ${call.fault}`);
  for (const event of each.events) noteEvent(event, note);
  noteLives(each, note);
  noteTurns(each, note);
  note("circuit left alone", longestOutage(each) >= 5);
  for (const name of seen) counts[name] = (counts[name] ?? 0) + 1;
}

type Note = (name: Sometimes, happened?: unknown) => void;

const bySlips: Readonly<Record<string, Sometimes>> = {
  "no such evidence": "ghost citation rejected",
  "the quote is not in the text": "wrong quote rejected",
  "not visible to the citer": "unseen citation rejected",
};
const byFlips = {
  evidence: "flip by new evidence",
  argument: "flip by argument",
  majority: "flip to the majority",
  unexplained: "flip unexplained",
} as const;
const byPolicy = {
  retry: "in doubt, sent again",
  fail: "in doubt, counted as missed",
  ask: "in doubt, asked about",
} as const;

function noteEvent(event: Event, note: Note): void {
  if (event.type === "run-end") note(`stop ${event.stopReason}` as Sometimes);
  else if (event.type === "doubt-found") note(byPolicy[event.policy]);
  else if (event.type === "turn-late") note("late answer kept");
  else if (event.type === "turn-missed") {
    note("seat left behind", event.kind === "left_behind");
    note("seat skipped after a lasting miss", event.kind === "skipped");
  } else if (event.type === "attempt-failed")
    note("a free call cut off by a crash", event.cause.startsWith("cut off by a crash"));
  else if (event.type === "turn-start") note("peer's words cut", event.shown.cut.length > 0);
  else if (event.type === "turn-end") {
    note("repair succeeds", event.flags.includes("repaired"));
    note("ghost in a synthesis mended", event.act === "synthesis" && event.flags.includes("repaired"));
    note("usage above the cap", event.flags.includes("over_cap"));
    note("usage unknown", event.flags.includes("usage_unknown"));
  } else if (event.type === "ballot-cast") {
    for (const { why } of event.ballot.badRefs) note(bySlips[why] as Sometimes, bySlips[why]);
    note("copied words flagged", event.ballot.copyOf);
  } else if (event.type === "limit-reached") noteBudget(event, note);
  else if (event.type === "score-given") {
    note("second judge scores", event.judge !== null && event.causes.length > 0);
    note("no judge heard, share stands in", event.judge === null && event.causes.length > 0);
  } else if (event.type === "synthesis-written") note("second synthesizer writes", event.causes.length > 0);
  else if (event.type === "note-made") note("no synthesizer heard", event.text.startsWith("No synthesizer"));
  else if (event.type === "dissent-kept") note("position given up", event.dissent.kind === "given-up");
  else if (event.type === "decision-reached") {
    for (const flip of event.decision.flips) note(byFlips[flip.towards]);
  }
}

function noteBudget(event: Extract<Event, { type: "limit-reached" }>, note: Note): void {
  note("budget noted and passed", event.action === "continue");
  if (event.action !== "harvest" || event.key === null) return;
  if (event.key.includes("/synthesizer-")) note("budget at the synthesis");
  else note(event.key.startsWith("round-0/") ? "budget in round 0" : "budget in a later round");
}

function noteTurns({ attempts, events, plan, world }: Case, note: Note): void {
  for (const { start, settled } of attempts.values()) {
    if (settled?.type === "turn-end") note("retry succeeds", start.attempt > 1 && start.repairOf === null);
    if (settled?.type === "attempt-failed" && start.repairOf !== null)
      note("repair fails", settled.kind === "malformed");
  }
  const decided = events.find((event) => event.type === "decision-reached");
  if (decided?.decision.outcome === "decided") {
    const size = events.filter((event) => event.type === "dissent-kept" && event.dissent.kind === "final").length;
    note("dissent of nobody", size === 0);
    note("dissent of one", size === 1);
  }
  const kept = events.filter((event) => event.type === "dissent-kept").length;
  note("dissent of all but one", decided && plan.input.seats.length > 2 && kept === plan.input.seats.length - 1);
  const last = events.at(-1);
  note(
    "answer after the end",
    last?.type === "run-end" && world.agenda.now > world.lives.reduce((at, life) => Math.max(at, life.endedAt), 0),
  );
}

/** The most failures of one endpoint in a row, within one life. */
function longestOutage({ events, plan }: Case): number {
  if (plan.outage === null) return 0;
  let longest = 0;
  let row = 0;
  for (const event of events) {
    if (event.type === "run-resumed" || event.type === "turn-end") row = 0;
    else if (event.type === "attempt-failed" && event.kind === "provider_error") longest = Math.max(longest, ++row);
  }
  return longest;
}

function noteLives({ world, events }: Case, note: Note): void {
  const { lives, store } = world;
  for (const life of lives) {
    const { crash } = life.plan;
    if (life.dead && crash) {
      note("crash before a commit", crash.when === "before-commit");
      note("crash after a commit", crash.when === "after-commit");
      note("crash between a call and its answer", crash.when === "after-call");
      note("crash during recovery", life.index > 0);
    }
    note("paused, then resumed", life.rest === "paused");
    note("clock jump between lives", life.index > 0 && life.plan.clockJumpMs !== 0);
    note("changed prompts stopped a resume", life.reworded && life.rest === "failed");
    const failed = life.rest === "failed" && !life.superseded;
    note("store full for good, then resumed", failed && life.plan.store?.kind === "full");
    note("store broken, then resumed", failed && life.plan.store?.kind === "broken");
    note(
      "store full and back",
      life.rest === "ended" && life.plan.store?.kind === "full" && store.refused.includes("full"),
    );
    note("zombie fenced off", life.superseded && life.rest === "failed");
  }
  note("commit whose answer was lost", store.refused.includes("lost"));
  note("store stands still", store.refused.includes("still"));
  note("rival refused", world.refusedRivals.length > 0);
  const waited = events.findIndex((event) => event.type === "limit-reached" && event.action === "resume");
  note("budget waits and is raised", waited >= 0 && events.slice(waited).some((event) => event.type === "turn-start"));
}
