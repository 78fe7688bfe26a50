/**
 * A desk for intake tests: a folder of its own with a repository, a home and whatever files a test lays on it.
 *
 * Nothing of the machine leaks in: the environment holds only what the test puts there.
 */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect } from "vitest";
import * as z from "zod";
import { type Plan, type PlanFlags, plan } from "../../src/config/index.ts";
import { type ErrorCode, ParleyError } from "../../src/errors.ts";
import type { Protocol } from "../../src/protocol.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

const options = z.object({
  rounds: z.int().min(0).max(30).default(4),
  threshold: z.number().min(0).max(1).default(0.85),
  stallAfter: z.int().min(1).default(2),
  anonymous: z.boolean().default(true),
});

/** A protocol that is never run: intake looks at its name, its size and its options only. */
export const debate: Protocol = {
  name: "debate",
  version: 1,
  summary: "For tests.",
  minSeats: 2,
  options,
  calls: () => ({ seats: 0, judge: 0, synthesizer: 0 }),
  run: async () => {
    throw new Error("intake runs no protocol");
  },
};

export type Desk = {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Writes a file and returns its path. */
  lay(path: string, content: string | Buffer, mode?: number): string;
  path(path: string): string;
  plan(target: string | undefined, flags?: PlanFlags, more?: Partial<Parameters<typeof plan>[0]>): Promise<Plan>;
};

/** A repository at `project/`, in which the test works, beside an empty `home/`. */
export function newDesk(): Desk {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "parley-desk-")));
  roots.push(root);
  const cwd = join(root, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const env: NodeJS.ProcessEnv = { HOME: join(root, "home"), PATH: "/usr/bin:/bin" };
  const path = (name: string) => join(cwd, name);
  return {
    cwd,
    env,
    path,
    lay: (name, content, mode) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      if (mode !== undefined) chmodSync(path(name), mode);
      return path(name);
    },
    plan: (target, flags = {}, more = {}) =>
      plan({ cwd, env, protocol: "debate", protocols: { debate }, target, stdin: null, flags, confirm: null, ...more }),
  };
}

/** Two persons: the smallest panel that needs no file. */
export const two: PlanFlags = { seat: ["ann=person", "bob=person"] };

/** What a refusal must look like: the code, what its sentence names, and a next step. */
export async function refusal(
  attempt: Promise<unknown>,
  code: ErrorCode,
  ...names: (string | RegExp)[]
): Promise<ParleyError> {
  const error: unknown = await attempt.then(
    () => new Error("nothing was refused"),
    (thrown: unknown) => thrown,
  );
  if (!ParleyError.is(error)) throw error;
  expect(error.code, error.message).toBe(code);
  for (const name of names) {
    if (typeof name === "string") expect(error.message).toContain(name);
    else expect(error.message).toMatch(name);
  }
  expect(error.hint, "a refusal gives the next step").toMatch(/\S/u);
  return error;
}
