/** Evidence: what is taken in, what is refused, and who is shown what. */
import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { sha256 } from "../../src/chain.ts";
import { refFrom } from "../../src/config/evidence-shelf.ts";
import { reason } from "../../src/config/text-file.ts";
import { EvidenceItem, evidenceLimit } from "../../src/evidence.ts";
import { nameProblem } from "../../src/names.ts";
import { type Desk, newDesk, refusal, two } from "./desk.ts";

/** A case with this evidence and two seats that hold a dossier each. */
function layCase(
  desk: Desk,
  evidence: string,
  ann = "[{ref: a1, text: One}]",
  bob = "[{ref: b1, text: Two}]",
  extra = "",
): void {
  desk.lay("ann.yml", `items: ${ann}\n`);
  desk.lay("bob.yml", `items: ${bob}\n`);
  desk.lay(
    "case.yml",
    `question: Q?\nevidence: ${evidence}\npanel:\n  seats:\n    - {id: ann, occupant: "evidence:ann.yml"}\n    - {id: bob, occupant: "evidence:bob.yml"${extra}}\n`,
  );
}

test("Items are hashed, and a seat is shown its dossier, the shared evidence and what it lists.", async () => {
  const desk = newDesk();
  layCase(
    desk,
    "[{ref: s1, text: Shared, supports: X, strength: 3, criterion: cost}]",
    undefined,
    undefined,
    ", evidence: [a1]",
  );
  const { input } = await desk.plan("case.yml");
  expect(input.evidence.map((item) => item.ref)).toEqual(["s1", "a1", "b1"]);
  expect(input.evidence[0]).toEqual({
    ref: "s1",
    text: "Shared",
    hash: sha256("Shared"),
    supports: "X",
    against: null,
    strength: 3,
    criterion: "cost",
    source: null,
  });
  expect(input.seats.map((seat) => seat.scope)).toEqual([
    ["a1", "s1"],
    ["b1", "s1", "a1"],
  ]);
  for (const item of input.evidence) expect(EvidenceItem.parse(item)).toEqual(item);
});

test("A file is read word for word, with its own hash, through a symbolic link.", async () => {
  const desk = newDesk();
  const real = desk.lay("facts/report.md", "Line one.\r\nLine two.\n");
  symlinkSync(real, desk.path("link.md"));
  layCase(desk, `[{file: link.md, sha256: ${sha256("Line one.\r\nLine two.\n").toUpperCase()}, supports: X}]`);
  const [item] = (await desk.plan("case.yml")).input.evidence;
  expect(item).toMatchObject({
    ref: "link.md",
    text: "Line one.\r\nLine two.\n",
    supports: "X",
    source: { path: real, hash: sha256("Line one.\r\nLine two.\n") },
  });
});

test("--evidence takes a file, or the files of a folder in order and not of folders within.", async () => {
  const desk = newDesk();
  desk.lay("facts/b.md", "B");
  desk.lay("facts/a.md", "A");
  desk.lay("facts/deeper/c.md", "C");
  desk.lay("facts/.hidden", "H");
  desk.lay("one fact.txt", "D");
  const { input } = await desk.plan("Q?", { ...two, evidence: ["facts", "one fact.txt"] });
  expect(input.evidence.map((item) => item.ref)).toEqual(["a.md", "b.md", "one-fact.txt"]);
  expect(input.seats[0]?.scope).toEqual(["a.md", "b.md", "one-fact.txt"]);
});

test("The config's evidence is shared too, relative to the config.", async () => {
  const desk = newDesk();
  desk.lay("team/facts/a.md", "A");
  desk.lay("team/parley.yml", "evidence: [facts]\n");
  const { input } = await desk.plan("Q?", { ...two, config: "team/parley.yml" });
  expect(input.evidence.map((item) => item.ref)).toEqual(["a.md"]);
});

test.each(["judge.md", "..", "ä ö.md", "-x", "con", "x".repeat(200), "a..b", "日本.txt", "nul.txt"])(
  "%j gives a ref that can be used.",
  (name) => {
    expect(nameProblem(refFrom(name))).toBeNull();
  },
);

test("Two files that give one ref are refused, and both places are named.", async () => {
  const desk = newDesk();
  desk.lay("x/a.md", "one");
  desk.lay("y/a.md", "two");
  await refusal(
    desk.plan("Q?", { ...two, evidence: ["x/a.md", "y/a.md"] }),
    "bad-evidence",
    '"a.md"',
    "different text",
  );
});

