import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { command, environment, outputLimit } from "../../../src/adapters/occupants/command.ts";
import { startProgram } from "../../../src/adapters/occupants/process-group.ts";
import { SeatError } from "../../../src/errors.ts";
import { call, makeItem, makeRequest } from "./requests.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-command-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const specWith = (settings: object) => ({
  name: "command:./x",
  kind: "command",
  lineage: "command:x",
  settings: settings as never,
});
/** A program made of one line of JavaScript. */
const program = (source: string, more: object = {}) =>
  command(specWith({ program: process.execPath, args: ["-e", source], ...more }));
const ask = (source: string, more: object = {}, signal?: AbortSignal) =>
  program(source, more).reply(makeRequest(), call(signal));

const echo = "let s='';process.stdin.on('data',d=>s+=d).on('end',()=>{const r=JSON.parse(s);";

test("The program is told every part of the request, and the reply's shape as JSON Schema.", async () => {
  const occupant = program(`${echo}process.stdout.write(JSON.stringify({got:r}))})`);
  const items = new Map([["E1", makeItem("E1")]]);
  const reply = await occupant.reply(makeRequest({ items }), call());
  const { got } = JSON.parse(reply.text);
  expect(got).toMatchObject({
    run: "run-1",
    key: "round-0/one/answer",
    attempt: 1,
    act: "answer",
    round: 0,
    own: null,
    repair: null,
  });
  expect(got.evidence[0].ref).toBe("E1");
  expect(got.reply.$defs.Opening.required).toEqual(expect.arrayContaining(["answer", "claims", "verdict"]));
  expect(got.seat).toMatchObject({ id: "one" });
  expect(got.seat.occupant).toBeUndefined();
  expect(reply.usage).toBeNull();
});

test("An envelope gives the reply and its usage; a bare reply is passed on as it stands.", async () => {
  const envelope = await ask(
    `console.log(JSON.stringify({reply:{answer:'red'},usage:{inputTokens:5,outputTokens:6}}))`,
  );
  expect(envelope).toEqual({ text: '{"answer":"red"}', usage: { inputTokens: 5, outputTokens: 6 } });
  expect((await ask(`console.log('Well: {"answer":"red"}')`)).text).toBe('Well: {"answer":"red"}\n');
  expect((await ask(`console.log(JSON.stringify({reply:'x',answer:'red'}))`)).text).toBe(
    '{"reply":"x","answer":"red"}\n',
  );
});

test("A program that never reads its input may still answer.", async () => {
  const large = { ...makeRequest(), user: "x".repeat(3_000_000) };
  const reply = await program(`process.stdin.destroy();console.log('{}')`).reply(large, call());
  expect(reply.text).toBe("{}\n");
});

test("A failing program is a crash with its exit code and the end of what it complained of, on one line.", async () => {
  const failure = await ask(`console.error('x'.repeat(5000)+'\\nthe end');console.log('half');process.exit(3)`).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ kind: "agent_crashed", facts: { raw: "half\n" } });
  const { message } = failure as SeatError;
  expect(message).toContain("ended with exit code 3: x");
  expect(message).toContain("the end");
  expect(message).not.toContain("\n");
  expect(message.length).toBeLessThan(2_300);
  await expect(ask(`process.kill(process.pid,'SIGKILL')`)).rejects.toMatchObject({
    message: expect.stringContaining("was ended by SIGKILL"),
  });
});

test("A program that says nothing is an empty reply.", async () => {
  await expect(ask(`console.log('  ')`)).rejects.toMatchObject({ kind: "empty" });
});

test("A program that writes too much is stopped, and the head of it is kept.", async () => {
  const endless = `const b='y'.repeat(65536);(function f(){while(process.stdout.write(b));process.stdout.once('drain',f)})()`;
  const failure = await ask(endless).catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: "output_too_large", message: expect.stringContaining(String(outputLimit)) });
  expect((failure as SeatError).facts.raw).toMatch(/^y{2000}$/u);
});

test("A program that is not there, or cannot be run, is not supported, with the cause.", async () => {
  const request = makeRequest();
  await expect(command(specWith({ program: join(folder, "nothing") })).reply(request, call())).rejects.toMatchObject({
    kind: "unsupported",
    message: expect.stringContaining("ENOENT"),
  });
  const plain = join(folder, "plain.txt");
  writeFileSync(plain, "hello");
  chmodSync(plain, 0o644);
  await expect(command(specWith({ program: plain })).reply(request, call())).rejects.toMatchObject({
    kind: "unsupported",
    message: expect.stringContaining("EACCES"),
  });
});

test("Nothing goes through a shell.", async () => {
  const target = join(folder, "made-by-a-shell");
  const occupant = command(
    specWith({ program: process.execPath, args: ["-e", "console.log(process.argv[1])", `; touch ${target}`] }),
  );
  expect((await occupant.reply(makeRequest(), call())).text).toBe(`; touch ${target}\n`);
  expect(existsSync(target)).toBe(false);
});

