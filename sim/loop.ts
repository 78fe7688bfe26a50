/**
 * The loop that runs many worlds at once in one thread.
 *
 * In each pass every world lets one thing happen, and then all microtasks are drained once for all of them; that shared drain is what
 * makes a thousand debates a second possible. No world can see another, so what a world does depends on its seed alone.
 */
import type { Plan } from "./plan.ts";
import { World } from "./world.ts";

/** Few enough to stay in the processor's cache, many enough to share the drain. */
const atOnce = 8;

/** Runs the plans to their ends; `done` may hand back another plan to run, such as a twin. */
export async function runWorlds(plans: Iterator<Plan>, done: (world: World) => Plan | null): Promise<void> {
  const live: World[] = [];
  const waiting: Plan[] = [];
  const draw = (): World | null => {
    const next = waiting.pop() ?? (plans.next().value as Plan | undefined);
    return next ? new World(next) : null;
  };
  for (;;) {
    while (live.length < atOnce) {
      const world = draw();
      if (!world) break;
      live.push(world);
    }
    if (live.length === 0) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (let index = live.length - 1; index >= 0; index--) {
      const world = live[index] as World;
      if (world.step()) continue;
      live[index] = live.at(-1) as World;
      live.pop();
      const another = done(world);
      if (another) waiting.push(another);
    }
  }
}
