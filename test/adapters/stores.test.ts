/**
 * The stores keep what they acknowledge, and say in a sentence what is wrong with the disk.
 *
 * Every store runs the public cases. What only a file can do wrong (locks, a full disk, damage) is tested here; what other
 * processes do to it is tested in store-ownership.test.ts.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkSqlite } from "../../src/adapters/stores/database.ts";
import { memoryStore } from "../../src/adapters/stores/memory.ts";
import { pragma, schemaVersion } from "../../src/adapters/stores/schema.ts";
import { type SqliteSettings, sqliteStore } from "../../src/adapters/stores/sqlite.ts";
import { systemWorld } from "../../src/adapters/world.ts";
import type { Line } from "../../src/chain.ts";
import type { Store } from "../../src/ports.ts";
import { storeCases } from "../../src/testing/conformance/store.ts";

const owner = systemWorld().owner;
const about = (id: string) => ({ id, protocol: "debate", question: "Which?", at: 1000 });
const line = (seq: number, size = 10): Line => ({ seq, hash: `hash ${seq}`, text: "x".repeat(size) });

let folder: string;
let path: string;
let opened: Store[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-store-"));
  path = join(folder, "state", "runs.db");
  opened = [];
});

afterEach(async () => {
  for (const store of opened) await store.close();
  rmSync(folder, { recursive: true });
});

function open(settings: SqliteSettings = {}): Store {
  const store = sqliteStore(path, settings);
  opened.push(store);
  return store;
}

describe("the memory store", () => {
  for (const { title, run } of storeCases(async () => {
    const store = memoryStore();
    return { store, close: () => store.close() };
  })) {
    test(title, run);
  }

  test("An owner the simulator crashed can be replaced.", async () => {
    const crashed = new Set<number>();
    const store = memoryStore({ gone: ({ pid }) => crashed.has(pid), now: () => 5 });
    const first = { host: "simulated", pid: 1, started: "a" };
    await store.create(about("r1"), first, [line(0)]);
    await expect(store.claim("r1", { ...first, pid: 2 })).rejects.toMatchObject({ code: "run-owned" });
    crashed.add(1);
    expect((await store.claim("r1", { ...first, pid: 2 })).epoch).toBe(2);
  });
});

describe("the SQLite store", () => {
  for (const { title, run } of storeCases(async () => {
    const store = open();
    return { store, reopen: async () => open(), close: () => store.close() };
  })) {
    test(title, run);
  }
});

describe("a store's file", () => {
  test("It is kept in WAL with full sync, foreign keys and a busy timeout.", async () => {
    let seen: Record<string, unknown> = {};
    const names = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout", "user_version", "fullfsync"];
    const store = open({
      onOpen: (database) => (seen = Object.fromEntries(names.map((name) => [name, pragma(database, name)]))),
    });
    await store.list();
    expect(seen).toEqual({
      journal_mode: "wal",
      synchronous: 2,
      foreign_keys: 1,
      busy_timeout: 5000,
      user_version: schemaVersion,
      fullfsync: 1,
    });
  });

  test("It belongs to its user alone.", async () => {
    const store = open();
    await store.create(about("r1"), owner, [line(0)]);
    const mode = (file: string) => statSync(file).mode & 0o777;
    expect([join(folder, "state"), path, `${path}-wal`].map(mode)).toEqual([0o700, 0o600, 0o600]);
  });

  test("A SQLite that could damage it is refused.", () => {
    for (const good of ["3.51.3", "3.51.10", "3.53.0", "4.0.0"]) expect(() => checkSqlite(good)).not.toThrow();
    for (const old of ["3.51.2", "3.50.9", "2.99.99", "3.51"]) {
      expect(() => checkSqlite(old)).toThrow(`This Node.js brings SQLite ${old}; Parley needs 3.51.3 or later.`);
    }
  });

  test("One that a newer version wrote is refused and left alone.", async () => {
    const store = open();
    await store.list();
    await store.close();
    const newer = new DatabaseSync(path);
    newer.exec("PRAGMA user_version = 99; PRAGMA journal_mode = DELETE");
    newer.close();
    const before = readFileSync(path);
    await expect(open().list()).rejects.toMatchObject({
      code: "store-version",
      message: expect.stringContaining("version 99"),
    });
    await expect(open().create(about("r1"), owner, [])).rejects.toMatchObject({ code: "store-version" });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("Another program's database is refused and left alone.", async () => {
    path = join(folder, "other.db");
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE run (id TEXT)");
    other.close();
    const before = readFileSync(path);
    await expect(open().list()).rejects.toMatchObject({
      code: "store-failed",
      message: expect.stringContaining("another program"),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("A damaged one is named as damaged.", async () => {
    path = join(folder, "text.db");
    writeFileSync(path, "This is not a database.\n".repeat(100));
    await expect(open().list()).rejects.toMatchObject({
      code: "store-failed",
      message: `The store ${path} is damaged, or is not a SQLite database.`,
      retryable: false,
    });
  });

  test("Damage inside it is found when it is read, and says where.", async () => {
    const store = open();
    await store.create(
      about("r1"),
      owner,
      Array.from({ length: 40 }, (_, seq) => line(seq, 4000)),
    );
    await store.close();
    const bytes = readFileSync(path);
    // The header page stays whole, so that the file opens and only its content is wrong.
    writeFileSync(path, bytes.fill(0xa5, 8192));
    await expect(open().read("r1")).rejects.toMatchObject({
      code: "store-failed",
      message: expect.stringContaining("damaged"),
    });
  });

  test("A path that cannot be a file is named.", async () => {
    writeFileSync(join(folder, "state"), "");
    await expect(open().list()).rejects.toMatchObject({
      code: "store-failed",
      message: `The store ${path} cannot be opened.`,
    });
    path = folder;
    await expect(open().list()).rejects.toMatchObject({
      code: "store-failed",
      message: `The store ${folder} cannot be opened.`,
    });
  });

  test("A closed store says so.", async () => {
    const store = open();
    const waiting = store.create(about("r1"), owner, [line(0)]);
    await store.close();
    await expect(waiting).resolves.toMatchObject({ epoch: 1 });
    await expect(store.append(await waiting, [line(1)])).rejects.toMatchObject({
      message: `The store ${path} is closed.`,
    });
    await expect(store.read("r1")).rejects.toMatchObject({ message: `The store ${path} is closed.` });
  });
});

describe("group commit", () => {
  test("Everything written in one turn shares one commit.", async () => {
    const commits: number[] = [];
    const store = open({ onCommit: (writes) => commits.push(writes) });
    const leases = await Promise.all(
      Array.from({ length: 50 }, (_, index) => store.create(about(`r${index}`), owner, [line(0)])),
    );
    await Promise.all(leases.map((lease) => store.append(lease, [line(1), line(2)])));
    expect(commits).toEqual([50, 50]);
    // SQLite itself agrees: each commit marks exactly one frame of the write-ahead log as its end.
    const before = commitFrames(readFileSync(`${path}-wal`));
    await Promise.all(leases.map((lease) => store.append(lease, [line(3)])));
    expect(commitFrames(readFileSync(`${path}-wal`)) - before).toBe(1);
  });

  test("A transaction that fails fails everyone in it, keeps nothing, and can be tried again.", async () => {
    let database: DatabaseSync | null = null;
    const store = open({ onOpen: (connection) => (database = connection) });
    const [one, other] = await Promise.all([
      store.create(about("r1"), owner, [line(0)]),
      store.create(about("r2"), owner, [line(0)]),
    ]);
    const limit = (pages: number) => database?.exec(`PRAGMA max_page_count = ${pages}`);
    limit(Number(pragma(database as unknown as DatabaseSync, "page_count")) + 4);
    const write = () => [
      store.append(one, [line(1)]),
      store.append(other, [line(1, 500_000), line(2)], { status: "decided", stopReason: "converged" }),
    ];
    for (const settled of await Promise.allSettled(write())) {
      expect(settled).toMatchObject({
        status: "rejected",
        reason: {
          code: "store-failed",
          retryable: true,
          message: expect.stringMatching(/the disk is full \(\d+ bytes are free there\)/),
        },
      });
    }
    expect(await store.read("r1")).toHaveLength(1);
    expect(await store.find("r2")).toMatchObject({ events: 1, status: "running" });
    limit(1_000_000);
    await Promise.all(write());
    expect(await store.read("r1")).toHaveLength(2);
    expect(await store.find("r2")).toMatchObject({ events: 3, status: "decided" });
  });

  test("A statement that fails half-way leaves no transaction open and nothing behind.", async () => {
    const trap = `CREATE TEMP TRIGGER trap BEFORE INSERT ON event WHEN NEW.text = 'trap' BEGIN SELECT RAISE(ABORT, 'sprung'); END`;
    const store = open({ onOpen: (database) => database.exec(trap) });
    const lease = await store.create(about("r1"), owner, [line(0)]);
    const settled = await Promise.allSettled([
      store.append(lease, [line(1)]),
      store.create(about("r2"), owner, [line(0), { ...line(1), text: "trap" }]),
    ]);
    expect(settled.map((one) => one.status)).toEqual(["rejected", "rejected"]);
    expect(settled[1]).toMatchObject({ reason: { message: `The store ${path} failed: sprung.`, retryable: false } });
    expect(await store.read("r1")).toHaveLength(1);
    expect(await store.find("r2")).toBeNull();
    await store.append(lease, [line(1)]);
    expect(await open().read("r1")).toHaveLength(2);
  });

  test("A full disk while the store is made is an error that can be tried again.", async () => {
    let full = true;
    const store = open({
      onOpen: () => {
        if (full) throw Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
      },
    });
    await expect(store.create(about("r1"), owner, [line(0)])).rejects.toMatchObject({
      code: "store-failed",
      retryable: true,
    });
    full = false;
    await expect(store.create(about("r1"), owner, [line(0)])).resolves.toMatchObject({ epoch: 1 });
  });

  test("A lock held by another connection is named, and the write succeeds once it is gone.", async () => {
    const store = open({ onOpen: (database) => database.exec("PRAGMA busy_timeout = 20") });
    const lease = await store.create(about("r1"), owner, [line(0)]);
    const blocker = new DatabaseSync(path);
    blocker.exec("BEGIN EXCLUSIVE");
    await expect(store.append(lease, [line(1)])).rejects.toMatchObject({
      code: "store-failed",
      retryable: true,
      message: expect.stringContaining("is locked"),
    });
    expect(await store.read("r1")).toHaveLength(1);
    blocker.exec("ROLLBACK");
    blocker.close();
    await store.append(lease, [line(1)]);
    expect(await store.read("r1")).toHaveLength(2);
  });
});

/** How many frames of a write-ahead log end a commit, counted from its bytes. */
function commitFrames(wal: Buffer): number {
  const frame = 24 + wal.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= wal.length; at += frame) if (wal.readUInt32BE(at + 4) !== 0) commits++;
  return commits;
}
