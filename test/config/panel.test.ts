/** Panels and occupants: who sits, under which settings, and who cannot. */
import { expect, test } from "vitest";
import { codeJudge, codeSynthesizer } from "../../src/adapters/occupants/index.ts";
import { newDesk, refusal, two } from "./desk.ts";

const turn = '{"act":"answer","reply":{"answer":"x"}}\n';

test("A seat's occupant is resolved with every file it names already read.", async () => {
  const desk = newDesk();
  desk.lay("d/ann.yml", "about: Ann\nweights: {cost: 2}\ntrust: 0.5\nitems:\n  - {ref: a1, text: One}\n");
  desk.lay(
    "d/rules.yml",
    "rules:\n  - when: {has: [a1]}\n    answer: X\n    because: Policy.\notherwise: {answer: Y, because: Else.}\n",
  );
  desk.lay("d/script.jsonl", `${turn}\n${turn}`);
  const seat = [
    "ann=evidence:d/ann.yml",
    "law=rules:d/rules.yml",
    "old=script:d/script.jsonl",
    "eve=person:Eve",
    "cat=command:cat",
  ];
  const { seats } = (await desk.plan("Q?", { seat })).input;
  expect(seats.map(({ id, occupant }) => [id, occupant.name, occupant.kind, occupant.lineage])).toEqual([
    ["ann", "evidence:d/ann.yml", "evidence", "evidence"],
    ["law", "rules:d/rules.yml", "rules", "rules"],
    ["old", "script:d/script.jsonl", "script", "script"],
    ["eve", "person:Eve", "person", "person:eve"],
    ["cat", "command:cat", "command", "command:cat"],
  ]);
  expect(seats[0]?.occupant.settings).toEqual({ weights: { cost: 2 }, trust: 0.5, cites: 4 });
  expect(seats[1]?.occupant.settings).toMatchObject({ otherwise: { answer: "Y" } });
  expect(seats[2]?.occupant.settings).toMatchObject({ turns: [{ act: "answer" }, { act: "answer" }] });
  expect(seats[3]?.occupant.settings).toEqual({ name: "Eve" });
  expect(seats[4]?.occupant.settings).toMatchObject({
    program: expect.stringMatching(/^\/.*\/cat$/u),
    args: [],
    cwd: desk.cwd,
  });
});

test("Roles of the config give their brief and rubric, and a seat's own words come first.", async () => {
  const desk = newDesk();
  desk.lay(
    "parley.yml",
    "roles:\n  guard: {brief: From the role., rubric: R.}\npanels:\n  team:\n    seats:\n      - {id: a, role: guard, occupant: person, weight: 2}\n      - {id: b, role: guard, brief: My own., occupant: {name: person, lineage: kin}}\n",
  );
  const { input, origins } = await desk.plan("Q?", { panel: "team" });
  expect(input.seats).toMatchObject([
    { id: "a", role: "guard", brief: "From the role.", rubric: "R.", weight: 2, occupant: { lineage: "person:a" } },
    { id: "b", brief: "My own.", rubric: "R.", weight: 1, occupant: { lineage: "kin" } },
  ]);
  expect(origins.find((origin) => origin.path === "panel")).toEqual({
    path: "panel",
    value: "team",
    from: "flag --panel",
  });
});

test("The panel is that of the flag, then of PARLEY_PANEL, then of the case, then the config's default.", async () => {
  const desk = newDesk();
  const seats = (name: string) => `seats: [{id: ${name}1, occupant: person}, {id: ${name}2, occupant: person}]`;
  const config = desk.lay(
    "parley.yml",
    `panels:\n  default: {${seats("d")}}\n  env: {${seats("e")}}\n  named: {${seats("n")}}\n`,
  );
  desk.lay("sub/panel.yml", `${seats("f")}\n`);
  desk.lay("sub/case.yml", "question: Q?\npanel: panel.yml\n");
  const first = async (target: string, flags = {}) => (await desk.plan(target, flags)).input.seats[0]?.id;
  expect(await first("Q?")).toBe("d1");
  expect((await desk.plan("Q?")).notes).toEqual([`The panel "default" of ${config} sits.`]);
  expect((await desk.plan("Q?")).origins.find((origin) => origin.path === "panel")?.from).toBe(`${config}:2`);
  expect(await first("Q?", two)).toBe("ann");
  expect(await first("sub/case.yml")).toBe("f1");
  desk.env.PARLEY_PANEL = "env";
  expect(await first("sub/case.yml")).toBe("e1");
  expect(await first("sub/case.yml", { panel: "named" })).toBe("n1");
  expect(await first("sub/case.yml", { panel: "sub/panel.yml" })).toBe("f1");
});

test("--seat replaces who sits and keeps the rest, or adds a seat.", async () => {
  const desk = newDesk();
  desk.lay("old.jsonl", turn);
  desk.lay(
    "case.yml",
    "question: Q?\npanel:\n  seats:\n    - {id: a, role: guard, weight: 3, lineage: kin, occupant: person}\n    - {id: b, occupant: person}\n",
  );
  const { seats } = (await desk.plan("case.yml", { seat: ["a=script:old.jsonl", "c=person"] })).input;
  expect(seats.map((seat) => seat.id)).toEqual(["a", "b", "c"]);
  expect(seats[0]).toMatchObject({ role: "guard", weight: 3, occupant: { kind: "script", lineage: "script" } });
});

