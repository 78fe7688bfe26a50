/**
 * `parley watch`: follows a run that another process drives, by reading its record as it grows.
 *
 * It looks like the run's own terminal and ends with the run, with the run's exit status. Leaving it leaves the run alone.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ownerIsGone } from "../../../adapters/stores/liveness.ts";
import type { Store } from "../../../ports.ts";
import { parseLines, readRun } from "../../../record.ts";
import type { Outcome } from "../../../run.ts";
import { advance, emptyView, type View } from "../../../transcript.ts";
import { exitOf, interruptedExit } from "../exit.ts";
import type { Call, SignalName } from "../io.ts";
import { commandName } from "../io.ts";
import { showProgress } from "../progress.ts";
import { findRun } from "../run-names.ts";
import { openStoreToRead } from "../state.ts";
import { targetOf, writeAnswer } from "../writing.ts";

const pollMs = 200;
const patienceMs = 3_000;

export async function watch(call: Call): Promise<number> {
  const target = await targetOf(call);
  const name = call.args[0] ?? "";
  const { store } = await openStoreToRead(call, name);
  const progress = showProgress(call, null);
  let left: SignalName | null = null;
  const stop = call.io.onSignal((signal) => {
    left = signal;
  });
  try {
    const { id } = await findRun(store, name);
    const view = emptyView();
    const abandoned = abandonment(store, id);
    const stream = target.form === "jsonl" && !target.file;
    while (!left) {
      const lines = await store.read(id, view.events);
      for (const event of parseLines(lines.map((line) => line.text))) {
        advance(view, event);
        progress.hear(event);
      }
      if (stream) for (const line of lines) call.out.answerLine(line.text);
      if (restsAt(view) !== null || (lines.length === 0 && (await abandoned()))) break;
      if (lines.length === 0) await sleep(pollMs);
    }
    progress.close();
    if (left) {
      call.out.say(`left run ${id}, which goes on. Follow it again: parley watch ${id} · end it: parley cancel ${id}`);
      return interruptedExit(left);
    }
    const record = await readRun(store, id);
    if (restsAt(record.view) === null) {
      call.out.say(`Nobody drives run ${id} now. Go on with it: ${commandName(call.io)} resume ${id}`);
      return 3;
    }
    if (!stream) await writeAnswer(call, target, record, store.place);
    return exitOf({ view: record.view, rest: restsAt(record.view) ?? "ended" }, { strict: false, signal: null });
  } finally {
    progress.close();
    stop();
    await store.close();
  }
}

/** Tells whether no living process has driven the run for a while; one that was only just left may be taken up again. */
function abandonment(store: Store, id: string): () => Promise<boolean> {
  let since: number | null = null;
  return async () => {
    const owner = (await store.find(id))?.owner ?? null;
    since = owner !== null && !ownerIsGone(owner) ? null : (since ?? performance.now());
    return since !== null && performance.now() - since > patienceMs;
  };
}

/** How the run rests, or null while it goes on. */
function restsAt(view: View): Outcome["rest"] | null {
  if (view.status === "waiting") return "waiting";
  return view.status === "running" || view.status === "queued" ? null : "ended";
}
