/**
 * What every store must do, as cases that any test runner can run.
 *
 * The cases use nothing but the `Store` port and throw on a broken promise, so the author of a store needs only
 * `for (const { title, run } of storeCases(open)) test(title, run)`.
 */
import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { systemWorld } from "../../adapters/world.ts";
import { genesis, type Line, seal, sha256 } from "../../chain.ts";
import { type ErrorCode, ParleyError } from "../../errors.ts";
import type { Owner } from "../../events.ts";
import type { Lease, Store } from "../../ports.ts";

/** A fresh, empty store. `reopen` opens the same one again, as another process would, where it outlives its process. */
export type OpenedStore = { store: Store; reopen?: () => Promise<Store>; close(): Promise<void> };

/** One promise of the port, and how to check it. */
export type StoreCase = { title: string; run(): Promise<void> };

/** The cases, each on a store of its own. */
export function storeCases(open: () => Promise<OpenedStore>): StoreCase[] {
  return Object.entries(cases).map(([title, body]) => ({
    title,
    run: async () => {
      const opened = await open();
      try {
        await body(opened.store, opened);
      } finally {
        await opened.close();
      }
    },
  }));
}

const alive: Owner = systemWorld().owner;
/** This process's id with another start: the process that had the id before, which is certainly gone. */
const gone: Owner = { ...alive, started: `${alive.started}0` };

