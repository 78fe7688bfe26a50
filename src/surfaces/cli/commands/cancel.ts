/**
 * `parley cancel`: ends a run and keeps what was gathered.
 *
 * The process that drives the run is asked to end it, because only the owner may write. A run that nobody drives is taken over and
 * ended here.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ParleyError, UsageError } from "../../../errors.ts";
import type { RunRow, Store } from "../../../ports.ts";
import { resume } from "../../../run.ts";
import { surroundings } from "../driving.ts";
import type { Call } from "../io.ts";
import { findRun } from "../run-names.ts";
import { openStoreToRead } from "../state.ts";

const pollMs = 200;
const patienceMs = 10_000;

export async function cancel(call: Call): Promise<number> {
  const name = call.args[0] ?? "";
  const { store } = await openStoreToRead(call, name);
  try {
    const row = await findRun(store, name);
    call.trace.run = row.id;
    if (isOver(row)) throw over(row);
    const { world, ...rest } = await surroundings();
    await store.signal(row.id, { name: "cancel", at: world.now() });
    try {
      // With `retry` nobody is asked about a call in doubt, and nothing is sent either, since the run is cancelled before it goes on.
      await resume(row.id, { ...rest, world, store, cancel: AbortSignal.abort() }, { limits: { inDoubt: "retry" } });
    } catch (error) {
      if (!ParleyError.is(error) || error.code !== "run-owned") throw error;
      call.out.mention(`asked the process that drives ${row.id} to end it`);
    }
    return tell(call, await ending(store, row.id));
  } finally {
    await store.close();
  }
}

/** Waits a while for the owner to end the run. */
async function ending(store: Store, id: string): Promise<RunRow> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const row = await findRun(store, id);
    if (isOver(row) || performance.now() > until) return row;
    await sleep(pollMs);
  }
}

function tell(call: Call, row: RunRow): number {
  const done = isOver(row);
  if (call.out.json)
    call.out.answerJson({
      ok: done,
      run: row.id,
      status: row.status,
      stopReason: row.stopReason,
      ...(done ? {} : { error: late(row) }),
    });
  else if (done) call.out.answer(`${row.id} ${row.status}`);
  if (!done) call.out.say(`${late(row).message} ${late(row).hint}`);
  return done ? 0 : 3;
}

function late(row: RunRow) {
  return {
    code: "run-owned",
    message: `Run ${row.id} was asked to end and has not yet: a call may be under way.`,
    hint: `See how it goes: parley watch ${row.id}`,
  };
}

function over(row: RunRow): UsageError {
  return new UsageError("run-over", `Run ${row.id} is over already: ${row.status}.`, {
    hint: `See it: parley show ${row.id}`,
  });
}

const isOver = (row: RunRow): boolean => ["decided", "undecided", "cancelled", "failed"].includes(row.status);
