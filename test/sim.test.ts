import { describe, expect, test } from "vitest";
import { joined, runBatch } from "../sim/batch.ts";
import { runMutants } from "../sim/mutant-gate.ts";
import { mutants } from "../sim/mutants.ts";
import { planOf } from "../sim/plan.ts";

describe("the simulation", () => {
  test("A few hundred worlds with faults, crashes and recoveries break no invariant.", async () => {
    const tally = await runBatch({ from: 0, runs: 400 });
    expect(tally.failing).toEqual([]);
    expect(tally.runs).toBe(400);
    expect(tally.crashes).toBeGreaterThan(50);
    expect(tally.recoveries).toBeGreaterThan(100);
    expect(tally.twins).toBeGreaterThan(0);
  });

  test("The same seeds give the same trace hash, and other seeds another.", async () => {
    const [one, same, other] = [
      await runBatch({ from: 500, runs: 60 }),
      await runBatch({ from: 500, runs: 60 }),
      await runBatch({ from: 600, runs: 60 }),
    ].map((tally) => joined([tally]).trace);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  test("A plan depends on its seed alone.", () => {
    expect(planOf(7)).toEqual(planOf(7));
    expect(planOf(7)).not.toEqual(planOf(8));
  });

  test("Seeded bugs are caught, by the invariants they break.", async () => {
    const names = [
      "a call leaves before its intent is on disk",
      "dissent is dropped",
      "a seat hears its own words as a peer's",
      "Retry-After is ignored",
    ];
    const fates = await runMutants(names, 2, () => {});
    expect(fates.map(({ mutant, killed }) => ({ name: mutant.name, killed })).sort(byName)).toEqual(
      names.map((name) => ({ name, killed: true })).sort(byName),
    );
    for (const { mutant, invariant } of fates) expect(mutant.caughtBy).toContain(invariant);
  }, 120_000);

  test("There are at least 36 seeded bugs, each with a name of its own.", () => {
    expect(mutants.length).toBeGreaterThanOrEqual(36);
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  });
});

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
