/** YAML files: only plain data, and every complaint with its line. */
import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { parseYaml, readYamlFile } from "../../src/config/yaml-file.ts";
import { newDesk, refusal, two } from "./desk.ts";

test.each([
  ["a: [1, 2\nb: 3\n", "x.yml:2:1"],
  ["a: 1\nb: 2\na: 3\n", 'x.yml:3:1: the key "a" is there twice'],
  ["a:\n  b: 1\n  b: 2\n", "x.yml:3:3"],
  ["a: !ruby/object x\n", "x.yml:1:4", "tags are not allowed"],
  ["a: !!binary aGk=\n", "x.yml:1", "not allowed"],
  ["a: 1\n---\nb: 2\n", "x.yml:2:1", "more than one YAML document"],
  ["? [a, b]\n: 1\n", "x.yml:1:3"],
  ["a:\n  __proto__: {x: 1}\n", "x.yml:2:3", "__proto__ is not allowed"],
  ["a: *nowhere\n", "x.yml:1:4", "*nowhere has no anchor"],
  ["a: &x [*x]\n", "x.yml:1", "no anchor before it"],
  ["a: &x 1\nb: &x [*x]\n", "x.yml:2", "no anchor before it"],
  [`a: ${"[".repeat(60)}${"]".repeat(60)}\n`, "nested more than 40 deep"],
  [`a: &x 1\nb: [${"*x,".repeat(101)}]\n`, "x.yml:2", "more than 100 aliases"],
])("%j is refused with its place.", async (text, ...names) => {
  await refusal(parseYaml("x.yml", text), "bad-config", ...names);
});

test("Anchors and aliases are followed, and words stay words.", async () => {
  const file = await parseYaml("x.yml", "a: &x [yes, no, on]\nb: *x\nc: 2020-01-01\n");
  expect(file.data).toEqual({ a: ["yes", "no", "on"], b: ["yes", "no", "on"], c: "2020-01-01" });
});

test("Aliases that multiply are refused and never expanded.", async () => {
  const lines = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`);
  await refusal(parseYaml("x.yml", `a0: &a0 [x]\n${lines.join("\n")}\n`), "bad-config", "x.yml");
});

test("A large file with many keys is read, since duplicate keys are found without comparing every pair.", async () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `k${i}: v`).join("\n");
  expect(Object.keys((await parseYaml("x.yml", text)).data as object)).toHaveLength(20_000);
  await refusal(parseYaml("x.yml", `${text}\nk0: again\n`), "bad-config", "x.yml:20001:1");
});

test("The place of a value is the line of its key, and of its holder when it is missing.", async () => {
  const file = await parseYaml("x.yml", "a:\n  - b: 1\n    c: 2\n  - d\n");
  expect(file.at(["a", 0, "c"])).toBe("x.yml:3");
  expect(file.at(["a", 1])).toBe("x.yml:4");
  expect(file.at(["a", 0, "missing"])).toBe("x.yml:2");
  expect(file.at([])).toBe("x.yml:1");
});

test("Files that are no text files are refused, each for its own reason.", async () => {
  const desk = newDesk();
  execFileSync("mkfifo", [desk.path("pipe.yml")]);
  symlinkSync("loop.yml", desk.path("loop.yml"));
  desk.lay("folder.yml/x", "");
  desk.lay("nul.yml", "a: \0");
  desk.lay("latin.yml", Buffer.from([0x61, 0x3a, 0x20, 0xe9]));
  desk.lay("huge.yml", `a: ${"x".repeat(2_000_001)}`);
  const reasons = {
    pipe: "not a regular file",
    loop: "circle",
    folder: "a folder",
    nul: "NUL",
    latin: "UTF-8",
    huge: "larger than 2000000 bytes",
    gone: "no such file",
  };
  for (const [name, why] of Object.entries(reasons)) {
    await refusal(readYamlFile(desk.path(`${name}.yml`), "the case file"), "bad-config", why, `${name}.yml`);
  }
});

test("A byte order mark is not part of the first key.", async () => {
  const desk = newDesk();
  desk.lay("case.yml", `\uFEFFquestion: Q?\n`);
  expect((await desk.plan("case.yml", two)).input.question.text).toBe("Q?");
});

test.each([
  ["question: Q?\nquorum: 2\n", "case.yml:2", 'unknown key "quorum"'],
  ["question: Q?\noptins: [a]\n", "case.yml:2", 'Did you mean "options"?'],
  ["question: Q?\nbudget:\n  maxTokens: many\n", "case.yml:3", "budget.maxTokens"],
  ["question: Q?\nbudget:\n  maxTime: soon\n", "case.yml:3", "not a duration"],
  ["question: Q?\nbudget:\n  onBudget: shout\n", "case.yml:3", "harvest, continue, resume"],
  ["question: 12\n", "case.yml:1", "put it in quotes"],
  ["title: T\n", "case.yml:1", "question: it is missing"],
  ["- a\n", "case.yml:1", "a map"],
  [
    "question: Q?\npanel:\n  seats:\n    - id: a\n      occupant: person\n    - id: b\n      ocupant: person\n",
    "case.yml:7",
    'Did you mean "occupant"?',
  ],
  [
    "question: Q?\npanel:\n  seats:\n    - id: a\n      occupant: {name: person, arg: []}\n",
    "case.yml:5",
    'Did you mean "args"?',
  ],
  ["question: Q?\npanel:\n  seats:\n    - id: judge\n      occupant: person\n", "case.yml:4", "reserved"],
  ["question: Q?\nevidence:\n  - ref: a\n    text: x\n  - ref: b\n", "case.yml:5", "either `text` or `file`"],
  [
    "question: Q?\nevidence:\n  - {ref: a, text: x,\n     strength: 11}\n",
    "case.yml:4",
    "strength: it must be at most 10",
  ],
  ["question: Q?\nevidence:\n  - text: x\n", "case.yml:3", "needs a `ref`"],
])("A case file %j is refused with its line.", async (text, ...names) => {
  const desk = newDesk();
  desk.lay("case.yml", text);
  await refusal(desk.plan("case.yml", two), "bad-config", ...names);
});
