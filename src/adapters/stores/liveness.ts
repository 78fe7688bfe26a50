/**
 * Who this process is, and whether another owner's process is certainly gone.
 *
 * A process id alone is reused, so an owner also names when its process started. The token says which boot and which process
 * namespace its numbers belong to; an owner from anywhere else cannot be judged from here, and only its lease can run out.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Owner } from "../../events.ts";

let self: Owner | null = null;

/** This process as an owner of runs. */
export function thisProcess(): Owner {
  self ??= { host: hostname(), pid: process.pid, started: ownStart() };
  return self;
}

/** Whether the owner's process has certainly ended; false whenever that cannot be known from here. */
export function ownerIsGone(owner: Owner): boolean {
  const own = thisProcess();
  if (owner.host !== own.host || scopeOf(owner.started) !== scopeOf(own.started)) return false;
  if (owner.pid === own.pid) return owner.started !== own.started;
  if (!processExists(owner.pid)) return true;
  const found = readStat(owner.pid);
  if (!found) return false;
  return found.ended || found.ticks !== owner.started.slice(owner.started.lastIndexOf("/") + 1);
}

function ownStart(): string {
  const stat = readStat(process.pid);
  // Where there is no /proc, another process's start cannot be read, so this token only tells apart two uses of one process id.
  if (!stat) return String(Math.round(performance.timeOrigin));
  return `${bootAndNamespace()}/${stat.ticks}`;
}

function scopeOf(started: string): string {
  const end = started.lastIndexOf("/");
  return end < 0 ? "" : started.slice(0, end);
}

function bootAndNamespace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
    const namespace = readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
    return `${boot}-${namespace}`;
  } catch {
    return "unknown";
  }
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that it exists and belongs to someone else.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** When a process started, in clock ticks since boot, and whether it is only waiting to be collected by its parent. */
function readStat(pid: number): { ticks: string; ended: boolean } | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null;
  }
  // The second field is the program's name in parentheses and may hold spaces, so fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields[19];
  return ticks === undefined ? null : { ticks, ended: fields[0] === "Z" || fields[0] === "X" };
}
