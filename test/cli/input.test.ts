/** Bad input: each kind gives a sentence with the cause and the next step, its exit status, one JSON object, and leaves no trace. */
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caseFiles, parley, place, position, write } from "./harness.ts";

const { folder, env, state, remove } = place();
const files = caseFiles();

const dossier = "items: [{ ref: x, text: words, supports: left, strength: 1 }]\n";
const panel = (seats: string) => `question: Left or right?\noptions: [left, right]\npanel:\n  seats:\n${seats}`;

beforeAll(() => {
  write(folder, {
    ...files,
    "d.yml": dossier,
    "one-seat.yml": panel(`    - { id: a, occupant: "evidence:d.yml" }\n`),
    "twins.yml": panel(`    - { id: a, occupant: "evidence:d.yml" }\n    - { id: a, occupant: "evidence:d.yml" }\n`),
    "climbing.yml": panel(
      `    - { id: ../a, occupant: "evidence:d.yml" }\n    - { id: b, occupant: "evidence:d.yml" }\n`,
    ),
    "malformed.yml": "question: [unclosed\npanel: {\n",
    "unknown-key.yml": "question: q\nqestion: q\n",
    "empty-question.yml": 'question: "  "\n',
    "binary.md": Buffer.from([0x50, 0x00, 0xff, 0xfe, 0x01]),
    "huge.md": "x".repeat(300_000),
    "command.yml": panel(
      `    - { id: a, occupant: "command:./answer.sh" }\n    - { id: b, occupant: "evidence:d.yml" }\n`,
    ),
    "answer.sh": "#!/bin/sh\n",
    "taken.md": "keep me",
  });
  chmodSync(join(folder, "answer.sh"), 0o755);
  mkdirSync(join(folder, "outside"));
  symlinkSync(join(folder, "outside"), join(folder, "link"));
});
afterAll(remove);

type Bad = { name: string; argv: string[]; code: string; says: RegExp; stdin?: string };

