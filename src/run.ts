/**
 * The front door: set a protocol going on a question, or go on with a run from its record.
 *
 * Driving is the same for both. A run ends exactly once, with one status and one reason; whatever stops the driving before that leaves
 * a record from which anyone can go on.
 */

import type { Circuits } from "./circuit.ts";
import { settleDoubts } from "./doubt.ts";
import { endOf, withoutDissent } from "./ending.ts";
import { ParleyError, UsageError } from "./errors.ts";
import type { Event } from "./events.ts";
import type { EvidenceItem } from "./evidence.ts";
import type { Limits } from "./limits.ts";
import { Halt, type LiveRun } from "./live-run.ts";
import type { Lease, OccupantFactory, Store, World } from "./ports.ts";
import type { Protocol } from "./protocol.ts";
import type { Question } from "./question.ts";
import { readVerified } from "./record.ts";
import { openRoom } from "./room.ts";
import type { OccupantSpec, Seat } from "./seat.ts";
import { bringToLife, checkLimits, letGo, type Started, startOf } from "./starting.ts";
import type { View } from "./transcript.ts";

/** What drives a run: where it is kept, who can occupy a seat, and how it is watched and stopped. */
export type Drive = {
  store: Store;
  world: World;
  occupants: Readonly<Record<string, OccupantFactory>>;
  protocols: Readonly<Record<string, Protocol>>;
  /** Endpoints' circuits, shared by the runs of a process; each run has its own unless given. */
  circuits?: Circuits;
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

/** Begins a run and drives it until it ends or halts. */
export async function run(input: RunInput, drive: Drive): Promise<Outcome> {
  const { live, protocol } = await startOf(input, drive);
  return driveOn(live, protocol, drive);
}

/** Begins a run and leaves it to be driven by `resume`; returns its id. */
export async function open(input: RunInput, drive: Drive): Promise<string> {
  const { live } = await startOf(input, drive);
  await putDown(live);
  return live.view.run;
}

/** Goes on with a run from its record; one that has ended is given back as it is. */
export async function resume(id: string, drive: Drive, changes: { limits?: Partial<Limits> } = {}): Promise<Outcome> {
  const wanted = checkLimits(changes.limits ?? {});
  const row = await drive.store.find(id);
  if (!row)
    throw new UsageError("unknown-run", `No run ${id} in ${drive.store.place}.`, { hint: "See `parley list`." });
  if (row.stopReason !== null) return { view: (await readVerified(drive.store, id)).view, rest: "ended" };
  const lease = await drive.store.claim(id, drive.world.owner);
  const { live, protocol } = await comeBack(id, lease, drive);
  if (live.view.stopReason !== null) {
    // The run ended between our look and our claim.
    await drive.store.release(lease);
    await letGo(live.occupants.values());
    return { view: live.view, rest: "ended" };
  }
  // What prompts are made from stays as it was, or none of them could be replayed.
  const limits = { ...live.limits, ...wanted, peerChars: live.limits.peerChars };
  live.recorder.append({ type: "run-resumed", owner: drive.world.owner, limits });
  if (!settleDoubts(live)) return driveOn(live, protocol, drive);
  await putDown(live);
  return { view: live.view, rest: "waiting" };
}

/** A run that cannot be brought back is given up again, so that whoever mends it need not wait for our lease. */
async function comeBack(id: string, lease: Lease, drive: Drive): Promise<Started> {
  try {
    return await bringToLife(await readVerified(drive.store, id), lease, drive);
  } catch (error) {
    await drive.store.release(lease).catch(() => {});
    throw error;
  }
}

async function driveOn(live: LiveRun, protocol: Protocol, drive: Drive): Promise<Outcome> {
  const unwatch = watchSignals(live, drive);
  live.watchTime();
  try {
    const decision = await protocol.run(live.start.question, openRoom(live), live.start.options as never);
    for (const dissent of decision.dissent.slice(live.view.dissent.length)) {
      live.recorder.append({ type: "dissent-kept", dissent });
    }
    if (!live.view.decision) live.recorder.append({ type: "decision-reached", decision: withoutDissent(decision) });
    live.recorder.append(endOf(decision));
    return await comeToRest(live, "ended");
  } catch (error) {
    return await settleHalt(live, error);
  } finally {
    live.unwatchTime();
    unwatch();
  }
}

/** Turns what stopped the protocol into an ending, a rest, or an error for the caller. */
async function settleHalt(live: LiveRun, error: unknown): Promise<Outcome> {
  if (error instanceof Halt && !live.recorder.failure) {
    // A cancel may have come while the calls of an older halt were being waited for; it decides.
    const { rest } = live.halt ?? error;
    if (rest !== "cancelled") return await comeToRest(live, rest);
    const end = { type: "run-end", status: "cancelled", stopReason: "cancelled_by_user", error: null } as const;
    live.recorder.append(end);
    return await comeToRest(live, "ended");
  }
  const known = live.recorder.failure ?? (ParleyError.is(error) ? error : null);
  const message = error instanceof Error ? error.message : String(error);
  live.abort("cancelled", "the run failed");
  if ((known === null || known.code === "internal") && live.view.stopReason === null) {
    const cause = { code: "internal", message };
    live.recorder.append({ type: "run-end", status: "failed", stopReason: "internal_error", error: cause });
  }
  await putDown(live).catch(() => {});
  throw known ?? new ParleyError("internal", `The run failed: ${message}`, { cause: error });
}

async function comeToRest(live: LiveRun, rest: Outcome["rest"]): Promise<Outcome> {
  await putDown(live);
  return { view: live.view, rest };
}

/** Writes what is left, gives up the right to write, and lets the occupants go. */
async function putDown(live: LiveRun): Promise<void> {
  try {
    await live.recorder.close();
  } finally {
    await letGo(live.occupants.values());
  }
}

function watchSignals(live: LiveRun, { cancel, pause }: Drive): () => void {
  const onCancel = () => {
    live.halt = new Halt("cancelled", "The run was cancelled.");
    live.abort("cancelled", "the run was cancelled");
  };
  const onPause = () => live.stop(new Halt("paused", "The run was interrupted."));
  cancel?.addEventListener("abort", onCancel);
  pause?.addEventListener("abort", onPause);
  if (pause?.aborted) onPause();
  if (cancel?.aborted) onCancel();
  return () => {
    cancel?.removeEventListener("abort", onCancel);
    pause?.removeEventListener("abort", onPause);
  };
}
