/** `parley list`: the runs of the store, newest first. */
import { ownerIsGone } from "../../../adapters/stores/liveness.ts";
import type { RunRow } from "../../../ports.ts";
import { oneLine } from "../../../render/safe.ts";
import { pad, width } from "../../../render/wrap.ts";
import type { Call } from "../io.ts";
import { openStore } from "../state.ts";

const usualLimit = 50;

export async function list(call: Call): Promise<number> {
  const limit = typeof call.flags.limit === "number" ? call.flags.limit : usualLimit;
  const opened = await openStore(call, "read");
  const rows = opened ? await opened.store.list({ limit }) : [];
  await opened?.store.close();
  if (call.out.json) call.out.answerJson({ ok: true, place: opened?.store.place ?? null, runs: rows });
  else if (rows.length > 0) call.out.answer(table(call, rows));
  else call.out.mention("No run yet. Start one: parley debate CASE.yml, or make a first case: parley init");
  return 0;
}

function table(call: Call, rows: readonly RunRow[]): string {
  const cells = rows.map((row) => [
    row.id,
    standing(row),
    row.protocol,
    when(row.createdAt),
    `${row.events}`,
    oneLine(row.question, 200),
  ]);
  const all = [["RUN", "STATUS", "PROTOCOL", "BEGUN (UTC)", "EVENTS", "QUESTION"], ...cells];
  const columns = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => width(row[column] ?? ""))));
  const lines = all.map((row) => {
    const fixed = columns.map((size, column) => pad(row[column] ?? "", size)).join("  ");
    const room = call.out.answerWidth - columns.reduce((sum, size) => sum + size + 2, 0);
    return `${fixed}  ${oneLine(row[5] ?? "", Math.max(20, room))}`;
  });
  return lines.map((line, index) => (index === 0 ? call.out.answerPaint("bold", line) : line)).join("\n");
}

/** `undecided (stalled)`; the reason is left out where the status says it all. A run that nobody drives is not running. */
function standing(row: RunRow): string {
  const driven = row.owner !== null && !ownerIsGone(row.owner);
  if (row.status === "running" && !driven) return "interrupted";
  return row.stopReason && row.status !== "cancelled" ? `${row.status} (${oneLine(row.stopReason, 24)})` : row.status;
}

const when = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");