const bad: Bad[] = [
  { name: "an unknown flag", argv: ["debate", "case.yml", "--rouns", "3"], code: "bad-usage", says: /--rouns/ },
  { name: "a flag of the program that is unknown", argv: ["--colour", "list"], code: "bad-usage", says: /--colour/ },
  {
    name: "a flag value that is no number",
    argv: ["debate", "case.yml", "--max-turns", "many"],
    code: "bad-usage",
    says: /many/,
  },
  {
    name: "a flag value below its least",
    argv: ["debate", "case.yml", "--budget", "-1"],
    code: "bad-usage",
    says: /below 0/,
  },
  {
    name: "an option out of range",
    argv: ["debate", "case.yml", "--threshold", "7"],
    code: "bad-usage",
    says: /threshold/,
  },
  {
    name: "a choice that is none",
    argv: ["debate", "case.yml", "--in-doubt", "maybe"],
    code: "bad-usage",
    says: /maybe/,
  },
  {
    name: "a duration that is none",
    argv: ["debate", "case.yml", "--max-time", "soon"],
    code: "bad-usage",
    says: /soon/,
  },
  { name: "an unknown protocol", argv: ["debat", "case.yml"], code: "unknown-protocol", says: /debat/ },
  { name: "too many arguments", argv: ["show", "a", "b"], code: "bad-usage", says: /too many/i },
  { name: "a missing argument", argv: ["show"], code: "bad-usage", says: /run/ },
  {
    name: "two forms at once",
    argv: ["debate", "case.yml", "--jsonl", "--format", "md"],
    code: "bad-usage",
    says: /one form/,
  },
  { name: "a working folder that is not there", argv: ["-C", "nowhere", "list"], code: "bad-usage", says: /nowhere/ },
  { name: "an unknown panel", argv: ["debate", "Which?", "--panel", "nobody"], code: "unknown-panel", says: /nobody/ },
  {
    name: "an unknown occupant",
    argv: ["debate", "case.yml", "--seat", "d=oracle:x"],
    code: "unknown-occupant",
    says: /oracle/,
  },
  {
    name: "a seat flag without an occupant",
    argv: ["debate", "case.yml", "--seat", "d"],
    code: "bad-usage",
    says: /--seat/,
  },
  { name: "fewer than two seats", argv: ["debate", "one-seat.yml"], code: "too-few-seats", says: /1/ },
  { name: "seats with one id", argv: ["debate", "twins.yml"], code: "bad-config", says: /twins\.yml/ },
  {
    name: "a seat id that climbs",
    argv: ["debate", "climbing.yml"],
    code: "bad-config",
    says: /\.\.\/a|climbing\.yml:\d/,
  },
  { name: "a missing case file", argv: ["debate", "missing.yml"], code: "bad-usage", says: /missing\.yml/ },
  {
    name: "malformed YAML, with its line",
    argv: ["debate", "malformed.yml"],
    code: "bad-config",
    says: /malformed\.yml:\d/,
  },
  {
    name: "an unknown key, with its line",
    argv: ["debate", "unknown-key.yml"],
    code: "bad-config",
    says: /unknown-key\.yml:2.*qestion/s,
  },
  {
    name: "missing evidence",
    argv: ["debate", "case.yml", "--evidence", "nowhere.md"],
    code: "bad-evidence",
    says: /nowhere\.md/,
  },
  {
    name: "binary evidence",
    argv: ["debate", "case.yml", "--evidence", "binary.md"],
    code: "bad-evidence",
    says: /binary\.md/,
  },
  {
    name: "huge evidence",
    argv: ["debate", "case.yml", "--evidence", "huge.md"],
    code: "bad-evidence",
    says: /huge\.md/,
  },
  { name: "no question", argv: ["debate"], code: "bad-question", says: /no question/ },
  { name: "an empty question", argv: ["debate", "  "], code: "bad-question", says: /empty/ },
  { name: "an empty question in a case", argv: ["debate", "empty-question.yml"], code: "bad-question", says: /empty/ },
  { name: "an empty question on stdin", argv: ["debate", "-"], stdin: "\n", code: "bad-question", says: /empty/ },
  {
    name: "a question over the cap",
    argv: ["debate", "-"],
    stdin: "x".repeat(30_000),
    code: "bad-question",
    says: /20000/,
  },
  {
    name: "stdin over the cap",
    argv: ["debate", "-"],
    stdin: "x".repeat(2_000_000),
    code: "bad-question",
    says: /1000000/,
  },
  { name: "stdin asked for twice", argv: ["debate", "-", "--context", "-"], code: "bad-usage", says: /stdin/ },
  { name: "a run id that climbs", argv: ["debate", "case.yml", "--id", "../x"], code: "bad-name", says: /\.\.\/x/ },
  { name: "a run id with NUL", argv: ["debate", "case.yml", "--id", "a\0b"], code: "bad-name", says: /a\\u0000b/ },
  { name: "a reserved run id", argv: ["debate", "case.yml", "--id", "CON"], code: "bad-name", says: /reserved/ },
  { name: "a run name that climbs", argv: ["resume", "../../etc/passwd"], code: "bad-name", says: /passwd/ },
  {
    name: "a shown path that is no export",
    argv: ["show", "../../etc/passwd"],
    code: "unknown-run",
    says: /neither a folder/,
  },
  { name: "a run name with NUL", argv: ["cancel", "r\0"], code: "bad-name", says: /r\\u0000/ },
  { name: "an unknown run", argv: ["watch", "r_nothing"], code: "unknown-run", says: /r_nothing/ },
  { name: "an untrusted command", argv: ["debate", "command.yml"], code: "untrusted", says: /answer\.sh/ },
  {
    name: "an output that exists",
    argv: ["debate", "case.yml", "-o", "taken.md"],
    code: "bad-usage",
    says: /exists already/,
  },
  {
    name: "an output in no folder",
    argv: ["debate", "case.yml", "-o", "no/where.md"],
    code: "bad-usage",
    says: /folder does not exist/,
  },
  { name: "an unknown help topic", argv: ["help", "everything"], code: "bad-usage", says: /everything/ },
  {
    name: "an unknown config file",
    argv: ["config", "--config", "nowhere.yml"],
    code: "bad-config",
    says: /nowhere\.yml/,
  },
];

