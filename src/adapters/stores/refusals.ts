/**
 * What a store says when it will not do as asked, worded once for every store.
 *
 * A refusal concerns one caller. It is never a reason to doubt the store or to fail what others are writing at the same time.
 */
import { type Line, unseal } from "../../chain.ts";
import { type ParleyError, StoreError, UsageError } from "../../errors.ts";
import type { Owner } from "../../events.ts";
import type { Lease } from "../../ports.ts";

/** The id is taken. */
export function runExists(run: string): ParleyError {
  return new UsageError("run-exists", `A run named ${run} exists already.`, {
    hint: `Choose another --id, or go on with it: parley resume ${run}`,
  });
}

/** The id is nobody's. */
export function unknownRun(run: string, place: string): ParleyError {
  return new UsageError("unknown-run", `No run named ${run} is in the store ${place}.`, {
    hint: "See the runs there are with: parley list",
  });
}

/** Another owner is alive. */
export function runOwned(run: string, owner: Owner, since: number): ParleyError {
  const when = new Date(since).toISOString();
  return new StoreError("run-owned", `Run ${run} is driven by process ${owner.pid} on ${owner.host} since ${when}.`, {
    hint: `Follow it with: parley watch ${run}. It can be taken over as soon as that process ends.`,
  });
}

/** The writer is no longer the owner. */
export function leaseLost(lease: Lease, newest: { epoch: number; owner: Owner | null }): ParleyError {
  const { epoch, owner } = newest;
  const by = owner ? `process ${owner.pid} on ${owner.host} took it over` : "it was released";
  return new StoreError(
    "lease-lost",
    `This process no longer drives run ${lease.run}: ${by} (epoch ${epoch}, this one had ${lease.epoch}).`,
    { hint: `Nothing of it was written. Follow the run with: parley watch ${lease.run}` },
  );
}

/** How many lines a store keeps of one run; the engine stops a run long before that. */
export const mostLines = 2 ** 20;

/** Refuses lines that do not follow on from the `next` place without gaps. */
export function checkPlaces(run: string, lines: readonly Line[], next: number): void {
  if (next + lines.length > mostLines) throw outOfPlace(run, next, mostLines);
  for (let index = 0; index < lines.length; index++) {
    const seq = lines[index]?.seq;
    if (seq !== next + index) throw outOfPlace(run, seq, next + index);
  }
}

/** The head that sealed lines say they follow; a store holds its own against it, so two writers of one name cannot mix. */
export function headBefore(lines: readonly Line[]): string | null {
  return lines[0] ? (unseal(lines[0].text)?.prev ?? null) : null;
}

/** A line does not follow on from the last one. */
export function outOfPlace(run: string, seq: number | undefined, next: number): ParleyError {
  return new StoreError("internal", `Line ${seq} cannot be added to run ${run}: its next line is ${next}.`, {
    hint: "The writer lost its place in the run. Resume it from its record.",
  });
}
