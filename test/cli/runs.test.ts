/** Runs from the terminal: named, interrupted, resumed, watched, cancelled and left alone, in real processes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caseFiles, parley, place, start, until, write } from "./harness.ts";

const { folder, env, remove } = place();

beforeAll(() => write(folder, caseFiles(400)));
afterAll(remove);

const show = async (run: string) => JSON.parse((await parley(folder, env, ["show", run, "--json"])).out);

describe("names", () => {
  beforeAll(async () => {
    for (const id of ["red-one", "red-two", "blue"]) {
      expect((await parley(folder, env, ["debate", "case.yml", "--id", id, "-q"])).code).toBe(0);
    }
  });

  test("a run is named by its id, a unique beginning of it, or latest", async () => {
    for (const [name, run] of [
      ["red-one", "red-one"],
      ["red-t", "red-two"],
      ["b", "blue"],
      ["latest", "blue"],
    ] as const) {
      expect((await show(name)).run).toBe(run);
    }
  });

  test("a beginning that several have lists them, and a near miss names the nearest", async () => {
    const several = await parley(folder, env, ["show", "red", "--json"]);
    expect(several.code).toBe(2);
    expect(JSON.parse(several.out).error).toMatchObject({
      code: "unknown-run",
      message: expect.stringMatching(/red-(one|two), red-(one|two)/),
    });
    const near = await parley(folder, env, ["show", "bleu", "--json"]);
    expect(JSON.parse(near.out).error).toMatchObject({ code: "unknown-run", hint: expect.stringContaining("blue") });
  });

  test("list shows them newest first, as a table and as JSON", async () => {
    const table = (await parley(folder, env, ["list"])).out.split("\n");
    expect(table[0]).toMatch(/^RUN +STATUS/);
    expect(table[1]).toMatch(/^blue +decided \(converged\)/);
    const { ok, runs } = JSON.parse((await parley(folder, env, ["list", "--limit", "2", "--json"])).out);
    expect(ok).toBe(true);
    expect(runs.map((row: { id: string }) => row.id)).toEqual(["blue", "red-two"]);
  });

  test("an ended run is given back as it is when it is resumed, and is not cancelled", async () => {
    const again = await parley(folder, env, ["resume", "blue", "--json", "-q"]);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.out).decision.answer).toBe("right");
    const over = await parley(folder, env, ["cancel", "blue", "--json"]);
    expect(over.code).toBe(2);
    expect(JSON.parse(over.out).error.code).toBe("run-over");
  });
});

describe("interrupts", () => {
  test("Ctrl-C stops after the calls under way, prints how to go on, and nothing asked is asked again", async () => {
    const { ran, ended, interrupt } = start(folder, env, ["debate", "slow.yml", "--id", "stopped"]);
    await until(() => ran.err.includes("round=0"), "the first round");
    interrupt("SIGINT");
    const { code, out, err } = await ended;
    expect(code).toBe(130);
    expect(out).toBe("");
    expect(err).toContain("stopping after the calls under way; again to stop now");
    expect(err).toContain("parley resume stopped");
    expect((await parley(folder, env, ["list"])).out).toMatch(/^stopped +interrupted/m);

    const before = (await show("stopped")).turns.filter((turn: { outcome: string }) => turn.outcome === "ok");
    expect(before.length).toBe(2);
    const resumed = await parley(folder, env, ["resume", "stopped", "--json", "-q"]);
    const view = JSON.parse(resumed.out);
    expect(view.status).toBe("decided");
    expect(view.inDoubt).toEqual([]);
    expect(view.turns.map((turn: { attempts: number }) => turn.attempts)).toEqual(view.turns.map(() => 1));
    expect((await parley(folder, env, ["verify", "stopped"])).code).toBe(0);
  });

  test("a second Ctrl-C stops now, and the call cut off is in doubt when the run is resumed", async () => {
    const { ran, ended, interrupt } = start(folder, env, ["debate", "slow.yml", "--id", "cut"]);
    await until(() => ran.err.includes("round=0"), "the first round");
    interrupt("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 150));
    interrupt("SIGINT");
    expect(await ended).toMatchObject({
      code: 130,
      err: expect.stringContaining("stopped now. Go on later: parley resume cut"),
    });
    const asked = await parley(folder, env, ["resume", "cut", "--in-doubt", "ask", "-q"]);
    expect(asked.code).toBe(5);
    const view = JSON.parse((await parley(folder, env, ["resume", "cut", "--in-doubt", "retry", "--json", "-q"])).out);
    expect(view.status).toBe("decided");
    expect(view.inDoubt.length).toBeGreaterThan(0);
  });

  test("SIGTERM does the same and exits 143; with --json there is still one object", async () => {
    const { ran, ended, interrupt } = start(folder, env, ["debate", "slow.yml", "--id", "termed", "--json"]);
    await until(() => ran.err.includes("round=0"), "the first round");
    interrupt("SIGTERM");
    const { code, out } = await ended;
    expect(code).toBe(143);
    expect(JSON.parse(out)).toMatchObject({ run: "termed", status: "running", decision: null });
  });

  test("one keystroke that arrives twice counts once", async () => {
    const { ran, ended, interrupt } = start(folder, env, ["debate", "slow.yml", "--id", "doubled"]);
    await until(() => ran.err.includes("round=0"), "the first round");
    interrupt("SIGINT");
    interrupt("SIGINT");
    expect((await ended).err).not.toContain("stopped now");
  });
});

describe("other processes", () => {
  test("a run that is driven is not driven by a second process, which says who owns it", async () => {
    const first = start(folder, env, ["debate", "slow.yml", "--id", "owned"]);
    await until(() => first.ran.err.includes("round=0"), "the first round");
    const second = await parley(folder, env, ["resume", "owned", "--json", "-q"]);
    expect(second.code).toBe(2);
    expect(JSON.parse(second.out).error).toMatchObject({
      code: "run-owned",
      message: expect.stringContaining(String(first.child.pid)),
    });
    expect((await first.ended).code).toBe(0);
  });

  test("watch follows a run to its end and gives its answer and its exit status", async () => {
    const first = start(folder, env, ["debate", "slow.yml", "--id", "seen", "-q"]);
    await until(() => readable("seen"), "the run");
    const watched = start(folder, env, ["watch", "seen", "--jsonl"]);
    const { code, out, err } = await watched.ended;
    expect(code).toBe(0);
    expect(err).toContain("status=decided");
    expect((await first.ended).code).toBe(0);
    expect(out).toBe((await parley(folder, env, ["show", "seen", "--jsonl"])).out);
  });

  test("cancel ends a run that another process drives, and keeps what was gathered", async () => {
    const first = start(folder, env, ["debate", "slow.yml", "--id", "ended-early"]);
    await until(() => first.ran.err.includes("round=0"), "the first round");
    const cancelled = await parley(folder, env, ["cancel", "ended-early", "--json", "-q"]);
    expect(cancelled.code).toBe(0);
    expect(JSON.parse(cancelled.out)).toMatchObject({ ok: true, status: "cancelled", stopReason: "cancelled_by_user" });
    expect((await first.ended).code).toBe(3);
    expect((await parley(folder, env, ["verify", "ended-early"])).code).toBe(0);
  });

  test("cancel ends a run whose process was killed", async () => {
    const first = start(folder, env, ["debate", "slow.yml", "--id", "orphan"]);
    await until(() => first.ran.err.includes("round=0"), "the first round");
    first.child.kill("SIGKILL");
    await first.ended;
    expect((await parley(folder, env, ["cancel", "orphan", "-q"])).code).toBe(0);
    expect(await show("orphan")).toMatchObject({ status: "cancelled" });
  });

  test("--detach prints the id and leaves the run going by itself", async () => {
    const { code, out } = await parley(folder, env, ["debate", "slow.yml", "--detach", "--json", "-q"]);
    expect(code).toBe(0);
    const { run, log } = JSON.parse(out);
    const watched = await start(folder, env, ["watch", run, "--json"]).ended;
    expect(watched.code).toBe(0);
    expect(JSON.parse(watched.out)).toMatchObject({ run, status: "decided" });
    expect(readFileSync(log, "utf8")).toContain(run);
  });

  const readable = (run: string): boolean => {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const database = new DatabaseSync(join(env.PARLEY_STATE ?? "", "parley.db"), { readOnly: true });
    const found = database.prepare("SELECT 1 FROM run WHERE id = ?").get(run);
    database.close();
    return found !== undefined;
  };
});

describe("how a run ends", () => {
  test("a budget that is reached exits 7, keeps what was gathered, and with --on-budget resume can be raised", async () => {
    const harvested = await parley(folder, env, ["debate", "case.yml", "--max-turns", "5", "--json", "-q"]);
    expect(harvested.code).toBe(7);
    expect(JSON.parse(harvested.out)).toMatchObject({ stopReason: "budget_turns" });
    const waiting = await parley(folder, env, [
      "debate",
      "case.yml",
      "--id",
      "poor",
      "--max-turns",
      "5",
      "--on-budget",
      "resume",
    ]);
    expect(waiting.code).toBe(7);
    expect(waiting.err).toContain("parley resume poor  (with a higher budget");
    const richer = await parley(folder, env, ["resume", "poor", "--max-turns", "50", "--json", "-q"]);
    expect(richer.code).toBe(0);
    expect(JSON.parse(richer.out).decision.answer).toBe("right");
  });

  test("--strict exits 3 over a decision with a seat that failed, and says why", async () => {
    write(folder, { "broken.jsonl": `${JSON.stringify({ fail: { kind: "auth", message: "401 no such key" } })}\n` });
    const argv = ["debate", "slow.yml", "--seat", "z=script:broken.jsonl", "--quorum", "2"];
    const lenient = await parley(folder, env, [...argv, "-q"]);
    expect(lenient.code).toBe(0);
    expect(lenient.out.split("\n")[0]).toMatch(/degraded: seat z .*auth.*401/);
    const strict = await parley(folder, env, [...argv, "--strict", "-q"]);
    expect(strict.code).toBe(3);
    expect(strict.err).toContain("strict: z missed round 0 (auth)");
  });

  test("when every seat is refused for its credentials it exits 4", async () => {
    const seats = ["--seat", "a=script:broken.jsonl", "--seat", "b=script:broken.jsonl"];
    const ran = await parley(folder, env, ["debate", "slow.yml", ...seats, "--json", "-q"]);
    expect(ran.code).toBe(4);
    expect(JSON.parse(ran.out).degraded[0]).toMatchObject({ kind: "auth", cause: expect.stringContaining("401") });
  });

  test("a run whose seats never agree exits 3 without a decision", async () => {
    const { position } = await import("./harness.ts");
    write(folder, { "right.jsonl": `${JSON.stringify({ reply: position("right") })}\n` });
    const ran = await parley(folder, env, ["debate", "slow.yml", "--seat", "b=script:right.jsonl", "--json", "-q"]);
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.out)).toMatchObject({ ok: true, status: "undecided", decision: { answer: null } });
  });

  test("evidence whose file changed is refused on resume with both hashes, and --evidence recorded goes on", async () => {
    writeFileSync(join(folder, "fact.md"), "The fact as it was.");
    const argv = [
      "debate",
      "case.yml",
      "--id",
      "facts",
      "--evidence",
      "fact.md",
      "--max-turns",
      "3",
      "--on-budget",
      "resume",
      "-q",
    ];
    expect((await parley(folder, env, argv)).code).toBe(7);
    writeFileSync(join(folder, "fact.md"), "The fact as it is now.");
    const refused = await parley(folder, env, ["resume", "facts", "--max-turns", "50", "--json", "-q"]);
    expect(refused.code).toBe(2);
    const { error } = JSON.parse(refused.out);
    expect(error).toMatchObject({ code: "evidence-changed", hint: expect.stringContaining("--evidence recorded") });
    expect(error.message.match(/[0-9a-f]{64}/g)?.length).toBe(2);
    const recorded = await parley(folder, env, [
      "resume",
      "facts",
      "--max-turns",
      "50",
      "--evidence",
      "recorded",
      "-q",
    ]);
    expect(recorded.code).toBe(0);
  });

  test("a store that cannot be written is told with a report", async () => {
    const blocked = { ...env, PARLEY_STATE: join(folder, "case.yml", "state") };
    const ran = await parley(folder, blocked, ["debate", "case.yml", "--json"]);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.out).error).toMatchObject({
      code: "store-failed",
      hint: expect.stringMatching(/PARLEY_STATE.*e_[0-9a-f]{10}/s),
    });
  });
});