test("Judge and synthesizer are made of code unless told, and can be chains.", async () => {
  const desk = newDesk();
  desk.lay("s.jsonl", turn);
  const plain = await desk.plan("Q?", two);
  expect([plain.input.judges, plain.input.synthesizers]).toEqual([[codeJudge], [codeSynthesizer]]);
  desk.lay(
    "case.yml",
    "question: Q?\npanel:\n  judge: [script:s.jsonl, {name: code:judge}]\n  synthesizer: script:s.jsonl, code:synthesizer\n  seats: [{id: a, occupant: person}, {id: b, occupant: person}]\n",
  );
  const { input, origins } = await desk.plan("case.yml");
  expect(input.judges.map((one) => one.name)).toEqual(["script:s.jsonl", "code:judge"]);
  expect(input.synthesizers.map((one) => one.name)).toEqual(["script:s.jsonl", "code:synthesizer"]);
  expect(origins.find((origin) => origin.path === "judge")?.from).toBe(`${desk.path("case.yml")}:3`);
  expect((await desk.plan("case.yml", { judge: "code:judge" })).input.judges).toEqual([codeJudge]);
});

test("Nobody on the panel gets the ways to seat someone.", async () => {
  const error = await refusal(newDesk().plan("Q?"), "too-few-seats", "Nobody sits", "needs 2");
  expect(error.hint).toMatch(/case file.*--seat ID=OCCUPANT.*parley debate examples\/outage\/case\.yml/u);
});

test("Too few seats for the protocol are refused with both numbers.", async () => {
  await refusal(newDesk().plan("Q?", { seat: ["a=person"] }), "too-few-seats", "needs 2 seats, and the panel has 1");
});

test("More than 64 seats are refused, in a file and by flags.", async () => {
  const desk = newDesk();
  const ids = Array.from({ length: 65 }, (_, index) => `s${index}`);
  await refusal(desk.plan("Q?", { seat: ids.map((id) => `${id}=person`) }), "bad-usage", "65 seats, and 64");
  desk.lay(
    "case.yml",
    `question: Q?\npanel:\n  seats: [${ids.map((id) => `{id: ${id}, occupant: person}`).join(", ")}]\n`,
  );
  await refusal(desk.plan("case.yml"), "bad-config", "case.yml:3", "at most 64 seats");
});

test.each([
  [
    "bad-config",
    "question: Q?\npanel:\n  seats:\n    - {id: a, occupant: person}\n    - {id: A, occupant: person}\n",
    "case.yml:5",
    "case.yml:4",
  ],
  ["unknown-panel", "question: Q?\npanel: temas\n", "case.yml:2", 'Did you mean "teams"?'],
  ["bad-config", "question: Q?\npanel: gone.yml\n", "gone.yml", "no such file"],
  [
    "bad-config",
    "question: Q?\npanel:\n  seats:\n    - {id: a, occupant: {name: person, args: [x]}}\n    - {id: b, occupant: person}\n",
    "case.yml:4",
    '"args"',
  ],
] as const)("A panel is refused (%s) in %j.", async (code, text, ...names) => {
  const desk = newDesk();
  desk.lay("parley.yml", "panels: {teams: {seats: []}}\n");
  desk.lay("case.yml", text);
  const error = await refusal(desk.plan("case.yml"), code, ...names);
  if (code === "unknown-panel") expect(error.hint).toContain("teams");
});

test.each([
  ["ann", "bad-usage", "--seat"],
  ["ann=", "bad-usage", "--seat"],
  ["a/../../b=person", "bad-name", "a/../../b"],
  ["CON=person", "bad-name", "CON"],
  ["ann=persn", "unknown-occupant", 'Did you mean "person"?'],
  ["ann=:x", "unknown-occupant", "no kind"],
  ["ann=openai:gpt", "unknown-occupant", "not in this version"],
  ["ann=acp:claude", "unknown-occupant", "not in this version"],
  ["ann=evidence", "unknown-occupant", "needs a file"],
  ["ann=evidence:gone.yml", "bad-config", "gone.yml"],
  ["ann=code:judge", "unknown-occupant", "cannot take a seat"],
  ["ann=script:bad.jsonl", "bad-config", "bad.jsonl:2"],
  ["ann=script:odd.jsonl", "bad-config", "odd.jsonl:3"],
  ["ann=rules:rules.yml", "bad-config", "rules.yml:2"],
  ["ann=evidence:dossier.yml", "bad-config", "dossier.yml:1", 'Did you mean "weights"?'],
  ["ann=command:./gone", "unknown-occupant", "no file"],
  ["ann=command:./plain", "unknown-occupant", "not executable"],
  ["ann=command:no-such-program", "unknown-occupant", "PATH"],
] as const)("--seat %s is refused as %s.", async (seat, code, ...names) => {
  const desk = newDesk();
  desk.lay("bad.jsonl", `${turn}not json\n`);
  desk.lay("odd.jsonl", `${turn}\n{"act":"answer"}\n`);
  desk.lay("rules.yml", "rules:\n  - when: {}\n    answer: x\n    because: y\notherwise: {answer: x, because: y}\n");
  desk.lay("dossier.yml", "weight: {cost: 1}\nitems: [{ref: a, text: b}]\n");
  desk.lay("plain", "text", 0o644);
  await refusal(desk.plan("Q?", { seat: [seat, "bob=person"] }), code, ...names);
});

test("A seat named twice on the command line is refused.", async () => {
  await refusal(newDesk().plan("Q?", { seat: ["a=person", "A=person"] }), "bad-usage", "twice");
});

test.each([["evidence:x.yml"], ["person"], ["code:synthesizer"], ["code:judge,,code:judge"]])(
  "%s cannot judge.",
  async (judge) => {
    const error: unknown = await newDesk()
      .plan("Q?", { ...two, judge })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: expect.stringMatching(/^(unknown-occupant|bad-usage)$/u),
      hint: expect.stringMatching(/\S/u),
    });
  },
);