test("The program is given the listed variables and no others.", async () => {
  process.env.PARLEY_TEST_SECRET = "hidden";
  process.env.PARLEY_TEST_NAMED = "shown";
  try {
    const reply = await ask(`console.log(JSON.stringify(process.env))`, { env: ["PARLEY_TEST_NAMED"] });
    const given = JSON.parse(reply.text);
    expect(given).toMatchObject({ PARLEY_TEST_NAMED: "shown", PATH: process.env.PATH });
    expect(given.PARLEY_TEST_SECRET).toBeUndefined();
  } finally {
    delete process.env.PARLEY_TEST_SECRET;
    delete process.env.PARLEY_TEST_NAMED;
  }
  expect(environment({ LC_ALL: "C", LC_x: "1", PATHS: "x", TZ: "UTC", HOME: undefined }, [])).toEqual({
    LC_ALL: "C",
    TZ: "UTC",
  });
});

/** Starts a child that waits for ever, and writes both process ids to a file. */
const family = (file: string) =>
  `const c=require('child_process').spawn(process.execPath,['-e','setInterval(()=>{},1000)'],{stdio:'inherit'});` +
  `require('fs').writeFileSync(${JSON.stringify(file)},process.pid+' '+c.pid);`;
const forever = "setInterval(()=>{},1000);";

async function untilWritten(file: string): Promise<number[]> {
  while (!existsSync(file) || !/^\d+ \d+$/u.test(readFileSync(file, "utf8")))
    await new Promise((next) => setTimeout(next, 10));
  return readFileSync(file, "utf8").split(" ").map(Number);
}

/** A process that is gone, or dead and only waiting to be collected by a parent that is not ours. */
function gone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.startsWith("Z") ?? true;
  } catch {
    return true;
  }
}

/** A killed process is gone a moment after the signal; a test that waits here for ever has found one that was not killed. */
async function untilGone(pids: readonly number[]): Promise<void> {
  while (!pids.every(gone)) await new Promise((next) => setTimeout(next, 10));
}

test("An aborted call ends the program and everything it started.", async () => {
  const file = join(folder, "aborted");
  const controller = new AbortController();
  const waiting = ask(family(file) + forever, {}, controller.signal);
  const pids = await untilWritten(file);
  expect(pids.map(gone)).toEqual([false, false]);
  controller.abort(new SeatError("timeout", "The turn took too long."));
  await expect(waiting).rejects.toMatchObject({ kind: "timeout" });
  await untilGone(pids);
  await expect(ask("", {}, AbortSignal.abort())).rejects.toMatchObject({ kind: "cancelled" });
});

test("What a program leaves running behind it is ended with the call, and its answer stands.", async () => {
  const file = join(folder, "left");
  const reply = await ask(`${family(file)}process.stdout.write('{}',()=>process.exit(0))`);
  expect(reply.text).toBe("{}");
  const pids = await untilWritten(file);
  await untilGone(pids);
});

test("A program that will not be asked is ended when its time is up.", async () => {
  const file = join(folder, "deaf");
  const controller = new AbortController();
  const source = `process.on('SIGTERM',()=>require('fs').writeFileSync(${JSON.stringify(`${file}.heard`)},''));${family(file)}${forever}`;
  const { ended } = startProgram({
    program: process.execPath,
    args: ["-e", source],
    cwd: folder,
    env: {},
    input: "",
    outputLimit,
    signal: controller.signal,
    graceMs: 300,
  });
  const pids = await untilWritten(file);
  controller.abort();
  await expect(ended).rejects.toMatchObject({ kind: "cancelled" });
  expect(existsSync(`${file}.heard`)).toBe(true);
  await untilGone(pids);
});

test("Closing the occupant ends the calls under way.", async () => {
  const file = join(folder, "closed");
  const occupant = program(family(file) + forever);
  const waiting = occupant.reply(makeRequest(), call()).catch((error: unknown) => error);
  const pids = await untilWritten(file);
  await occupant.close?.();
  expect(await waiting).toMatchObject({ kind: "agent_crashed" });
  await untilGone(pids);
});

test("Its cap is an estimate without a price, or nothing when it is free.", () => {
  const request = { ...makeRequest(), system: "x".repeat(10), user: "y".repeat(11) };
  expect(program("").cap(request)).toEqual({ tokens: 6 + 4096, usd: null });
  expect(program("", { free: true }).cap(request)).toEqual({ tokens: 0, usd: 0 });
  expect(program("")).toMatchObject({ acts: false, pure: false, streams: false });
});

test("A program is named by its absolute path.", () => {
  expect(() => command(specWith({ program: "node" }))).toThrow(/absolute path/u);
  expect(() => command(specWith({ program: "/bin/x", env: ["A=1"] }))).toThrow(/names of variables/u);
});

test("A process that left the group and holds the pipes does not hold the call.", async () => {
  const note = join(folder, "left-behind");
  const leave = `const {spawn}=require('child_process');const c=spawn('sleep',['30'],{detached:true,stdio:'inherit'});c.unref();`;
  const source = `${leave}require('fs').writeFileSync(${JSON.stringify(note)},String(c.pid));process.stdout.write('{"answer":"red"}');process.exit(0)`;
  expect((await ask(source)).text).toBe('{"answer":"red"}');
  process.kill(Number(readFileSync(note, "utf8")), "SIGKILL");
});

test("An envelope nested deeper than any parser should go is passed on for the room to refuse.", async () => {
  const reply = await ask("process.stdout.write('{\"reply\":'+'['.repeat(100000)+']'.repeat(100000)+'}')");
  expect(reply.usage).toBeNull();
  expect(reply.text).toHaveLength(200_010);
});
