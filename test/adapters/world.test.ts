/**
 * The system's clock, timers and dice, as the engine is promised them.
 *
 * Timers run on a false clock here, so that a wait of a month takes no time.
 */
import { afterEach, describe, expect, test, vi } from "vitest";
import { systemWorld } from "../../src/adapters/world.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("the system's world", () => {
  test("Time never goes back, and is the wall clock's.", () => {
    const world = systemWorld();
    const times = Array.from({ length: 1000 }, () => world.now());
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(Math.abs(world.now() - Date.now())).toBeLessThan(60_000);
  });

  test("A step of the system's clock does not change its time.", () => {
    const world = systemWorld();
    const before = world.now();
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    expect(world.now()).toBeGreaterThanOrEqual(before);
  });

  test("A wait calls once, when its time has come, unless it is cancelled.", () => {
    vi.useFakeTimers();
    const world = systemWorld();
    const called: string[] = [];
    world.after(10, () => called.push("kept"));
    world.after(10, () => called.push("cancelled"))();
    vi.advanceTimersByTime(9);
    expect(called).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(called).toEqual(["kept"]);
  });

  test("A wait may be longer than one timer can hold.", () => {
    vi.useFakeTimers();
    const world = systemWorld();
    const called: string[] = [];
    const month = 2 ** 31 + 1000;
    world.after(month, () => called.push("kept"));
    const cancel = world.after(month, () => called.push("cancelled"));
    vi.advanceTimersByTime(month - 1);
    expect(called).toEqual([]);
    cancel();
    vi.advanceTimersByTime(1);
    expect(called).toEqual(["kept"]);
  });

  test("Tokens are hexadecimal, of the length asked for, and do not repeat.", () => {
    const world = systemWorld();
    expect(world.token(8)).toMatch(/^[0-9a-f]{16}$/);
    expect(world.token(8)).not.toBe(world.token(8));
  });

  test("The owner is this process.", () => {
    expect(systemWorld().owner).toMatchObject({
      pid: process.pid,
      host: expect.stringMatching(/./),
      started: expect.stringMatching(/./),
    });
  });
});
