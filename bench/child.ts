/**
 * The process of one contender. It opens the contender once and does what it is told over the channel to its parent.
 *
 * A process of its own keeps one contender's memory, timers and compiled code out of another's figures; being told in small
 * batches lets the parent go round the contenders, so that a noisy minute falls on all of them.
 */
import { contender, type Opened } from "./contender.ts";
import { createDesk, type Desk, expected, seats } from "./script.ts";

/** What a child is asked to do. */
export type Order = { do: "debates" | "flight"; count: number; rounds: number; delayMs: number } | { do: "close" };

/** What it reports: processor time and wall time of the whole order, in milliseconds. */
export type Report = {
  cpuMs: number;
  wallMs: number;
  /** The critical paths of the debates, where calls are timed. */
  pathMs: number;
  /** The mean record of a debate, in bytes. */
  bytes: number;
  /** The highest memory of the process so far, in MiB. */
  maxRssMib: number;
  /** Debates whose record is not whole. */
  missing: number;
};

const [key = "", folder = ""] = process.argv.slice(2);
const desk = createDesk();
const opened = await (await contender(key)).open({ desk, folder });
let begun = 0;

process.on("message", (order: Order) => {
  obey(order).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
// Nobody is left to report to once the parent is gone.
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function obey(order: Order): Promise<void> {
  if (order.do === "close") {
    await opened.close();
    process.exit();
    return;
  }
  const ids = Array.from({ length: order.count }, () => `bench-${begun++}`);
  process.send?.(await measure(opened, desk, order, ids));
}

async function measure(opened: Opened, desk: Desk, order: Exclude<Order, { do: "close" }>, ids: string[]) {
  desk.take(order.delayMs);
  const calls = desk.calls();
  const began = performance.now();
  const cpu = process.cpuUsage();
  const answers: string[] = [];
  if (order.do === "flight") answers.push(...(await Promise.all(ids.map((id) => opened.debate(id, order.rounds)))));
  else for (const id of ids) answers.push(await opened.debate(id, order.rounds));
  const used = process.cpuUsage(cpu);
  const wallMs = performance.now() - began;
  const maxRssMib = process.resourceUsage().maxRSS / 1024;
  const due = ids.length * (order.rounds * (seats.length + 1) + 1);
  if (answers.some((answer) => answer !== expected)) throw new Error(`${key} decided otherwise than the script.`);
  if (desk.calls() - calls !== due)
    throw new Error(`${key} made ${desk.calls() - calls} calls, and the script has ${due}.`);
  const sizes = order.do === "flight" ? [] : await Promise.all(ids.slice(-3).map((id) => opened.bytes?.(id) ?? 0));
  const report: Report = {
    cpuMs: (used.user + used.system) / 1_000,
    wallMs,
    pathMs: order.delayMs > 0 ? ids.reduce((sum, id) => sum + desk.path(id), 0) : 0,
    bytes: sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length),
    maxRssMib,
    missing: order.do === "flight" ? ((await opened.missing?.(ids))?.length ?? 0) : 0,
  };
  return report;
}
