/** Config: its layers, where each value came from, and what a project file may not hold. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import {
  CaseFile,
  Config,
  Dossier,
  defaultConfigText,
  type Origin,
  PanelFile,
  type PlanFlags,
  resolveConfig,
  stateFolder,
} from "../../src/config/index.ts";
import { parseYaml } from "../../src/config/yaml-file.ts";
import { type Desk, newDesk, refusal, two } from "./desk.ts";

const originOf = (origins: Origin[], path: string) => origins.find((origin) => origin.path === path);
const limitIn = (desk: Desk, where: string, value: number) =>
  desk.lay(where, `# one\nbudgets:\n  maxTokens: ${value}\n`);

test("Flags come before variables, the case, --config, the project's file, the user's file and the defaults.", async () => {
  const desk = newDesk();
  const resolved = async (flags = {}, target = "Q?") => {
    const { input, origins } = await desk.plan(target, { ...two, ...flags });
    const origin = originOf(origins, "budgets.maxTokens");
    return [input.limits?.maxTokens, origin?.value, origin?.from];
  };
  expect(await resolved()).toEqual([undefined, null, "default"]);
  const user = limitIn(desk, "../home/.config/parley/config.yml", 1);
  expect(await resolved()).toEqual([1, 1, `user file ${user}:3`]);
  const project = limitIn(desk, "parley.yml", 2);
  expect(await resolved()).toEqual([2, 2, `${project}:3`]);
  const explicit = limitIn(desk, "other/mine.yml", 3);
  expect(await resolved({ config: "other/mine.yml" })).toEqual([3, 3, `${explicit}:3`]);
  const asked = desk.lay("case.yml", "question: Q?\nbudget:\n  maxTokens: 4\n");
  expect(await resolved({ config: "other/mine.yml" }, "case.yml")).toEqual([4, 4, `${asked}:3`]);
  desk.env.PARLEY_MAX_TOKENS = "5";
  expect(await resolved({ config: "other/mine.yml" }, "case.yml")).toEqual([5, 5, "PARLEY_MAX_TOKENS"]);
  expect(await resolved({ maxTokens: "6" }, "case.yml")).toEqual([6, 6, "flag --max-tokens"]);
  expect(await resolved({ maxTokens: "none" }, "case.yml")).toEqual([null, null, "flag --max-tokens"]);
});

test("Every budget can be said by flag and by variable, and reaches the engine in its own units.", async () => {
  const desk = newDesk();
  const flags = {
    maxTokens: 10,
    budget: "2.5",
    maxTurns: "7",
    maxTime: "5m",
    turnTimeout: "90s",
    quorum: 2,
    inDoubt: "ask",
    onBudget: "resume",
  };
  const limits = {
    maxTokens: 10,
    maxUsd: 2.5,
    maxTurns: 7,
    maxTimeMs: 300_000,
    turnTimeoutMs: 90_000,
    quorum: 2,
    inDoubt: "ask",
    onBudget: "resume",
  };
  expect((await desk.plan("Q?", { ...two, ...flags })).input.limits).toEqual(limits);
  for (const [key, value] of Object.entries(flags))
    desk.env[`PARLEY_${key.replace(/[A-Z]/gu, (one) => `_${one}`).toUpperCase()}`] = String(value);
  expect((await desk.plan("Q?", two)).input.limits).toEqual(limits);
});

test.each<[PlanFlags, ...string[]]>([
  [{ maxTokens: "lots" }, "--max-tokens", '"lots"'],
  [{ maxTokens: "-1" }, "--max-tokens"],
  [{ maxTokens: "1.5" }, "--max-tokens"],
  [{ budget: "1,50" }, "--budget", "US dollars"],
  [{ quorum: 0 }, "--quorum"],
  [{ maxTime: "0s" }, "--max-time", "duration"],
  [{ turnTimeout: "none" }, "--turn-timeout"],
  [{ inDoubt: "maybe" }, "--in-doubt", "retry, fail or ask"],
  [{ onBudget: "stop" }, "--on-budget", "harvest, continue or resume"],
])("The flags %j are refused by name.", async (flags, ...names) => {
  await refusal(newDesk().plan("Q?", { ...two, ...flags }), "bad-usage", ...names);
});

test("A variable that cannot be read is named.", async () => {
  const desk = newDesk();
  desk.env.PARLEY_QUORUM = "half";
  await refusal(desk.plan("Q?", two), "bad-usage", "PARLEY_QUORUM", '"half"');
  await refusal(resolveConfig(desk), "bad-usage", "PARLEY_QUORUM");
});

test("The nearest file is found from a folder within, and not beyond the repository root.", async () => {
  const desk = newDesk();
  mkdirSync(desk.path("a/b"), { recursive: true });
  limitIn(desk, "../parley.yml", 1);
  expect((await resolveConfig({ cwd: desk.path("a/b"), env: desk.env })).files).toEqual([]);
  const top = limitIn(desk, "parley.yml", 2);
  expect((await resolveConfig({ cwd: desk.path("a/b"), env: desk.env })).files).toEqual([top]);
  const near = limitIn(desk, "a/parley.yml", 3);
  const { config, files } = await resolveConfig({ cwd: desk.path("a/b"), env: desk.env });
  expect([files, config.budgets?.maxTokens]).toEqual([[near], 3]);
});

test("Outside a repository only the working folder counts.", async () => {
  const desk = newDesk();
  const loose = desk.path("../loose/inner");
  mkdirSync(loose, { recursive: true });
  limitIn(desk, "../loose/parley.yml", 1);
  expect((await resolveConfig({ cwd: loose, env: desk.env })).files).toEqual([]);
  expect((await resolveConfig({ cwd: desk.path("../loose"), env: desk.env })).files).toHaveLength(1);
});

test("Layers are merged one setting at a time, with an origin for each.", async () => {
  const desk = newDesk();
  const user = desk.lay(
    "../home/.config/parley/config.yml",
    "budgets: {maxTurns: 9, maxTokens: 1}\nprotocols: {debate: {rounds: 2, threshold: 0.5}}\n",
  );
  const project = desk.lay(
    "parley.yml",
    "budgets:\n  maxTokens: 2\nprotocols:\n  debate:\n    rounds: 3\nevidence: [docs]\nstore:\n  path: runs\n",
  );
  const { config, origins, files } = await resolveConfig(desk);
  expect(files).toEqual([project, user]);
  expect(config.budgets).toMatchObject({ maxTokens: 2, maxTurns: 9, onBudget: "harvest", turnTimeout: "120s" });
  expect(config.protocols).toEqual({ debate: { rounds: 3, threshold: 0.5 } });
  expect(config.store).toEqual({ path: desk.path("runs") });
  expect(config.evidence).toEqual([desk.path("docs")]);
  expect(originOf(origins, "protocols.debate.rounds")?.from).toBe(`${project}:5`);
  expect(originOf(origins, "protocols.debate.threshold")?.from).toBe(`user file ${user}:2`);
  expect(originOf(origins, "store.path")?.from).toBe(`${project}:8`);
  expect(originOf(origins, "budgets.onBudget")?.from).toBe("default");
  expect(Config.safeParse(config).success).toBe(true);
});

test("A config that is named and missing is an error.", async () => {
  await refusal(resolveConfig({ ...newDesk(), config: "gone.yml" }), "bad-config", "gone.yml", "no such file");
});

test.each(["endpoints", "blackboard", "approval"])("%s is refused as not in this version.", async (key) => {
  const desk = newDesk();
  desk.lay("parley.yml", `budgets: {}\n${key}: {}\n`);
  await refusal(desk.plan("Q?", two), "bad-config", "parley.yml:2", "not in this version");
});

test.each([
  ["endpoint: {}\n", "parley.yml:1", 'unknown key "endpoint"'],
  ["budgets:\n  maxToken: 1\n", "parley.yml:2", 'Did you mean "maxTokens"?'],
  ["panels:\n  ../x:\n    seats: []\n", "parley.yml:2", "../x"],
  ["panels:\n  __proto__:\n    seats: []\n", "parley.yml:2"],
  ["protocols:\n  debate:\n    round: 2\n", "parley.yml:3", 'Did you mean "rounds"?'],
  ["protocols:\n  debate:\n    rounds: -2\n", "parley.yml:3", "rounds cannot be -2"],
  ["protocols:\n  debates:\n    rounds: 2\n", "parley.yml:3", 'Did you mean "debate"?'],
])("A project file %j is refused with its line.", async (text, ...names) => {
  const desk = newDesk();
  desk.lay("parley.yml", text);
  await refusal(desk.plan("Q?", two), "bad-config", ...names);
});

test.each([
  ["roles:\n  x:\n    brief: sk-abcdefgh12345678\n", "parley.yml:3"],
  ["apiKey: hunter2hunter2\n", "parley.yml:1"],
  ["store:\n  path: runs\n  api_key: hunter2hunter2\n", "parley.yml:3"],
])("A secret in a project file is refused, and not repeated (%j).", async (text, place) => {
  const desk = newDesk();
  desk.lay("parley.yml", text);
  const error = await refusal(resolveConfig(desk), "bad-config", place, "secret");
  expect(`${error.message} ${error.hint}`).not.toMatch(/hunter2|abcdefgh/u);
});

test("Options come from flags, then the case, then the config, and are read in the protocol's own types.", async () => {
  const desk = newDesk();
  desk.lay("parley.yml", "protocols: {debate: {rounds: 1, threshold: 0.1, stallAfter: 5}}\n");
  desk.lay("case.yml", "question: Q?\nwith:\n  rounds: 2\n  threshold: 0.2\n");
  const { input, origins } = await desk.plan("case.yml", { ...two, options: { rounds: "3", anonymous: "false" } });
  expect(input.options).toEqual({ rounds: 3, threshold: 0.2, stallAfter: 5, anonymous: false });
  expect(originOf(origins, "protocols.debate.rounds")).toMatchObject({ from: "flag --rounds" });
  expect(originOf(origins, "protocols.debate.threshold")).toMatchObject({
    value: 0.2,
    from: `${desk.path("case.yml")}:4`,
  });
});

test.each<[Record<string, unknown>, ...string[]]>([
  [{ rounds: "many" }, "--rounds", '"many"'],
  [{ rounds: 99 }, "--rounds"],
  [{ roundz: 1 }, 'Did you mean "--rounds"?'],
  [{ stallAfte: 1 }, 'Did you mean "--stall-after"?'],
])("The option flags %j are refused by name.", async (options, ...names) => {
  await refusal(newDesk().plan("Q?", { ...two, options }), "bad-usage", ...names);
});

test("An option in a case that the protocol does not have is refused with its line.", async () => {
  const desk = newDesk();
  desk.lay("case.yml", "question: Q?\nwith:\n  treshold: 0.2\n");
  await refusal(desk.plan("case.yml", two), "bad-config", "case.yml:3", 'Did you mean "threshold"?');
});

test("The state folder is PARLEY_STATE, else .parley up to the root, else the user's; nothing is created.", () => {
  const desk = newDesk();
  const inner = desk.path("a");
  mkdirSync(inner);
  const folder = (env = {}) => stateFolder({ cwd: inner, env: { ...desk.env, ...env } });
  expect(folder()).toEqual({ path: join(desk.env.HOME ?? "", ".local/state/parley"), from: "default" });
  expect(folder({ XDG_STATE_HOME: "/x" })).toEqual({ path: "/x/parley", from: "XDG_STATE_HOME" });
  expect(folder({ XDG_STATE_HOME: "relative" }).from).toBe("default");
  mkdirSync(desk.path(".parley"));
  expect(folder({ XDG_STATE_HOME: "/x" }).path).toBe(desk.path(".parley"));
  expect(folder({ PARLEY_STATE: "here" })).toEqual({ path: join(inner, "here"), from: "PARLEY_STATE" });
});

test("The config that init writes has the shape of a config and three seats.", async () => {
  const file = await parseYaml("parley.yml", defaultConfigText());
  const config = Config.parse(file.data);
  expect(config.panels?.default?.seats.map((seat) => seat.id)).toEqual(["build", "run", "risk"]);
  expect(config.protocols?.debate).toEqual({ rounds: 4, threshold: 0.85 });
});

test("Every file shape prints a JSON schema.", () => {
  for (const shape of [Config, CaseFile, PanelFile, Dossier]) {
    const text = JSON.stringify(z.toJSONSchema(shape, { io: "input" }));
    expect(text).toContain('"additionalProperties":false');
  }
});
