/** Reading a run back from its store: its lines, its events and its view. */
import type { Line } from "./chain.ts";
import { ParleyError, UsageError } from "./errors.ts";
import type { Event } from "./events.ts";
import type { Store } from "./ports.ts";
import { fold, type View } from "./transcript.ts";
import { checkLines, readEvent } from "./verify.ts";

export type Record = { lines: Line[]; events: Event[]; view: View };

/** The run as it stands in the store; for looking at, so the chain is not checked. */
export async function readRun(store: Store, id: string): Promise<Record> {
  const lines = await readLines(store, id);
  const events = parseLines(lines.map((line) => line.text));
  return { lines, events, view: fold(events) };
}

/** Events from lines; the first line that is none stops the reading, with its number. */
export function parseLines(texts: readonly string[]): Event[] {
  return texts.map((text, index) => {
    const event = readEvent(text);
    if (typeof event === "string") throw broken(index + 1, event);
    return event;
  });
}

/** The run with its chain checked: what a run is resumed from must be what was written. */
export async function readVerified(store: Store, id: string): Promise<Record> {
  const lines = await readLines(store, id);
  const { verification, events, view } = checkLines(
    lines.map((line) => line.text),
    null,
    true,
  );
  const [first] = verification.problems;
  if (first || !view) throw broken(first?.line ?? 1, first?.problem ?? "it cannot be folded");
  return { lines, events, view };
}

async function readLines(store: Store, id: string): Promise<Line[]> {
  const lines = await store.read(id);
  if (lines.length > 0) return lines;
  throw new UsageError("unknown-run", `No run ${id} in ${store.place}.`, { hint: "See `parley list`." });
}

function broken(line: number, problem: string): ParleyError {
  return new ParleyError("record-broken", `Line ${line} of the record: ${problem}.`, {
    hint: "Restore the store from a copy; `parley verify` tells more.",
  });
}
