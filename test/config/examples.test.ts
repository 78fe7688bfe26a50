/** The cases that come with the package load as they are, with nothing left to ask. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { plan } from "../../src/config/index.ts";
import { parseYaml } from "../../src/config/yaml-file.ts";
import { protocols } from "../../src/protocols/index.ts";
import { newDesk } from "./desk.ts";

const root = resolve(import.meta.dirname, "../..");
const cases = globSync("examples/*/case.yml", { cwd: root }).sort();

test("There are cases to load.", () => {
  expect(cases.length).toBeGreaterThan(0);
});

test.each(cases)("%s makes a plan.", async (path) => {
  const file = await parseYaml(path, readFileSync(join(root, path), "utf8"));
  const named = (file.data as { protocol?: string }).protocol ?? "debate";
  const { env } = newDesk();
  const made = await plan({
    cwd: root,
    env,
    protocol: named,
    protocols,
    target: path,
    stdin: null,
    flags: { trust: true },
    confirm: null,
  });
  expect(made.source).toBe(join(root, path));
  expect(made.input.seats.length, basename(dirname(path))).toBeGreaterThan(1);
  expect(made.input.judges).not.toHaveLength(0);
  expect(made.notes).toEqual([]);
  const refs = new Set(made.input.evidence.map((item) => item.ref));
  for (const seat of made.input.seats) for (const ref of seat.scope) expect(refs).toContain(ref);
});