test("One ref in two dossiers must be the same in every respect.", async () => {
  const desk = newDesk();
  const same = "[{ref: a1, text: One, supports: X}]";
  layCase(desk, "[]", same, same);
  expect((await desk.plan("case.yml")).input.evidence).toHaveLength(1);
  layCase(desk, "[]", same, "[{ref: a1, text: One!, supports: X}]");
  await refusal(desk.plan("case.yml"), "bad-evidence", "ann.yml:1", "bob.yml:1", "different text");
  layCase(desk, "[]", same, "[{ref: a1, text: One, supports: Y}]");
  await refusal(desk.plan("case.yml"), "bad-evidence", "ann.yml:1", "bob.yml:1", "different supports");
});

test("One ref twice in a dossier is refused.", async () => {
  const desk = newDesk();
  layCase(desk, "[]", "[{ref: a1, text: One}, {ref: a1, text: One}]");
  await refusal(desk.plan("case.yml"), "bad-evidence", "ann.yml:1", "twice");
});

test("A seat that lists unknown evidence is refused with the nearest ref.", async () => {
  const desk = newDesk();
  layCase(desk, "[{ref: outage-log, text: x}]", undefined, undefined, ", evidence: [outage-lgo]");
  await refusal(desk.plan("case.yml"), "bad-evidence", "case.yml:6", 'Did you mean "outage-log"?');
});

test("Evidence that is no usable text is refused, each for its own reason.", async () => {
  const desk = newDesk();
  execFileSync("mkfifo", [desk.path("pipe")]);
  desk.lay("folder/inner/x", "");
  desk.lay("nul", "a\0b");
  desk.lay("latin", Buffer.from([0xe9, 0x20]));
  desk.lay("empty", "\n");
  desk.lay("huge", "x".repeat(evidenceLimit + 1));
  desk.lay("vast", "x".repeat(evidenceLimit * 4 + 1));
  const reasons = {
    gone: "no such file",
    pipe: "not a regular file",
    folder: "holds no files",
    nul: "NUL",
    latin: "UTF-8",
    empty: "empty",
    huge: `${evidenceLimit + 1} characters`,
    vast: "larger than",
  };
  for (const [name, why] of Object.entries(reasons)) {
    await refusal(desk.plan("Q?", { ...two, evidence: [name] }), "bad-evidence", desk.path(name), why, "--evidence");
  }
  layCase(desk, "[{file: folder}]");
  await refusal(desk.plan("case.yml"), "bad-evidence", "case.yml:2", "folder, not a file");
});

test("A file that may not be read is refused in words.", () => {
  expect(reason(Object.assign(new Error("EACCES: denied"), { code: "EACCES" }))).toBe("it may not be read");
});

test("A file that is not what its hash says is refused with both hashes.", async () => {
  const desk = newDesk();
  desk.lay("a.md", "new");
  layCase(desk, `[{file: a.md, sha256: ${sha256("old")}}]`);
  await refusal(desk.plan("case.yml"), "bad-evidence", "case.yml:2", sha256("old"), sha256("new"));
});

test("All evidence together has a limit.", async () => {
  const desk = newDesk();
  for (let index = 0; index < 16; index++) desk.lay(`facts/f${index}`, "x".repeat(evidenceLimit));
  await refusal(desk.plan("Q?", { ...two, evidence: ["facts"] }), "bad-evidence", "more than 4000000 bytes");
});

test("Evidence from outside the folder of the file that names it is noted.", async () => {
  const desk = newDesk();
  desk.lay("../elsewhere/a.md", "A");
  layCase(desk, "[{file: ../elsewhere/a.md}]");
  expect((await desk.plan("case.yml")).notes.join()).toContain("outside its own folder");
});

test("Evidence that speaks of no option is noted.", async () => {
  const desk = newDesk();
  desk.lay(
    "case.yml",
    "question: Q?\noptions: [Alpha, Beta]\nevidence:\n  - {ref: a, text: t, supports: ALPHA}\n  - {ref: b, text: t, against: Gamma}\n",
  );
  expect((await desk.plan("case.yml", two)).notes).toEqual([
    'Evidence "b" speaks of "Gamma", which is none of the options.',
  ]);
});
