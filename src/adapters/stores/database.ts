/**
 * Opens the SQLite file of a store so that a commit means what the store promises.
 *
 * `node:sqlite` is loaded here alone, and only when a store is first used, so that a command that needs no store does not pay for it.
 * Settings that durability rests on are read back: SQLite ignores a pragma it cannot honour without a word.
 */
import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "../../errors.ts";
import { makeFolder } from "./folder.ts";
import { checkOrigin, migrate, pragma } from "./schema.ts";

/** Older ones can corrupt a WAL file that two connections write and checkpoint at once. */
const oldestSqlite = "3.51.3";

/** How long a writer waits for another process's commit. */
const busyMs = 5000;

/** Opens the store's file, creating it for its user alone, and brings its tables up to date. */
export function openDatabase(path: string, onOpen?: (database: DatabaseSync) => void): DatabaseSync {
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
  createFile(path);
  const database = new Database(path, { timeout: busyMs, enableForeignKeyConstraints: true });
  try {
    checkSqlite(String(database.prepare("SELECT sqlite_version() AS version").get()?.version));
    checkOrigin(database, path);
    // Eight kilobytes hold most lines whole; four would put nearly every turn on overflow pages.
    database.exec("PRAGMA page_size = 8192");
    database.exec("PRAGMA cache_size = -8192");
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = FULL");
    // A plain fsync on macOS does not reach the platter; elsewhere this changes nothing.
    database.exec("PRAGMA fullfsync = ON");
    checkDurable(database, path);
    migrate(database);
    onOpen?.(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Refuses a SQLite that is too old to be trusted with two processes. */
export function checkSqlite(version: string): void {
  const [have, need] = [version, oldestSqlite].map((text) => text.split(".").map(Number));
  for (const [index, least] of (need ?? []).entries()) {
    const part = have?.[index] ?? 0;
    if (part > least) return;
    if (part < least || Number.isNaN(part)) {
      throw new StoreError(
        "store-failed",
        `This Node.js brings SQLite ${version}; Parley needs ${oldestSqlite} or later.`,
        {
          hint: "Older ones can damage a store that two processes use. Update Node.js 24 to its newest release.",
        },
      );
    }
  }
}

function checkDurable(database: DatabaseSync, path: string): void {
  const wanted = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: busyMs };
  for (const [name, value] of Object.entries(wanted)) {
    const found = pragma(database, name);
    if (found === value) continue;
    throw new StoreError(
      "store-failed",
      `The store ${path} cannot be kept safely: SQLite's ${name} is ${found}, not ${value}.`,
      {
        hint: "Keep the store on a local disk: network and some virtual file systems lack what SQLite needs.",
      },
    );
  }
}

/** SQLite gives its companion files the mode of the main one, so it is enough to create that one for its user alone. */
function createFile(path: string): void {
  makeFolder(dirname(path));
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
