/**
 * Driving a run from the terminal: progress while it goes, the answer when it rests, and the way on.
 *
 * A new run and a resumed one differ only in how they begin, so everything else is here once.
 */
import type { Line } from "../../chain.ts";
import { readRun } from "../../record.ts";
import { oneLine } from "../../render/safe.ts";
import type { Drive, Outcome } from "../../run.ts";
import type { View } from "../../transcript.ts";
import { hearCancel } from "./cancelling.ts";
import { exitOf, strictFaults } from "./exit.ts";
import { hearInterrupts } from "./interrupt.ts";
import type { Call } from "./io.ts";
import { commandName } from "./io.ts";
import { showProgress } from "./progress.ts";
import type { Opened } from "./state.ts";
import { tapped } from "./tap.ts";
import { type Target, writeAnswer } from "./writing.ts";

type Journey = {
  opened: Opened;
  target: Target;
  /** The view of the record so far, when the run is resumed. */
  known: View | null;
  /** The best answer of the case, where it names one. */
  best: string | null;
  go: (drive: Drive) => Promise<Outcome>;
};

/** Drives a run until it rests, shows it and returns the exit status. */
export async function driveRun(call: Call, journey: Journey): Promise<number> {
  const { opened, target, known } = journey;
  const progress = showProgress(call, known);
  const interrupts = hearInterrupts(call, () => call.trace.run);
  // A request to cancel is taken by whoever looks, so only the owner may: the first event shows that this process is it.
  let owned = false;
  const cancelling = hearCancel(opened.store, () => (owned ? call.trace.run : ""));
  const stream = target.form === "jsonl" && !target.file;
  const print = (lines: readonly Line[]) => {
    for (const line of lines) call.out.answerLine(line.text);
  };
  const store = stream ? tapped(opened.store, print) : opened.store;
  try {
    const outcome = await journey.go({
      ...(await surroundings()),
      store,
      pause: interrupts.pause,
      cancel: cancelling.signal,
      onEvent: (event) => {
        owned = true;
        progress.hear(event);
      },
    });
    progress.close();
    await tell(call, journey, outcome, stream);
    return exitOf(outcome, { strict: call.flags.strict === true, signal: interrupts.signal });
  } finally {
    progress.close();
    interrupts.close();
    cancelling.close();
  }
}

/** What every drive needs besides its store; loaded here because it brings every adapter. */
export async function surroundings(): Promise<Pick<Drive, "world" | "occupants" | "protocols">> {
  const [{ systemWorld }, { occupants }, { protocols }] = await Promise.all([
    import("../../adapters/world.ts"),
    import("../../adapters/occupants/index.ts"),
    import("../../protocols/index.ts"),
  ]);
  return { world: systemWorld(), occupants, protocols };
}

async function tell(call: Call, journey: Journey, outcome: Outcome, streamed: boolean): Promise<void> {
  const { view, rest } = outcome;
  const record = await readRun(journey.opened.store, view.run);
  // A paused run has no answer yet, except to a program that waits for its one object.
  if (!streamed && (rest !== "paused" || journey.target.form === "json" || journey.target.file)) {
    await writeAnswer(call, journey.target, record, journey.opened.store.place);
  }
  if (call.flags.strict === true && view.status === "decided") {
    for (const fault of strictFaults(view)) call.out.say(`strict: ${fault}`);
  }
  if (journey.best) call.out.mention(bestLine(view, journey.best));
  for (const line of wayOn(call, journey.opened, outcome)) call.out.mention(line);
}

function bestLine(view: View, best: string): string {
  const answer = view.decision?.answer ?? null;
  const verdict =
    answer === best
      ? "and the panel decided for it"
      : answer
        ? `and the panel decided for ${answer}`
        : "and the panel did not decide";
  return `best    ${oneLine(`the case says ${best}, ${verdict}`, 400)}`;
}

/** Where the record is, and what can be done with the run now. */
function wayOn(call: Call, opened: Opened, { view, rest }: Outcome): string[] {
  const label = (text: string) => call.out.remarkPaint("dim", text.padEnd(8));
  const id = view.run;
  const record = `${label("record")}${opened.store.place}  run ${id}`;
  const parley = commandName(call.io);
  if (rest === "ended") {
    return [record, `${label("next")}${parley} show ${id} --full · ${parley} export ${id} · ${parley} verify ${id}`];
  }
  return [record, `${label("resume")}${parley} resume ${id}${resumeHint(view)}`];
}

function resumeHint(view: View): string {
  if (view.waiting === "budget") return "  (with a higher budget, such as --max-turns or --budget)";
  const open = view.doubts.filter((doubt) => doubt.open).map((doubt) => `${doubt.seat} in round ${doubt.round}`);
  if (open.length > 0) return `  (in doubt: ${open.join(", ")}; say --in-doubt retry or --in-doubt fail)`;
  return "";
}
