/** How a decision becomes the end of a run: its dissent apart, its status, its one reason. */
import type { Decision } from "./decision.ts";
import type { EventOf } from "./events.ts";

type Body<Type extends "run-end" | "decision-reached"> = Omit<EventOf<Type>, "v" | "run" | "seq" | "at" | "epoch">;

/** The decision without its dissent, which is recorded by itself so that no writer of decisions can leave it out. */
export function withoutDissent({ dissent: _, ...decision }: Decision): Body<"decision-reached">["decision"] {
  return decision;
}

export function endOf(decision: Decision): Body<"run-end"> {
  return { type: "run-end", status: decision.outcome, stopReason: decision.stopReason, error: null };
}
