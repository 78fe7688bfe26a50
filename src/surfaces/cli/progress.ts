/**
 * What a person sees while a run goes on: a status block on a terminal, plain lines elsewhere, nothing when asked to be quiet.
 *
 * Everything is made from the events, so a run in this process and one that is watched from another look the same.
 */
import type { Event } from "../../events.ts";
import { span } from "../../render/figures.ts";
import { eventLine } from "../../render/lines.ts";
import { oneLine } from "../../render/safe.ts";
import { statusBlock } from "../../render/status-block.ts";
import { turnSummary } from "../../render/turn-summary.ts";
import { advance, emptyView, type View } from "../../transcript.ts";
import type { Call } from "./io.ts";
import { liveBlock } from "./live.ts";

export type Progress = {
  /** The view of everything heard so far. */
  readonly view: View;
  hear(event: Event): void;
  close(): void;
};

/** How long a plain log may be silent before it says that the run is still alive. */
const heartbeatMs = 30_000;
const reportedEvents = 50;

/** Shows the events of a run as they come; `known` is its view so far. */
export function showProgress(call: Call, known: View | null): Progress {
  const view = known ?? emptyView();
  const display = call.out.quiet
    ? silent
    : call.out.liveTerminal && !hasPerson(view)
      ? live(call, view)
      : plain(call, view);
  return {
    view,
    hear: (event) => {
      if (event.type === "turn-delta" || event.seq < view.events) return;
      advance(view, event);
      call.trace.run = view.run;
      call.trace.events.push(event);
      if (call.trace.events.length > reportedEvents) call.trace.events.shift();
      if (!hasPerson(view) || neutral.has(event.type)) display.hear(event);
    },
    close: display.close,
  };
}

/** What may be shown while a person sits at this terminal: nothing that would tell one who is to answer blind what others said. */
const neutral: ReadonlySet<Event["type"]> = new Set([
  "run-start",
  "run-resumed",
  "round-start",
  "run-end",
  "limit-reached",
]);

type Display = { hear(event: Event): void; close(): void };

const silent: Display = { hear: () => {}, close: () => {} };

function plain(call: Call, view: View): Display {
  let heard = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - heard < heartbeatMs) return;
    heard = performance.now();
    call.out.say(`${new Date().toISOString().slice(11, 19)} ${view.run} waiting=${waitedFor(view)}`);
  }, 1_000);
  timer.unref();
  return {
    hear: (event) => {
      heard = performance.now();
      const line = eventLine(event, view);
      if (line) call.out.say(line);
    },
    close: () => clearInterval(timer),
  };
}

function live(call: Call, view: View): Display {
  const { out } = call;
  const block = liveBlock(out, () => {
    // The run's own clock is in the events; the block only needs to know how long ago the last one was.
    return statusBlock(view, {
      width: out.remarkWidth(),
      rows: out.remarkHeight() - 1,
      now: Date.now(),
      paint: out.remarkPaint,
    });
  });
  const says: Display["hear"] = (event) => {
    if (event.type === "run-start" && event.seats.some((seat) => seat.occupant.kind === "person")) block.close();
    const summary = turnSummary(event, view, { width: out.remarkWidth(), paint: out.remarkPaint });
    if (summary) out.remark(summary);
    else if (event.type === "note-made") out.say(oneLine(event.text));
    else if (event.type === "run-resumed" || event.type === "doubt-found") out.say(eventLine(event, view) ?? "");
    block.changed();
  };
  return { hear: says, close: () => block.close() };
}

const hasPerson = (view: View): boolean => view.start?.seats.some((seat) => seat.occupant.kind === "person") === true;

function waitedFor(view: View): string {
  const open = [...view.turns.values()].filter((turn) => turn.state === "running" || turn.state === "retrying");
  const names = open.map((turn) => `${oneLine(turn.seat, 40)}(${span(Date.now() - turn.startedAt)})`);
  return names.join(",") || "the-engine";
}