const cases: Readonly<Record<string, (store: Store, opened: OpenedStore) => Promise<void>>> = {
  "Lines come back in order, without gaps, and word for word.": async (store) => {
    const lease = await begin(store, "r1", 1);
    await store.append(lease, linesFrom(1, 3));
    await store.append(lease, linesFrom(4, 2));
    assert.deepEqual(await store.read("r1"), linesFrom(0, 6));
  },

  "Any text is kept byte for byte.": async (store) => {
    const texts = [
      "",
      "é ü 漢字 🜁 \u200f\u0301",
      "\u0001\u0007\t\r\n\u001b[0m\u007f\u2028",
      "'; DROP TABLE run; --",
      "x".repeat(1 << 20),
    ];
    const lines = texts.map((text, seq) => ({ seq, hash: sha256(text), text }));
    await store.create(about("r1"), alive, lines);
    assert.deepEqual(await store.read("r1"), lines);
  },

  "The write that ends a run releases it.": async (store) => {
    const lease = await begin(store, "r1", 1);
    await store.append(lease, linesFrom(1, 1), { status: "decided", stopReason: "converged" });
    assert.equal((await store.find("r1"))?.owner, null);
    await refused("lease-lost", store.append(lease, linesFrom(2, 1)));
    assert.equal((await store.claim("r1", alive)).epoch, 2);
  },

  "Lines may follow a run that is still being created, and are refused with it.": async (store) => {
    const lease = { run: "r1", epoch: 1, owner: alive };
    const made = store.create(about("r1"), alive, linesFrom(0, 2));
    await Promise.all([made, store.append(lease, linesFrom(2, 1))]);
    assert.deepEqual(await store.read("r1"), linesFrom(0, 3));
  },

  "Sealed lines that do not follow the head are refused, so two writers of one name cannot mix.": async (store) => {
    const body = { type: "note-made", text: "so" } as const;
    const sealed = (seq: number, prev: string) => seal(body, { run: "r1", seq, at: 0, epoch: 1, prev }).line;
    const first = sealed(0, genesis);
    const lease = await store.create(about("r1"), alive, [first]);
    await refused("internal", store.append(lease, [sealed(1, genesis)]));
    await store.append(lease, [sealed(1, first.hash)]);
    assert.equal((await store.read("r1")).length, 2);
  },

  "A run can be read from any place on.": async (store) => {
    await begin(store, "r1", 5);
    assert.deepEqual(await store.read("r1", 3), linesFrom(3, 2));
    assert.deepEqual(await store.read("r1", 5), []);
    assert.deepEqual(await store.read("r1", 99), []);
  },

  "A run that does not exist is named as unknown.": async (store) => {
    assert.equal(await store.find("nobody"), null);
    assert.deepEqual(await store.list({ prefix: "nobody" }), []);
    assert.deepEqual(await store.signals("nobody"), []);
    await refused("unknown-run", store.read("nobody"));
    await refused("unknown-run", store.claim("nobody", alive));
    await refused("unknown-run", store.signal("nobody", { name: "cancel", at: 1 }));
    await refused("unknown-run", store.append({ run: "nobody", epoch: 1, owner: alive }, linesFrom(0, 1)));
  },

  "A second run of the same id is refused and changes nothing.": async (store) => {
    await begin(store, "r1", 2);
    await refused("run-exists", store.create({ ...about("r1"), question: "Another?" }, alive, linesFrom(0, 1)));
    assert.deepEqual(await store.read("r1"), linesFrom(0, 2));
    assert.equal((await store.find("r1"))?.question, "Which?");
  },

  "Lines that do not follow on are refused, and none of them is kept.": async (store) => {
    const lease = await begin(store, "r1", 2);
    await refused("internal", store.append(lease, linesFrom(1, 2)));
    await refused("internal", store.append(lease, linesFrom(3, 1)));
    await refused("internal", store.append(lease, [...linesFrom(2, 1), ...linesFrom(4, 1)]));
    await refused("internal", store.create(about("r2"), alive, linesFrom(1, 1)));
    assert.deepEqual(await store.read("r1"), linesFrom(0, 2));
    assert.equal(await store.find("r2"), null);
    await store.append(lease, linesFrom(2, 1));
  },

  "The row tells the status, the number of lines and the head.": async (store) => {
    const lease = await begin(store, "r1", 1);
    const [head] = linesFrom(0, 1);
    const { updatedAt, ...row } = (await store.find("r1")) ?? assert.fail("the run has no row");
    const started = { id: "r1", protocol: "debate", question: "Which?", createdAt: 1000, owner: alive };
    assert.deepEqual(row, { ...started, status: "running", stopReason: null, events: 1, head: head?.hash });
    assert.equal(typeof updatedAt, "number");
    await store.append(lease, linesFrom(1, 2), { status: "decided", stopReason: "converged" });
    const after = await store.find("r1");
    assert.deepEqual([after?.status, after?.stopReason, after?.events], ["decided", "converged", 3]);
    assert.equal(after?.head, linesFrom(2, 1)[0]?.hash);
  },

  "A state can be written without lines, and lines keep the state.": async (store) => {
    const lease = await begin(store, "r1", 1);
    await store.append(lease, [], { status: "waiting", stopReason: null });
    await store.append(lease, linesFrom(1, 1));
    const row = await store.find("r1");
    assert.deepEqual([row?.status, row?.events, row?.head], ["waiting", 2, linesFrom(1, 1)[0]?.hash]);
  },

  "A run whose owner is alive cannot be claimed, and the refusal names the owner.": async (store) => {
    await begin(store, "r1", 1);
    const error = await refused("run-owned", store.claim("r1", { ...alive, pid: alive.pid + 1 }));
    assert.match(error.message, new RegExp(`process ${alive.pid} on ${alive.host} since \\d{4}-`));
  },

  "A run whose owner is gone can be claimed at once, and is shown without an owner.": async (store) => {
    await store.create(about("r1"), gone, linesFrom(0, 1));
    assert.equal((await store.find("r1"))?.owner, null);
    const lease = await store.claim("r1", alive);
    assert.deepEqual(lease, { run: "r1", epoch: 2, owner: alive });
    await store.append(lease, linesFrom(1, 1));
    assert.deepEqual((await store.find("r1"))?.owner, alive);
  },

  "An owner that was fenced off cannot write, and releases nothing.": async (store) => {
    const old = await store.create(about("r1"), gone, linesFrom(0, 1));
    const lease = await store.claim("r1", alive);
    await refused("lease-lost", store.append(old, linesFrom(1, 1)));
    await refused("lease-lost", store.append(old, [], { status: "failed", stopReason: "internal_error" }));
    await store.release(old);
    await refused("run-owned", store.claim("r1", alive));
    await store.append(lease, linesFrom(1, 1));
    assert.deepEqual(await store.read("r1"), linesFrom(0, 2));
    assert.equal((await store.find("r1"))?.status, "running");
  },

  "A released run can be claimed at once, and a released lease cannot write.": async (store) => {
    const lease = await begin(store, "r1", 1);
    await store.release(lease);
    await store.release(lease);
    assert.equal((await store.find("r1"))?.owner, null);
    await refused("lease-lost", store.append(lease, linesFrom(1, 1)));
    assert.equal((await store.claim("r1", alive)).epoch, 2);
  },

  "Of two claims made at once, one wins.": async (store) => {
    await store.release(await begin(store, "r1", 1));
    const claims = await Promise.allSettled([store.claim("r1", alive), store.claim("r1", alive)]);
    assert.deepEqual(claims.map((claim) => claim.status).sort(), ["fulfilled", "rejected"]);
  },

  "A signal is taken once, and only by its run.": async (store) => {
    await begin(store, "r1", 1);
    await begin(store, "r2", 1);
    await store.signal("r1", { name: "cancel", at: 5 });
    await store.signal("r1", { name: "cancel", at: 3 });
    assert.deepEqual(await store.signals("r2"), []);
    const both = [
      { name: "cancel", at: 5 },
      { name: "cancel", at: 3 },
    ];
    assert.deepEqual(await store.signals("r1"), both);
    assert.deepEqual(await store.signals("r1"), []);
  },

  "Runs are listed newest first, up to the limit.": async (store) => {
    for (const [id, at] of [
      ["b", 2],
      ["c", 3],
      ["a", 1],
      ["d", 3],
    ] as const) {
      await store.create({ ...about(id), at }, alive, linesFrom(0, 1));
    }
    const ids = async (limit?: number) => (await store.list(limit === undefined ? {} : { limit })).map((row) => row.id);
    assert.deepEqual(await ids(), ["d", "c", "b", "a"]);
    assert.deepEqual(await ids(2), ["d", "c"]);
  },

  "A prefix is taken literally.": async (store) => {
    const ids = ["a_b", "axb", "A_b", "a%b", "a_b.2", "b"];
    for (const id of ids) await begin(store, id, 1);
    const found = async (prefix: string) => (await store.list({ prefix })).map((row) => row.id).sort();
    assert.deepEqual(await found("a_"), ["a_b", "a_b.2"]);
    assert.deepEqual(await found("a%"), ["a%b"]);
    assert.deepEqual(await found("%"), []);
    assert.deepEqual(await found("a' OR 1=1 --"), []);
    assert.deepEqual(await found(""), [...ids].sort());
  },

  "Many runs can write at once.": async (store) => {
    const ids = Array.from({ length: 200 }, (_, index) => `run-${index}`);
    const leases = await Promise.all(ids.map((id) => begin(store, id, 1)));
    for (let seq = 1; seq <= 6; seq += 2) {
      await Promise.all(leases.map((lease) => store.append(lease, linesFrom(seq, 2))));
    }
    for (const id of ids) assert.deepEqual(await store.read(id), linesFrom(0, 7));
  },

  "Writes of one run made in one turn keep their order.": async (store) => {
    const lease = await begin(store, "r1", 1);
    await Promise.all([1, 2, 3, 4].map((seq) => store.append(lease, linesFrom(seq, 1))));
    assert.deepEqual(await store.read("r1"), linesFrom(0, 5));
  },

  "A refused write does not fail its neighbours in the same turn.": async (store) => {
    const lease = await begin(store, "r1", 1);
    const other = await begin(store, "r2", 1);
    const settled = await Promise.allSettled([
      store.append(lease, linesFrom(1, 1)),
      store.append({ ...lease, epoch: 7 }, linesFrom(2, 1)),
      store.append(other, linesFrom(5, 1)),
      store.create(about("r1"), alive, linesFrom(0, 1)),
      store.claim("nobody", alive),
      store.append(other, linesFrom(1, 2)),
      store.create(about("r3"), alive, linesFrom(0, 1)),
    ]);
    const outcomes = settled.map((one) => (one.status === "fulfilled" ? "ok" : (one.reason as ParleyError).code));
    assert.deepEqual(outcomes, ["ok", "lease-lost", "internal", "run-exists", "unknown-run", "ok", "ok"]);
    assert.deepEqual(await store.read("r1"), linesFrom(0, 2));
    assert.deepEqual(await store.read("r2"), linesFrom(0, 3));
    assert.deepEqual(await store.read("r3"), linesFrom(0, 1));
  },

  "What was acknowledged is there after the store is opened again.": async (store, { reopen }) => {
    const lease = await begin(store, "r1", 1);
    await store.append(lease, linesFrom(1, 2), { status: "waiting", stopReason: null });
    await store.signal("r1", { name: "cancel", at: 9 });
    await nextTurn();
    // A store without `reopen` lasts only as long as its process, and this case asks no more of it than to still have the run.
    const again = reopen ? await reopen() : store;
    assert.deepEqual(await again.read("r1"), linesFrom(0, 3));
    assert.equal((await again.find("r1"))?.status, "waiting");
    assert.deepEqual(await again.signals("r1"), [{ name: "cancel", at: 9 }]);
    if (again !== store) await again.close();
  },
};

const about = (id: string) => ({ id, protocol: "debate", question: "Which?", at: 1000 });

const begin = (store: Store, id: string, count: number): Promise<Lease> =>
  store.create(about(id), alive, linesFrom(0, count));

function linesFrom(seq: number, count: number): Line[] {
  return Array.from({ length: count }, (_, index) => {
    const text = JSON.stringify({ seq: seq + index, text: `line ${seq + index}` });
    return { seq: seq + index, hash: sha256(text), text };
  });
}

async function refused(code: ErrorCode, promise: Promise<unknown>): Promise<ParleyError> {
  const error = await promise.then(
    () => assert.fail(`was not refused with ${code}`),
    (reason: unknown) => reason,
  );
  assert.ok(ParleyError.is(error), `threw something else: ${error}`);
  assert.equal(error.code, code, error.message);
  return error;
}
