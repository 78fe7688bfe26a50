/** Reads events of older versions: one pure step from each version to the next, so a record stays readable for as long as it is kept. */
import { StoreError } from "./errors.ts";
import { eventVersion } from "./events.ts";

export type RawEvent = { v: number; type: string; [field: string]: unknown };

/** The step from version n to n + 1, under n. Version 1 is the first, so there is none yet. */
const steps: Readonly<Record<number, (event: RawEvent) => RawEvent>> = {};

/** Brings an event to the present version; one from a newer Parley is refused, never guessed at. */
export function upgrade(event: RawEvent, known = steps, present: number = eventVersion): RawEvent {
  if (event.v > present) {
    throw new StoreError(
      "store-version",
      `The record has events of version ${event.v}; this Parley reads up to ${present}.`,
      {
        hint: "Use the newer Parley that wrote it.",
      },
    );
  }
  let current = event;
  while (current.v < present) {
    const step = known[current.v];
    if (!step)
      throw new StoreError("store-version", `Events of version ${current.v} cannot be read.`, {
        hint: "Use the Parley that wrote them.",
      });
    current = { ...step(current), v: current.v + 1 };
  }
  return current;
}
