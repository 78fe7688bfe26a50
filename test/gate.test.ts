import { expect, test } from "vitest";
import { systemWorld } from "../src/adapters/world.ts";
import { Gate } from "../src/gate.ts";
import { inTurn, perform, says } from "./protocols/stage.ts";

test("No more are inside at once than the gate allows, and nobody's place is lost.", async () => {
  const gate = new Gate(2);
  let inside = 0;
  let most = 0;
  const pass = async (order: number) => {
    await gate.enter(order)?.entered;
    most = Math.max(most, ++inside);
    await Promise.resolve();
    inside--;
    gate.exit();
  };
  await Promise.all(Array.from({ length: 50 }, (_, order) => pass(order % 7)));
  expect(most).toBe(2);
  expect(gate.enter(0)).toBeNull();
  expect(gate.enter(0)).toBeNull();
  expect(gate.enter(0)).not.toBeNull();
});

test("The oldest run goes first.", async () => {
  const gate = new Gate(1);
  gate.enter(0);
  const entered: number[] = [];
  const waiting = [5, 3, 9, 1, 7].map((order) => gate.enter(order)?.entered.then(() => entered.push(order)));
  for (let i = 0; i < waiting.length; i++) {
    gate.exit();
    await Promise.resolve();
  }
  await Promise.all(waiting);
  expect(entered).toEqual([1, 3, 5, 7, 9]);
});

test("One who gives up waiting goes through, and the next is not held up by it.", async () => {
  const gate = new Gate(1);
  gate.enter(0);
  const first = gate.enter(1);
  const second = gate.enter(2);
  first?.leave();
  await first?.entered;
  gate.exit();
  gate.exit();
  await second?.entered;
  expect(gate.enter(3)).not.toBeNull();
});

test("A debate with room for one call at a time makes its calls one by one and ends the same.", async () => {
  let under = 0;
  let most = 0;
  const slow = (answer: string) => async () => {
    most = Math.max(most, ++under);
    await new Promise((resolve) => setTimeout(resolve, 2));
    under--;
    return says(answer);
  };
  const world = { ...systemWorld(), callsAtOnce: 1 };
  const parts = { ann: slow("yes"), bob: slow("yes"), cy: slow("no") };
  const { outcome } = await perform({ parts, options: { rounds: 1 }, drive: { world } });
  expect(outcome.view.decision?.answer).toBe("yes");
  expect(most).toBe(1);
  const free = await perform({ parts: { ...parts, di: inTurn(says("yes")) }, options: { rounds: 0 } });
  expect(free.outcome.view.status).toBe("decided");
  expect(most).toBe(3);
});

test("The runs of a process share one gate.", () => {
  expect(systemWorld()).toBe(systemWorld());
});
