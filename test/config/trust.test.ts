/** Trust: no program that a file names is run before somebody has seen the command and allowed it. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "../../src/chain.ts";
import { commandLine } from "../../src/config/trust.ts";
import { type Desk, newDesk, refusal } from "./desk.ts";

function layCommand(desk: Desk, occupant = '{name: "command:./answer.sh", args: [--fast, "a b"]}'): string {
  desk.lay("answer.sh", "#!/bin/sh\nexit 1\n", 0o755);
  return desk.lay(
    "case.yml",
    `question: Q?\npanel:\n  seats:\n    - {id: a, occupant: ${occupant}}\n    - {id: b, occupant: person}\n`,
  );
}

const recordOf = (desk: Desk) => join(desk.env.HOME ?? "", ".local/state/parley/trust.json");

test("A command in a file is refused until it is allowed, and the exact command is shown.", async () => {
  const desk = newDesk();
  const file = layCommand(desk);
  const error = await refusal(desk.plan("case.yml"), "untrusted", file, `${desk.path("answer.sh")} --fast "a b"`);
  expect(error.hint).toContain("--trust");
  expect(existsSync(recordOf(desk))).toBe(false);
});

test("--trust allows and records it, for that file and that command only.", async () => {
  const desk = newDesk();
  const file = layCommand(desk);
  const { input } = await desk.plan("case.yml", { trust: true });
  expect(input.seats[0]?.occupant.settings).toMatchObject({
    program: desk.path("answer.sh"),
    args: ["--fast", "a b"],
    cwd: desk.cwd,
  });
  expect(JSON.parse(readFileSync(recordOf(desk), "utf8"))).toMatchObject({
    version: 1,
    allowed: [{ file, command: [desk.path("answer.sh"), "--fast", "a b"] }],
  });
  expect(statSync(recordOf(desk)).mode & 0o777).toBe(0o600);
  expect(statSync(join(recordOf(desk), "..")).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(recordOf(desk), ".."))).toEqual(["trust.json"]);
  await desk.plan("case.yml");
  layCommand(desk, '{name: "command:./answer.sh", args: [--slow]}');
  await refusal(desk.plan("case.yml"), "untrusted", "--slow");
  desk.lay("copy.yml", readFileSync(layCommand(desk), "utf8"));
  await refusal(desk.plan("copy.yml"), "untrusted", "copy.yml");
});

test("A person is asked once with the whole command, and a no is a refusal.", async () => {
  const desk = newDesk();
  layCommand(desk, '{name: "command:./answer.sh", env: [MY_KEY]}');
  const asked: string[] = [];
  const answering = (yes: boolean) => async (sentence: string) => {
    asked.push(sentence);
    return yes;
  };
  await refusal(desk.plan("case.yml", {}, { confirm: answering(false) }), "untrusted", "MY_KEY");
  await desk.plan("case.yml", {}, { confirm: answering(true) });
  await desk.plan("case.yml", {}, { confirm: answering(true) });
  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain(`${desk.path("answer.sh")} (it is given the variables MY_KEY)`);
});

test("A command typed on the command line needs no permission.", async () => {
  const desk = newDesk();
  layCommand(desk);
  const { input } = await desk.plan("Q?", { seat: ["a=command:./answer.sh", "b=person"] });
  expect(input.seats[0]?.occupant.kind).toBe("command");
  expect(existsSync(recordOf(desk))).toBe(false);
});

test("Panels of the config, panel files and judges need permission too.", async () => {
  const desk = newDesk();
  layCommand(desk);
  const panel = "seats: [{id: a, occupant: person}, {id: b, occupant: person}]\njudge: command:./answer.sh\n";
  const file = desk.lay("panel.yml", panel);
  await refusal(desk.plan("Q?", { panel: "panel.yml" }), "untrusted", file);
  const config = desk.lay("parley.yml", `panels:\n  default:\n    ${panel.replaceAll("\n", "\n    ")}\n`);
  await refusal(desk.plan("Q?"), "untrusted", config);
});

test("A repository cannot bring its own permission along.", async () => {
  const desk = newDesk();
  const file = layCommand(desk, "command:./answer.sh");
  const program = desk.path("answer.sh");
  const hash = sha256(JSON.stringify({ command: [program], env: [] }));
  const record = JSON.stringify({ version: 1, allowed: [{ file, hash, command: [program] }] });
  desk.lay(".parley/trust.json", record);
  await refusal(desk.plan("case.yml"), "untrusted", program);
  // The same record in the user's own folder is a permission, so it is the place that was refused and not the record.
  await desk.plan("case.yml", {}, { env: { ...desk.env, PARLEY_STATE: desk.path(".parley") } });
});

test("Nobody is asked about a run that could not begin.", async () => {
  const desk = newDesk();
  layCommand(desk);
  const confirm = () => Promise.reject(new Error("asked too early"));
  await refusal(desk.plan("case.yml", { evidence: ["gone.md"] }, { confirm }), "bad-evidence", "gone.md");
  await refusal(desk.plan("case.yml", { id: "../x" }, { confirm }), "bad-name");
});

test("A broken record is named and not overwritten.", async () => {
  const desk = newDesk();
  layCommand(desk);
  desk.lay("../home/.local/state/parley/trust.json", "{");
  await refusal(desk.plan("case.yml", { trust: true }), "bad-config", recordOf(desk));
  expect(readFileSync(recordOf(desk), "utf8")).toBe("{");
});

test("A folder that cannot be written to is named.", async () => {
  const desk = newDesk();
  layCommand(desk);
  desk.lay("file", "");
  const env = { ...desk.env, PARLEY_STATE: desk.path("file/inner") };
  await refusal(desk.plan("case.yml", { trust: true }, { env }), "bad-config", "cannot be recorded");
});

test("Nothing in a command can hide from its reader.", () => {
  const line = commandLine({ program: "/bin/x", args: ["\u001b[2K", "a\u202eb", "\u200b", ""] });
  expect(line).toBe('/bin/x "\\u001b[2K" "a\\u202eb" "\\u200b" ""');
});
