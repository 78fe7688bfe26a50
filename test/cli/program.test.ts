/** The program itself: what it loads, where its flags come from, what its exit codes mean, and the commands that set it up. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exitCodes } from "../../src/errors.ts";
import { protocols } from "../../src/protocols/index.ts";
import type { Outcome } from "../../src/run.ts";
import { protocolEntries } from "../../src/surfaces/cli/catalog.ts";
import { exitOf } from "../../src/surfaces/cli/exit.ts";
import { emptyView, type View } from "../../src/transcript.ts";
import { entry, parley, place } from "./harness.ts";

const { folder, env, remove } = place();
afterAll(remove);

describe("help", () => {
  test("loads the parser and light files only: no adapter, no schema, no YAML", () => {
    const hook = `import { registerHooks } from "node:module";
      registerHooks({ load(url, context, next) { process.stderr.write(url + "\\n"); return next(url, context); } });`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, entry, "--help"],
      { env, encoding: "utf8" },
    );
    expect({ status, help: stdout.startsWith("Usage: parley") }).toEqual({ status: 0, help: true });
    const loaded = stderr
      .trim()
      .split("\n")
      .filter((url) => !url.startsWith("node:"));
    expect(loaded.length).toBeGreaterThan(5);
    expect(loaded.filter((url) => /adapters|protocols|config|\/run\.ts|node_modules\/(?!commander)/.test(url))).toEqual(
      [],
    );
  });

  test("nothing at all prints the help and exits 0; an exit code is explained", async () => {
    expect(await parley(folder, env, [])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: parley/),
      err: "",
    });
    expect((await parley(folder, env, ["--help"])).code).toBe(0);
    expect((await parley(folder, env, ["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    const codes = (await parley(folder, env, ["help", "exit-codes"])).out;
    for (const code of Object.keys(exitCodes)) expect(codes).toMatch(new RegExp(`^ *${code}  `, "m"));
    expect((await parley(folder, env, ["help", "verify"])).out).toMatch(/^Usage: parley verify/);
  });

  test("the catalog names exactly the protocols there are", () => {
    expect(protocolEntries.map((entry) => entry.name).sort()).toEqual(Object.keys(protocols).sort());
  });

  test("a protocol's flags are its options, with choices and defaults", async () => {
    const { out } = await parley(folder, env, ["debate", "--help"]);
    const flags = Object.keys(protocols.debate?.options.shape ?? {}).map((name) =>
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    );
    for (const flag of flags) expect(out).toMatch(new RegExp(`--(no-)?${flag}\\b`));
    expect(out.replace(/\s+/g, " ")).toContain('(choices: "judge", "verdict", "both")');
    expect(out).toContain("(default: 0.85)");
    expect(out).toContain("--json");
  });
});

describe("exit statuses", () => {
  const outcome = (rest: Outcome["rest"], changes: Partial<View>): Outcome => ({
    rest,
    view: { ...emptyView(), ...changes },
  });
  const calm = { strict: false, signal: null };
  const miss = { seat: "a", round: 0, act: "answer", kind: "auth", cause: "401" };
  const dissent = { seat: "b", kind: "final" as const, answer: "no", round: 1, words: "no", refs: [], reason: null };

  test.each([
    ["decided", outcome("ended", { status: "decided", stopReason: "converged" }), calm, 0],
    ["undecided", outcome("ended", { status: "undecided", stopReason: "stalled" }), calm, 3],
    ["a budget", outcome("ended", { status: "decided", stopReason: "budget_tokens" }), calm, 7],
    ["cancelled", outcome("ended", { status: "cancelled", stopReason: "cancelled_by_user" }), calm, 3],
    ["failed", outcome("ended", { status: "failed", stopReason: "internal_error" }), calm, 1],
    [
      "failed with a code",
      outcome("ended", { status: "failed", error: { code: "record-broken", message: "" } }),
      calm,
      8,
    ],
    ["paused by Ctrl-C", outcome("paused", { status: "running" }), { strict: false, signal: "SIGINT" as const }, 130],
    ["paused by SIGTERM", outcome("paused", { status: "running" }), { strict: false, signal: "SIGTERM" as const }, 143],
    ["waiting for a person", outcome("waiting", { status: "waiting", waiting: "person" }), calm, 5],
    ["waiting for a budget", outcome("waiting", { status: "waiting", waiting: "budget" }), calm, 7],
    [
      "refused credentials",
      outcome("ended", { status: "undecided", stopReason: "quorum_lost", degraded: [miss] }),
      calm,
      4,
    ],
    ["strict and whole", outcome("ended", { status: "decided" }), { strict: true, signal: null }, 0],
    [
      "strict and degraded",
      outcome("ended", { status: "decided", degraded: [miss], ballots: [{} as never] }),
      { strict: true, signal: null },
      3,
    ],
    [
      "strict and dissent",
      outcome("ended", { status: "decided", dissent: [dissent] }),
      { strict: true, signal: null },
      3,
    ],
  ])("%s", (_name, rested, circumstances, code) => {
    expect(exitOf(rested, circumstances)).toBe(code);
  });
});

describe("set-up", () => {
  test("doctor checks everything, runs a debate, and writes nothing", async () => {
    const { code, out } = await parley(folder, env, ["doctor", "--json"]);
    const { ok, checks } = JSON.parse(out);
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(checks.map((check: { name: string }) => check.name)).toEqual([
      "node",
      "state folder",
      "store",
      "config",
      "trust",
      "occupants",
      "self-test",
    ]);
    expect(existsSync(env.PARLEY_STATE ?? "")).toBe(false);
    const blocked = await parley(folder, { ...env, PARLEY_STATE: join(entry, "state") }, ["doctor"]);
    expect(blocked.code).toBe(1);
    expect(blocked.out).toMatch(/^FAIL {2}state folder .*\n.*PARLEY_STATE/m);
  });

  test("init writes a case that runs, and never over a file that is there", async () => {
    const ours = place();
    const { PARLEY_STATE: _, ...plain } = ours.env;
    expect((await parley(ours.folder, plain, ["init", "--no-input"])).code).toBe(0);
    const ran = await parley(ours.folder, plain, ["debate", "case.yml", "--json", "-q"]);
    expect(ran.code).toBe(0);
    const view = JSON.parse(ran.out);
    expect(view).toMatchObject({
      decision: { answer: "object storage", plainVote: { answer: "local disk", same: false } },
    });
    expect(view.place).toBe(join(ours.folder, ".parley", "parley.db"));
    const text = readFileSync(join(ours.folder, "case.yml"), "utf8");
    const again = await parley(ours.folder, plain, ["init", "--yes"]);
    expect(again.code).toBe(2);
    expect(again.err).toContain("Nothing was written");
    expect(readFileSync(join(ours.folder, "case.yml"), "utf8")).toBe(text);
    const origins = (await parley(ours.folder, plain, ["config", "--origin"])).out;
    expect(origins).toMatch(/^budgets\.maxTime .*parley\.yml:\d+$/m);
    ours.remove();
  });

  test("completion gives scripts for four shells, and completes commands, flags and choices", () => {
    const run = (...argv: string[]) =>
      execFileSync(process.execPath, [entry, ...argv], { cwd: folder, env, encoding: "utf8" });
    for (const shell of ["bash", "zsh", "fish", "powershell"]) expect(run("completion", shell)).toContain("parley");
    expect(run("complete", "--", "ver")).toMatch(/^verify\t/m);
    expect(run("complete", "--", "debate", "--thr")).toMatch(/^--threshold\t/m);
    expect(run("complete", "--", "debate", "--in-doubt", "")).toMatch(/^retry/m);
  });
});

describe("the launcher", () => {
  const launcher = join(import.meta.dirname, "../../bin/parley.js");

  test("starts the program and passes its exit status on", () => {
    expect(spawnSync(process.execPath, [launcher, "help", "exit-codes"], { env, encoding: "utf8" })).toMatchObject({
      status: 0,
    });
    expect(spawnSync(process.execPath, [launcher, "nothing"], { env, encoding: "utf8" }).status).toBe(2);
  });
});
