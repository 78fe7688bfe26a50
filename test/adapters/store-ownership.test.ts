/**
 * A run has one owner at a time, whichever processes want it, and an owner that is gone never keeps it.
 *
 * Real processes are started and killed here: what a store believes about them is the one thing its own process cannot show.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ownerIsGone, thisProcess } from "../../src/adapters/stores/liveness.ts";
import { type SqliteSettings, sqliteStore } from "../../src/adapters/stores/sqlite.ts";
import { systemWorld } from "../../src/adapters/world.ts";
import type { Line } from "../../src/chain.ts";
import type { Store } from "../../src/ports.ts";

const owner = systemWorld().owner;
const about = (id: string) => ({ id, protocol: "debate", question: "Which?", at: 1000 });
const line = (seq: number): Line => ({ seq, hash: `hash ${seq}`, text: `line ${seq}` });

let path: string;
let opened: Store[];
let children: ChildProcess[];

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), "parley-store-")), "runs.db");
  opened = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  for (const store of opened) await store.close();
  rmSync(dirname(path), { recursive: true });
});

function open(settings: SqliteSettings = {}): Store {
  const store = sqliteStore(path, settings);
  opened.push(store);
  return store;
}

describe("ownership", () => {
  test("Two processes cannot both own a run, and after kill -9 the other can at once.", async () => {
    const first = await ask("r1", "create-hold");
    expect(first).toMatchObject({ epoch: 1 });
    const store = open();
    await expect(store.claim("r1", owner)).rejects.toMatchObject({
      code: "run-owned",
      message: expect.stringContaining(`process ${first.pid} on ${owner.host} since `),
    });
    expect((await store.find("r1"))?.owner?.pid).toBe(first.pid);
    const [child] = children;
    child?.kill("SIGKILL");
    await once(child as ChildProcess, "exit");
    expect((await store.find("r1"))?.owner).toBeNull();
    const lease = await store.claim("r1", owner);
    expect(lease.epoch).toBe(2);
    expect(await ask("r1", "claim")).toMatchObject({
      code: "run-owned",
      message: expect.stringContaining(`process ${process.pid} `),
    });
    await store.append(lease, [line(0)]);
  });

  test("What a process was told is stored is there after it is killed, in order and without gaps.", async () => {
    await ask("r1", "create-write");
    const [child] = children as [ChildProcess];
    let said = "";
    child.stdout?.on("data", (part) => {
      said += part;
      if (said.split("\n").length > 40) child.kill("SIGKILL");
    });
    await once(child, "close");
    const acknowledged = Number(said.trimEnd().split("\n").at(-1));
    const store = open();
    const lines = await store.read("r1");
    expect(lines).toEqual(lines.map((_, seq) => line(seq)));
    // The one under way when it died may be stored or not; nobody was told either way.
    expect([acknowledged + 1, acknowledged + 2]).toContain(lines.length);
    expect(await store.find("r1")).toMatchObject({ events: lines.length, head: lines.at(-1)?.hash });
    await store.append(await store.claim("r1", owner), [line(lines.length)]);
  });

  test("Of many processes that claim a run at once, one wins.", async () => {
    const store = open();
    await store.release(await store.create(about("r1"), owner, []));
    const outcomes = await Promise.all([1, 2, 3].map(() => ask("r1", "claim-hold")));
    expect(outcomes.map((outcome) => outcome.epoch ?? outcome.code).sort()).toEqual([2, "run-owned", "run-owned"]);
  });

  test("A paused owner whose lease ran out is fenced off by the next one.", async () => {
    let now = 1_000_000;
    const paused = open({ now: () => now });
    const elsewhere = { host: "elsewhere", pid: 7, started: "x" };
    const lost = await paused.create(about("r1"), elsewhere, [line(0)]);
    const other = open({ now: () => now });
    now += 14_999;
    await expect(other.claim("r1", owner)).rejects.toMatchObject({ code: "run-owned" });
    now += 2;
    const lease = await other.claim("r1", owner);
    await expect(paused.append(lost, [line(1)])).rejects.toMatchObject({
      code: "lease-lost",
      message: expect.stringContaining(`process ${owner.pid} on ${owner.host} took it over (epoch 2, this one had 1)`),
    });
    await other.append(lease, [line(1)]);
    expect(await paused.read("r1")).toHaveLength(2);
  });

  test("A lease is renewed for as long as its owner holds it.", async () => {
    const elsewhere = { host: "elsewhere", pid: 7, started: "x" };
    let renewals = 0;
    const holding = open({ leaseMs: 60, onCommit: () => renewals++ });
    await Promise.all(["r1", "r2"].map((id) => holding.create(about(id), elsewhere, [])));
    const reader = new DatabaseSync(path);
    const leases = reader.prepare("SELECT lease_until FROM run ORDER BY id");
    const before = leases.all().map((row) => Number(row.lease_until));
    while (renewals < 4) await sleep(5);
    const after = leases.all().map((row) => Number(row.lease_until));
    reader.close();
    for (const [index, until] of after.entries())
      expect(until).toBeGreaterThan(before[index] ?? Number.POSITIVE_INFINITY);
  });

  test("A release the disk refused is made good with the next renewal.", async () => {
    let renewed = 0;
    const store = open({
      leaseMs: 60,
      now: () => 1000,
      onCommit: () => renewed++,
      onOpen: (database) => database.exec("PRAGMA busy_timeout = 1"),
    });
    const lease = await store.create(about("r1"), owner, []);
    const blocker = new DatabaseSync(path);
    blocker.exec("BEGIN EXCLUSIVE");
    await expect(store.release(lease)).rejects.toMatchObject({ code: "store-failed", retryable: true });
    blocker.exec("ROLLBACK");
    blocker.close();
    const before = renewed;
    while (renewed === before) await sleep(5);
    expect((await store.find("r1"))?.owner).toBeNull();
    expect((await store.claim("r1", owner)).epoch).toBe(2);
  });

  test("A store that closes lets its runs go.", async () => {
    const store = open();
    await store.create(about("r1"), owner, []);
    await store.close();
    expect((await open().claim("r1", owner)).epoch).toBe(2);
  });

  test("Only a process that is certainly gone counts as gone.", async () => {
    const own = thisProcess();
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    expect(ownerIsGone(own)).toBe(false);
    expect(ownerIsGone({ ...own, started: `${own.started}0` })).toBe(true);
    expect(ownerIsGone({ ...own, pid: child.pid ?? 0 })).toBe(true);
    expect(ownerIsGone({ ...own, pid: process.ppid, started: `${own.started}0` })).toBe(true);
    expect(ownerIsGone({ ...own, host: "elsewhere", pid: child.pid ?? 0 })).toBe(false);
    // The same host name under another boot, or in another container, cannot be judged from here.
    expect(ownerIsGone({ ...own, pid: child.pid ?? 0, started: "00000000-1/5" })).toBe(false);
  });

  test("A file that is read-only can be read, and says why it cannot be written.", async () => {
    await open().create(about("r1"), owner, []);
    for (const store of opened.splice(0)) await store.close();
    chmodSync(dirname(path), 0o777);
    chmodSync(path, 0o444);
    // Modes do not stop the superuser, so the other process gives that up.
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const outcome = await ask("r1", "claim", user);
    expect(outcome).toEqual({
      found: "r1",
      code: "store-failed",
      message: `The store ${path} cannot be written: it or its folder is read-only for this user.`,
      retryable: false,
    });
  });
});

/** What another process says of one deed on the store at `path`. */
async function ask(run: string, deed: string, user: { uid?: number; gid?: number } = {}) {
  const script = fileURLToPath(new URL("store-owner.ts", import.meta.url));
  const child = spawn(process.execPath, [script, path, run, deed], { stdio: ["ignore", "pipe", "inherit"], ...user });
  children.push(child);
  const [said] = await once(child.stdout, "data");
  return JSON.parse(String(said).split("\n")[0] ?? "") as {
    epoch?: number;
    pid?: number;
    code?: string;
    message?: string;
    found?: string;
  };
}
