/**
 * The world as it is: the system's clock, timers and randomness, and this process as the owner of its runs.
 *
 * The wall clock is read once and carried on by the monotonic one, so a step of the system's clock never turns time back within
 * a process.
 */
import { randomBytes } from "node:crypto";
import type { World } from "../ports.ts";
import { thisProcess } from "./stores/liveness.ts";

/** The longest wait one timer can hold; longer ones fire at once, which is why they are split. */
const timerLimitMs = 2 ** 31 - 1;

let world: World | null = null;

/** The clock, timers, dice and owner of the running process: one for all its runs, which share a gate through it. */
export function systemWorld(): World {
  world ??= makeWorld();
  return world;
}

function makeWorld(): World {
  const wallAtStart = Date.now();
  const monotonicAtStart = performance.now();
  return {
    now: () => Math.floor(wallAtStart + performance.now() - monotonicAtStart),
    after,
    token,
    owner: thisProcess(),
  };
}

/** Random bytes are drawn by the page, because each draw costs the same however few are wanted. */
let pool = Buffer.alloc(0);

function token(bytes: number): string {
  if (pool.length < bytes) pool = randomBytes(Math.max(4_096, bytes));
  const drawn = pool.toString("hex", 0, bytes);
  pool = pool.subarray(bytes);
  return drawn;
}

function after(ms: number, call: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number) => {
    const step = Math.min(left, timerLimitMs);
    timer = setTimeout(() => (left > step ? wait(left - step) : call()), step);
  };
  wait(Math.max(0, ms));
  return () => clearTimeout(timer);
}
