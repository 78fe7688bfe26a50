/**
 * `parley resume`: goes on with a run from its record.
 *
 * The record holds everything the run needs, so no file is read again; but a person should know when an evidence file is no longer
 * what the panel saw, and decide whether the recorded text still serves.
 */

import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseDuration } from "../../../config/index.ts";
import { UsageError } from "../../../errors.ts";
import type { Limits } from "../../../limits.ts";
import { readRun } from "../../../record.ts";
import { resume } from "../../../run.ts";
import type { View } from "../../../transcript.ts";
import { driveRun } from "../driving.ts";
import type { Call } from "../io.ts";
import { findRun } from "../run-names.ts";
import { openStoreToRead } from "../state.ts";
import { checkPrograms } from "../trusting.ts";
import { targetOf } from "../writing.ts";

export async function resumeRun(call: Call): Promise<number> {
  const target = await targetOf(call);
  const name = call.args[0] ?? "";
  const limits = raisedLimits(call);
  const opened = await openStoreToRead(call, name);
  try {
    const row = await findRun(opened.store, name);
    const { view, events } = await readRun(opened.store, row.id);
    call.trace.run = row.id;
    call.trace.events.push(...events.slice(-50));
    if (view.stopReason === null && call.flags.evidence !== "recorded") await checkEvidence(call, view);
    if (view.stopReason === null && view.start) await checkPrograms(call, view.start, opened.store.place);
    const changes = Object.keys(limits).length > 0 ? { limits } : undefined;
    return await driveRun(call, {
      opened,
      target,
      known: view,
      best: null,
      go: (drive) => resume(row.id, drive, changes),
    });
  } finally {
    await opened.store.close();
  }
}

function raisedLimits({ flags }: Call): Partial<Limits> {
  const limits: Record<string, unknown> = {};
  const names = {
    budget: "maxUsd",
    maxTokens: "maxTokens",
    maxTurns: "maxTurns",
    inDoubt: "inDoubt",
    onBudget: "onBudget",
    quorum: "quorum",
  };
  for (const [flag, limit] of Object.entries(names)) if (flags[flag] !== undefined) limits[limit] = flags[flag];
  if (flags.maxTime !== undefined) limits.maxTimeMs = parseDuration(String(flags.maxTime));
  if (flags.turnTimeout !== undefined) limits.turnTimeoutMs = parseDuration(String(flags.turnTimeout));
  return limits as Partial<Limits>;
}

/** Refuses to go on when a file that was evidence now says something else; a file that is gone has only its record left. */
async function checkEvidence(call: Call, view: View): Promise<void> {
  const files = new Map<string, { hash: string; ref: string }>();
  for (const { ref, source } of view.evidence.values()) if (source) files.set(source.path, { hash: source.hash, ref });
  for (const [path, then] of files) {
    const bytes = await readFile(resolve(call.cwd, path)).catch(() => null);
    if (!bytes) {
      call.out.say(`evidence ${then.ref}: ${path} is no longer there; the recorded text is used`);
      continue;
    }
    const now = hash("sha256", bytes, "hex");
    if (now === then.hash) continue;
    const facts = `${path} (evidence ${then.ref}) changed since the run began: its SHA-256 was ${then.hash} and is ${now}.`;
    throw new UsageError("evidence-changed", facts, {
      hint: `Go on with what the panel saw: parley resume ${view.run} --evidence recorded. Or start a new run with the new file.`,
    });
  }
}
