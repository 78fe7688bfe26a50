/** The mutation gate: each seeded bug in a process of its own, run until the checker notices it. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Mutant, mutants } from "./mutants.ts";

/** How one mutant fared; `seeds` is how many worlds it took, `trouble` why it could not be run at all. */
export type Fate = { mutant: Mutant; killed: boolean; seeds: number; invariant: string | null; trouble: string | null };

const limit = 20_000;

/** Runs the mutants named, or all, some at a time. */
export async function runMutants(
  names: readonly string[] | null,
  jobs: number,
  tell: (fate: Fate) => void,
): Promise<Fate[]> {
  const left = mutants.filter(({ name }) => names === null || names.includes(name));
  const fates: Fate[] = [];
  const work = async () => {
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      const fate = await fateOf(mutant);
      fates.push(fate);
      tell(fate);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  return fates;
}

async function fateOf(mutant: Mutant): Promise<Fate> {
  const source = readFileSync(new URL(`../src/${mutant.file}`, import.meta.url), "utf8");
  if (source.split(mutant.find).length !== 2) {
    const trouble = `stale: its text does not occur exactly once in ${mutant.file}`;
    return { mutant, killed: false, seeds: 0, invariant: null, trouble };
  }
  const { said, trouble } = await child(mutant.name);
  const found = /^caught by (\S+) after (\d+)$/m.exec(said);
  const invariant = found?.[1] ?? null;
  const killed = invariant !== null && mutant.caughtBy.includes(invariant);
  return { mutant, killed, seeds: Number(found?.[2] ?? limit), invariant, trouble: found ? null : trouble };
}

/** The process that runs the mutant; one that does not come back, or dies of it, is told by what it printed. */
function child(name: string): Promise<{ said: string; trouble: string | null }> {
  const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
  const args = ["--import", here("./mutate.ts"), here("./hunt.ts"), String(limit)];
  const env = { ...process.env, PARLEY_MUTANT: name, NODE_OPTIONS: "" };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout: 240_000, maxBuffer: 1 << 24 }, (error, said, errors) => {
      resolve({
        said,
        trouble: error
          ? `could not be run: ${
              errors
                .trim()
                .split("\n")
                .find((line) => /Error/.test(line)) ?? error.message
            }`
          : null,
      });
    });
  });
}