describe("bad input", () => {
  test.each(bad)(
    "$name is told with its cause and the next step, and leaves nothing behind",
    async ({ argv, code, says, stdin }) => {
      const choices = stdin === undefined ? {} : { stdin };
      const text = await parley(folder, env, argv, choices);
      expect(text).toMatchObject({ code: 2, out: "" });
      expect(text.err).toMatch(says);
      expect(text.err).toContain(`(${code})`);
      expect(text.err.trim().split("\n").length).toBeGreaterThan(1);
      expect(text.err).not.toMatch(/^\s+at /m);

      const json = await parley(folder, env, [...argv, "--json"], choices);
      expect(json.code).toBe(2);
      const { ok, error } = JSON.parse(json.out);
      expect({ ok, code: error.code }).toEqual({ ok: false, code });
      expect(error.message).toMatch(/\w+ .*\./s);
      expect(error.hint).toMatch(/\w+/);
      expect(existsSync(state)).toBe(false);
      expect(readdirSync(join(folder, "outside"))).toEqual([]);
    },
  );

  test("a near miss is suggested", async () => {
    expect((await parley(folder, env, ["debat", "q"])).err).toContain("Did you mean debate?");
    expect((await parley(folder, env, ["debate", "q", "--thresold", "1"])).err).toContain("Did you mean --threshold?");
  });

  test("an id that is taken is refused, and the run that has it is left as it was", async () => {
    const first = place();
    write(first.folder, files);
    expect((await parley(first.folder, first.env, ["debate", "case.yml", "--id", "mine", "-q"])).code).toBe(0);
    const before = (await parley(first.folder, first.env, ["show", "mine", "--jsonl"])).out;
    const again = await parley(first.folder, first.env, ["debate", "case.yml", "--id", "mine", "--json"]);
    expect(again.code).toBe(2);
    expect(JSON.parse(again.out).error.code).toBe("run-exists");
    expect((await parley(first.folder, first.env, ["show", "mine", "--jsonl"])).out).toBe(before);
    first.remove();
  });
});

describe("hostile seats", () => {
  const ours = place();
  afterAll(ours.remove);
  const seat = (reply: unknown) => `${JSON.stringify({ reply })}\n`;
  const hostile = panel(["a", "b", "c"].map((id) => `    - { id: ${id}, occupant: "script:${id}.jsonl" }\n`).join(""));

  test("escape codes in a seat's words reach no stream, in any form", async () => {
    const words = "look \u001b]52;c;cm0=\u0007 \u001b[2J \u009b31m \u202e\r over";
    write(ours.folder, {
      "case.yml": hostile,
      "a.jsonl": seat(position("left", words)),
      "b.jsonl": seat(position("left", words)),
      "c.jsonl": seat(position("right", words)),
    });
    for (const form of ["text", "md", "json", "jsonl"]) {
      const ran = await parley(ours.folder, ours.env, ["debate", "case.yml", "--rounds", "1", "--format", form]);
      expect(`${ran.out}${ran.err}`).not.toMatch(/[\u001b\u0007\r]/);
      // The stored line is printed byte for byte, so that it can be verified; every other form escapes these too.
      if (form !== "jsonl") expect(`${ran.out}${ran.err}`).not.toMatch(/[\u009b\u202e]/);
    }
    const terminal = await parley(ours.folder, ours.env, ["show", "latest", "--jsonl"], { tty: true });
    expect(terminal.out).not.toMatch(/[\u0080-\u009f\u202e]/);
  });

  test.each([
    {
      what: "nested 100,000 deep",
      program: 'process.stdout.write("[".repeat(100000))',
      kind: /malformed|output_too_large/,
    },
    { what: "of 64 MB", program: 'process.stdout.write("x".repeat(64e6))', kind: /output_too_large/ },
  ])("a reply $what is a miss of its seat, and the run goes on", async ({ program, kind }) => {
    const seats = `    - { id: a, occupant: "script:a.jsonl" }
    - { id: b, occupant: "script:b.jsonl" }
    - { id: c, occupant: "command:./c.js" }
`;
    write(ours.folder, {
      "loud.yml": panel(seats),
      "a.jsonl": seat(position("left")),
      "b.jsonl": seat(position("left")),
      "c.js": `#!/usr/bin/env node\n${program}\n`,
    });
    chmodSync(join(ours.folder, "c.js"), 0o755);
    const ran = await parley(ours.folder, ours.env, ["debate", "loud.yml", "--rounds", "1", "--json", "-q", "--trust"]);
    const view = JSON.parse(ran.out);
    expect(view.status).toMatch(/decided/);
    expect(view.degraded[0]).toMatchObject({ seat: "c", kind: expect.stringMatching(kind) });
    const others = view.turns.filter((turn: { seat: string }) => turn.seat === "a" || turn.seat === "b");
    expect(others.map((turn: { outcome: string }) => turn.outcome)).toEqual(others.map(() => "ok"));
    expect((await parley(ours.folder, ours.env, ["verify", "latest"])).code).toBe(0);
  });
});
