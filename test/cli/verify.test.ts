/** Exports and their verification: every change is found and named by file and line, also when the manifest was changed with it. */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sha256 } from "../../src/chain.ts";
import { caseFiles, parley, place, write } from "./harness.ts";

const { folder, env, state, remove } = place();
let copies = 0;

beforeAll(async () => {
  write(folder, caseFiles());
  expect((await parley(folder, env, ["debate", "case.yml", "--id", "mine", "-q"])).code).toBe(0);
  expect((await parley(folder, env, ["export", "mine", "-o", "good"])).code).toBe(0);
});
afterAll(remove);

/** A copy of the export whose file was changed. */
function changed(file: string, change: (text: string) => string): string {
  const name = `copy-${++copies}`;
  cpSync(join(folder, "good"), join(folder, name), { recursive: true });
  const path = join(folder, name, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
  return name;
}

const lines = (text: string) => text.trimEnd().split("\n");
const joined = (all: string[]) => all.map((line) => `${line}\n`).join("");

test("an untouched export verifies without a store, and says what is proved and what is not", async () => {
  const elsewhere = { ...env, PARLEY_STATE: join(folder, "no-state") };
  const ran = await parley(folder, elsewhere, ["verify", "./good"]);
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(ran.out).toMatch(/^verified {4}good\/events\.jsonl\n/);
  expect(ran.out).toContain("no line is missing at the end");
  expect(ran.out).toMatch(/not proved +that/);
  expect(JSON.parse((await parley(folder, elsewhere, ["verify", "./good/events.jsonl", "--json"])).out)).toMatchObject({
    ok: true,
    run: "mine",
  });
  expect(existsSync(elsewhere.PARLEY_STATE)).toBe(false);
});

test("the run in the store verifies, by its id and as latest", async () => {
  for (const name of ["mine", "mi", "latest"]) expect((await parley(folder, env, ["verify", name])).code).toBe(0);
});

const tampering: { what: string; change: (text: string) => string; line: number }[] = [
  {
    what: "a flipped byte",
    change: (text) => joined(lines(text).with(4, (lines(text)[4] ?? "").replace('"v":1', '"v":2'))),
    line: 5,
  },
  { what: "a deleted line", change: (text) => joined(lines(text).toSpliced(7, 1)), line: 8 },
  {
    what: "two swapped lines",
    change: (text) =>
      joined(
        lines(text)
          .with(2, lines(text)[3] ?? "")
          .with(3, lines(text)[2] ?? ""),
      ),
    line: 3,
  },
  { what: "a repeated line at the end", change: (text) => `${text}${lines(text).at(-1)}\n`, line: 0 },
  { what: "a forged line at the end", change: (text) => `${text}{"v":1,"type":"note-made"}\n`, line: 0 },
  { what: "a blank line at the end", change: (text) => `${text}\n`, line: 0 },
];

test.each(tampering)("$what is found and named by its line", async ({ change, line }) => {
  const name = changed("events.jsonl", change);
  const count = lines(readFileSync(join(folder, "good", "events.jsonl"), "utf8")).length;
  const at = line || count + 1;
  const ran = await parley(folder, env, ["verify", `./${name}`]);
  expect(ran.code).toBe(8);
  expect(ran.out.split("\n")[0]).toMatch(new RegExp(`^${name}/events\\.jsonl:${at}: `));
  expect(ran.err).toContain("(record-broken)");
  const json = await parley(folder, env, ["verify", `./${name}`, "--json"]);
  expect(json.code).toBe(8);
  expect(JSON.parse(json.out)).toMatchObject({ ok: false, error: { code: "record-broken" }, proved: [] });
});

test("a cut tail is found against the manifest, and only against it", async () => {
  const name = changed("events.jsonl", (text) => joined(lines(text).slice(0, -3)));
  const cut = await parley(folder, env, ["verify", `./${name}`]);
  expect(cut.code).toBe(8);
  expect(cut.out).toMatch(/events\.jsonl:\d+: .*cut off/);
  writeFileSync(join(folder, "alone.jsonl"), readFileSync(join(folder, name, "events.jsonl")));
  const alone = await parley(folder, env, ["verify", "alone.jsonl"]);
  expect(alone.code).toBe(0);
  expect(alone.out).toMatch(/not proved +that the end is not missing/);
});

test("a byte that decodes to the same text is found all the same", async () => {
  const name = changed("events.jsonl", (text) => text);
  const path = join(folder, name, "events.jsonl");
  const bytes = readFileSync(path);
  writeFileSync(path, Buffer.concat([bytes.subarray(0, 30), Buffer.from([0xff]), bytes.subarray(30)]));
  expect((await parley(folder, env, ["verify", `./${name}`])).out).toMatch(/events\.jsonl:1: /);
});

test.each(["decision.md", "decision.json"])(
  "a changed %s is found, also when the manifest was changed to match",
  async (file) => {
    const name = changed(file, (text) => text.replaceAll("right", "left"));
    const first = await parley(folder, env, ["verify", `./${name}`]);
    expect(first).toMatchObject({ code: 8, out: `${file}: its SHA-256 is not the one in the manifest\n` });
    const path = join(folder, name, "manifest.json");
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    manifest.files[file] = sha256(readFileSync(join(folder, name, file), "utf8"));
    writeFileSync(path, JSON.stringify(manifest));
    const second = await parley(folder, env, ["verify", `./${name}`]);
    expect(second).toMatchObject({ code: 8, out: `${file}: it does not say what the events say\n` });
  },
);

test("a broken or misleading manifest is a finding, and leads nowhere else", async () => {
  expect((await parley(folder, env, ["verify", `./${changed("manifest.json", () => "{")}`])).out).toContain(
    "manifest.json: it is not JSON",
  );
  const extra = changed("manifest.json", (text) =>
    text.replace('"events.jsonl":', '"../../case.yml": "00", "events.jsonl":'),
  );
  expect((await parley(folder, env, ["verify", `./${extra}`])).out).toContain("which is no file of an export");
});

test("an export is refused where something stands, a link included, and nothing is written through it", async () => {
  mkdirSync(join(folder, "elsewhere"));
  symlinkSync(join(folder, "elsewhere"), join(folder, "way"));
  for (const target of ["good", "way"]) {
    const ran = await parley(folder, env, ["export", "mine", "-o", target]);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("exists already");
  }
  expect(existsSync(join(folder, "elsewhere", "events.jsonl"))).toBe(false);
});

test("an export is named after the run, can be shown and exported again, and holds the exact lines", async () => {
  const made = await parley(folder, env, ["export", "latest", "--json"]);
  expect(JSON.parse(made.out)).toMatchObject({ ok: true, run: "mine", path: join(folder, "parley-mine") });
  const stored = (await parley(folder, env, ["show", "mine", "--jsonl"])).out;
  expect(readFileSync(join(folder, "parley-mine", "events.jsonl"), "utf8")).toBe(stored);
  const elsewhere = { ...env, PARLEY_STATE: join(folder, "no-state") };
  const shown = await parley(folder, elsewhere, ["show", "./parley-mine", "--json"]);
  expect(JSON.parse(shown.out)).toMatchObject({ run: "mine", status: "decided", decision: { answer: "right" } });
  expect((await parley(folder, elsewhere, ["export", "./parley-mine", "-o", "one.md", "--format", "md"])).code).toBe(0);
  expect(readFileSync(join(folder, "one.md"), "utf8")).toBe(readFileSync(join(folder, "good", "decision.md"), "utf8"));
});

test("an export that does not verify is shown with a warning and not exported again", async () => {
  const name = changed("events.jsonl", (text) => text.replace("Left is", "Lift is"));
  const shown = await parley(folder, env, ["show", `./${name}`]);
  expect(shown.code).toBe(0);
  expect(shown.err).toContain("does not verify");
  expect((await parley(folder, env, ["export", `./${name}`, "-o", "laundered"])).code).toBe(8);
  expect(existsSync(join(folder, "laundered"))).toBe(false);
});

test("whatever single bit is flipped in an export, it is found", async () => {
  const name = changed("events.jsonl", (text) => text);
  const path = join(folder, name, "events.jsonl");
  const good = readFileSync(path);
  const step = Math.floor(good.length / 150);
  for (let at = 0; at < good.length; at += step) {
    const bytes = Buffer.from(good);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 7));
    writeFileSync(path, bytes);
    const line = good.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;
    const ran = await parley(folder, env, ["verify", `./${name}`]);
    expect({ at, code: ran.code }).toEqual({ at, code: 8 });
    expect(ran.out).toMatch(new RegExp(`events\\.jsonl:${line}: `));
  }
});

test("a store whose lines were changed does not verify, and no run is resumed from them", async () => {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(join(state, "parley.db"));
  database.exec("UPDATE event SET text = replace(text, 'Left is', 'Lift is')");
  database.close();
  const ran = await parley(folder, env, ["verify", "mine"]);
  expect(ran.code).toBe(8);
  expect(ran.out).toMatch(/^mine:\d+: /);
  expect((await parley(folder, env, ["resume", "mine"])).code).toBe(8);
});
