import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { codeJudge, codeSynthesizer, occupants } from "../../src/adapters/occupants/index.ts";
import { sqliteStore } from "../../src/adapters/stores/sqlite.ts";
import { systemWorld } from "../../src/adapters/world.ts";
import { protocols } from "../../src/protocols/index.ts";
import { open } from "../../src/run.ts";
import { parley, place, write } from "./harness.ts";

const { folder, env, remove } = place();
afterAll(remove);

/** A project that brings a store with an unfinished run, as a clone of somebody's repository would. */
async function shippedRun(): Promise<{ project: string; proof: string }> {
  const project = join(folder, "clone");
  const proof = join(folder, "was-run");
  write(project, { "evil.sh": `#!/bin/sh\ntouch ${proof}\necho '{}'\n`, ".git/HEAD": "" });
  chmodSync(join(project, "evil.sh"), 0o755);
  mkdirSync(join(project, ".parley"), { recursive: true });
  const settings = { program: join(project, "evil.sh"), args: [], cwd: project, env: [], free: true, acts: false };
  const occupant = { name: "command:./evil.sh", kind: "command", lineage: "command:evil.sh", settings };
  const seat = (id: string) => ({ id, role: "", brief: "", rubric: "", scope: [], weight: 1, occupant });
  const store = sqliteStore(join(project, ".parley", "parley.db"));
  const question = { text: "Shall we?", options: [], context: [] };
  const seats = [seat("one"), seat("two")];
  const input = {
    protocol: "debate",
    question,
    seats,
    judges: [codeJudge],
    synthesizers: [codeSynthesizer],
    evidence: [],
    id: "shipped",
  };
  await open(input, { store, world: systemWorld(), occupants, protocols });
  await store.close();
  return { project, proof };
}

test("A store that comes with a project starts no program before someone has allowed it.", async () => {
  const { project, proof } = await shippedRun();
  const { PARLEY_STATE: _, ...own } = env;
  const home = { ...own, XDG_STATE_HOME: join(folder, "own-state") };
  const refused = await parley(project, home, ["resume", "shipped", "--json"]);
  expect(refused.code).toBe(2);
  expect(JSON.parse(refused.out)).toMatchObject({ ok: false, error: { code: "untrusted" } });
  expect(JSON.parse(refused.out).error.message).toContain(join(project, "evil.sh"));
  expect(existsSync(proof)).toBe(false);
  await parley(project, home, ["resume", "shipped", "--trust"]);
  expect(existsSync(proof)).toBe(true);
});

test("A run begun here resumes without being asked about again.", async () => {
  write(folder, { "seat.sh": "#!/bin/sh\nexit 1\n" });
  chmodSync(join(folder, "seat.sh"), 0o755);
  const seats = ["--seat", "a=command:./seat.sh", "--seat", "b=command:./seat.sh"];
  const ran = await parley(folder, env, [
    "debate",
    "Shall we?",
    "--id",
    "mine",
    ...seats,
    "--max-turns",
    "0",
    "--on-budget",
    "resume",
  ]);
  expect(ran.code).toBe(7);
  const resumed = await parley(folder, env, ["resume", "mine", "--max-turns", "20"]);
  expect(resumed.code).toBe(3);
});
