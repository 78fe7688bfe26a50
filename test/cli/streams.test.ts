/** The streams: the answer alone on stdout, the rest on stderr, and no escape byte where nobody can see it. */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caseFiles, entry, parley, place, start, write } from "./harness.ts";

const { folder, env, remove } = place();

beforeAll(() => write(folder, caseFiles()));
afterAll(remove);

describe("the answer", () => {
  test("stdout is the card and nothing else; stderr has the progress, the record and what to try next", async () => {
    const { code, out, err } = await parley(folder, env, ["debate", "case.yml", "--id", "first"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^DECISION first .*decided/);
    expect(out).toContain("Answer: right");
    expect(out).not.toContain("parley show");
    expect(err).toMatch(/^\d\d:\d\d:\d\d first protocol=debate seats=3/m);
    expect(err).toMatch(/record {2}.*parley\.db {2}run first/);
    expect(err).toContain("next    parley show first --full · parley export first · parley verify first");
    expect(err).toContain("best    the case says right, and the panel decided for it");
  });

  test("--quiet and AI_AGENT leave the answer alone", async () => {
    expect((await parley(folder, env, ["debate", "case.yml", "-q"])).err).toBe("");
    const agent = await parley(folder, env, ["debate", "case.yml"], { env: { AI_AGENT: "1" } });
    expect(agent.err).toBe("");
    expect(agent.out).toMatch(/^DECISION/);
  });

  test("--json is one object with the decision, the votes before and after, and flips that cite evidence", async () => {
    const { code, out } = await parley(folder, env, ["debate", "case.yml", "--json"]);
    expect(code).toBe(0);
    const view = JSON.parse(out);
    expect(view).toMatchObject({ ok: true, status: "decided", decision: { answer: "right" } });
    expect(view.votes.before.leading).toBe("left");
    expect(view.flips.length).toBe(3);
    for (const flip of view.flips) expect(flip.refs.length).toBeGreaterThan(0);
  });

  test("--jsonl is the stored lines, byte for byte, with one end", async () => {
    const { out } = await parley(folder, env, ["debate", "case.yml", "--jsonl", "--id", "lines"]);
    const events = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
    expect(events.filter((event) => event.type === "run-end").length).toBe(1);
    expect(events.some((event) => event.type === "turn-delta")).toBe(false);
    expect((await parley(folder, env, ["show", "lines", "--jsonl"])).out).toBe(out);
  });

  test("--format md has the decision under its headings", async () => {
    const { out } = await parley(folder, env, ["show", "first", "--format", "md"]);
    expect(out).toMatch(/^---\n/);
    expect(out).toMatch(/^# Left or right/m);
  });

  test("--full adds every turn in the seats' words", async () => {
    const card = (await parley(folder, env, ["show", "first"])).out;
    const full = (await parley(folder, env, ["show", "first", "--full"])).out;
    expect(full.startsWith(card)).toBe(true);
    expect(full.match(/✓ R1 [abc]: .?right/g)?.length).toBe(3);
  });

  test("--dry-run says the calls it would make and leaves no run", async () => {
    const before = (await parley(folder, env, ["list", "--json"])).out;
    const { code, out } = await parley(folder, env, ["debate", "case.yml", "--dry-run", "--rounds", "2"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^calls +at most 13: 9 by seats, 3 by the judge, 1 by the synthesizer$/m);
    const json = JSON.parse((await parley(folder, env, ["debate", "case.yml", "--dry-run", "--json"])).out);
    expect(json).toMatchObject({
      ok: true,
      dryRun: true,
      calls: { total: 21 },
      seats: [{ id: "a" }, { id: "b" }, { id: "c" }],
    });
    expect((await parley(folder, env, ["list", "--json"])).out).toBe(before);
  });
});

describe("-o", () => {
  test("writes what a pipe would get, whole, and leaves no other file", async () => {
    const before = readdirSync(folder);
    const { code, out } = await parley(folder, env, ["show", "first", "--format", "md", "-o", "first.md"]);
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(readFileSync(join(folder, "first.md"), "utf8")).toBe(
      (await parley(folder, env, ["show", "first", "--format", "md"])).out,
    );
    expect(readdirSync(folder).sort()).toEqual([...before, "first.md"].sort());
  });

  test("replaces a file only with --force, and never writes through a link", async () => {
    writeFileSync(join(folder, "kept.md"), "kept");
    symlinkSync(join(folder, "kept.md"), join(folder, "link.md"));
    for (const [file, flags] of [
      ["kept.md", []],
      ["link.md", []],
      ["link.md", ["--force"]],
    ] as const) {
      expect((await parley(folder, env, ["show", "first", "-o", file, ...flags])).code).toBe(2);
    }
    expect(readFileSync(join(folder, "kept.md"), "utf8")).toBe("kept");
    expect((await parley(folder, env, ["show", "first", "-o", "kept.md", "--force"])).code).toBe(0);
    expect(readFileSync(join(folder, "kept.md"), "utf8")).toMatch(/^DECISION first/);
  });
});

describe("escape bytes", () => {
  const settings: [string, Record<string, string>, string[]][] = [
    ["a pipe", {}, []],
    ["NO_COLOR", { NO_COLOR: "1" }, []],
    ["CI", { CI: "1" }, []],
    ["TERM=dumb", { TERM: "dumb" }, []],
    ["ACCESSIBLE", { ACCESSIBLE: "1" }, []],
    ["NO_COLOR against FORCE_COLOR", { NO_COLOR: "1", FORCE_COLOR: "1" }, []],
    ["--no-color against FORCE_COLOR", { FORCE_COLOR: "1" }, ["--no-color"]],
  ];

  test.each(settings)("none in redirected output with %s", async (_name, extra, flags) => {
    const { ended } = start(folder, { ...env, TERM: "xterm-256color", ...extra }, ["debate", "case.yml", ...flags]);
    const { code, out, err } = await ended;
    expect(code).toBe(0);
    expect(out).toMatch(/^DECISION/);
    expect(`${out}${err}`).not.toContain("\u001b");
  });

  test("a terminal gets colour, and none with NO_COLOR or TERM=dumb", async () => {
    const terminal = (extra: Record<string, string>) =>
      parley(folder, { ...env, ...extra }, ["show", "first"], { tty: true });
    expect((await terminal({ TERM: "xterm" })).out).toContain("\u001b[1m");
    expect((await terminal({ TERM: "xterm", NO_COLOR: "1" })).out).not.toContain("\u001b");
    expect((await terminal({ TERM: "dumb" })).out).not.toContain("\u001b");
    expect((await parley(folder, { ...env, FORCE_COLOR: "1" }, ["show", "first"])).out).toContain("\u001b[1m");
  });

  test("a reader that goes away is no failure", async () => {
    const { child, ended } = start(folder, env, ["show", "first", "--jsonl"]);
    child.stdout.destroy();
    const { err, signal } = await ended;
    expect({ err, signal }).toEqual({ err: "", signal: null });
  });
});

test("the status block is drawn in place, stays within the window, and each finished turn is left above it once", async () => {
  write(folder, caseFiles(350));
  const rows = 12;
  const { err } = await parley(folder, { ...env, TERM: "xterm" }, ["debate", "slow.yml", "--rounds", "1"], {
    tty: true,
    rows,
  });
  expect(err).toContain("\u001b[?25l");
  const heights = [...err.matchAll(/\u001b\[(\d+)A/g)].map((match) => Number(match[1]));
  expect(heights.length).toBeGreaterThan(0);
  expect(Math.max(...heights)).toBeLessThan(rows);
  for (const seat of ["a", "b"]) expect(err.split(`✓ R0 ${seat}:`).length - 1).toBe(1);
  // Whatever was drawn is taken away again: what is left ends with lines that last.
  expect(err.lastIndexOf("\u001b[0J")).toBeLessThan(err.indexOf("record  "));
});

test("the entry point is the file that bin/parley.js starts", () => {
  expect(readFileSync(join(import.meta.dirname, "../../bin/parley.js"), "utf8")).toContain("src/surfaces/cli/main.ts");
  expect(entry.endsWith("src/surfaces/cli/main.ts")).toBe(true);
});
