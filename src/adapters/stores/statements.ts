/**
 * Every statement a SQLite store runs, prepared once for each connection.
 *
 * An append is fenced by its own UPDATE: it names the epoch, the number of lines and the head it believes in and changes nothing when
 * one is out of date, so the check and the write cannot be pulled apart by another process.
 */
import type { DatabaseSync } from "node:sqlite";

const row = `SELECT id, protocol, question, status, stop_reason, created_at, updated_at, events, head, owner, lease_until FROM run`;

/** Null for the line count means that the write brings no lines, only a state. */
const append = `UPDATE run SET updated_at = ?, events = coalesce(?, events), head = coalesce(?, head)`;
const fence = `WHERE id = ? AND epoch = ? AND events = coalesce(?, events) AND head = coalesce(?, head) AND owner IS NOT NULL`;

/** Prepares them all. */
export function prepare(database: DatabaseSync) {
  return {
    begin: database.prepare("BEGIN IMMEDIATE"),
    commit: database.prepare("COMMIT"),
    create: database.prepare(
      `INSERT INTO run (id, protocol, question, status, created_at, updated_at, events, head, epoch, owner, owned_at, lease_until, holder)
       VALUES (?, ?, ?, 'running', ?, ?, ?, ?, 1, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    ),
    append: database.prepare(`${append} ${fence}`),
    appendWithState: database.prepare(`${append}, status = ?, stop_reason = ? ${fence}`),
    // A run that has ended has no owner: the write that ends it gives it up.
    appendEnd: database.prepare(
      `${append}, status = ?, stop_reason = ?, owner = NULL, holder = NULL, lease_until = NULL ${fence}`,
    ),
    addLine: database.prepare("INSERT INTO event (place, hash, text) VALUES (?, ?, ?)"),
    ownership: database.prepare("SELECT no, epoch, events, owner, owned_at, lease_until FROM run WHERE id = ?"),
    claim: database.prepare(
      "UPDATE run SET epoch = ?, owner = ?, owned_at = ?, lease_until = ?, holder = ? WHERE id = ?",
    ),
    renew: database.prepare("UPDATE run SET lease_until = ? WHERE holder = ?"),
    release: database.prepare(
      "UPDATE run SET owner = NULL, holder = NULL, lease_until = NULL WHERE id = ? AND epoch = ?",
    ),
    releaseAll: database.prepare("UPDATE run SET owner = NULL, holder = NULL, lease_until = NULL WHERE holder = ?"),
    lines: database.prepare("SELECT place, hash, text FROM event WHERE place >= ? AND place < ? ORDER BY place"),
    find: database.prepare(`${row} WHERE id = ?`),
    newest: database.prepare(`${row} ORDER BY created_at DESC, no DESC LIMIT ?`),
    // A range over the ids takes the prefix as it is written; LIKE would read "_" and "%" as wildcards.
    newestWithPrefix: database.prepare(
      `${row} WHERE id >= ? AND id < ? || char(1114111) ORDER BY created_at DESC, no DESC LIMIT ?`,
    ),
    signal: database.prepare("INSERT INTO signal (run, name, at) VALUES (?, ?, ?)"),
    waiting: database.prepare("SELECT 1 FROM signal WHERE run = ? AND taken IS NULL LIMIT 1"),
    take: database.prepare(
      "UPDATE signal SET taken = ? WHERE run = ? AND taken IS NULL RETURNING rowid AS place, name, at",
    ),
  };
}

/** The prepared statements of one connection. */
export type Statements = ReturnType<typeof prepare>;
