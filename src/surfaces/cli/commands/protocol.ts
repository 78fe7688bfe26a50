/**
 * `parley debate …` and every other protocol: plans the run from the case, the config and the flags, and drives it.
 *
 * Everything that can be refused is refused before the state folder is touched, so a mistake leaves nothing behind.
 */
import { spawn } from "node:child_process";
import { mkdir, open as openFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type PlanFlags, plan } from "../../../config/index.ts";
import { UsageError } from "../../../errors.ts";
import { protocols } from "../../../protocols/index.ts";
import { oneLine } from "../../../render/safe.ts";
import type { RunInput } from "../../../run.ts";
import { open, run } from "../../../run.ts";
import { asker } from "../asking.ts";
import { driveRun, surroundings } from "../driving.ts";
import { dryRun } from "../dry-run.ts";
import type { Call, Command } from "../io.ts";
import { commandName } from "../io.ts";
import { protocolOptions } from "../protocol-flags.ts";
import { openStore } from "../state.ts";
import { readStdin } from "../stdin.ts";
import { rememberPrograms } from "../trusting.ts";
import { targetOf } from "../writing.ts";

/** The command of one protocol. */
export function protocol(name: string): Command {
  return async (call) => {
    const target = await targetOf(call);
    const planned = await planRun(call, name);
    for (const note of planned.notes) call.out.mention(oneLine(note));
    if (call.flags.dryRun === true) return dryRun(call, planned);
    const { stdin, stderr } = call.io;
    const terminal = stdin.isTTY === true && stderr.isTTY === true && call.flags.input !== false;
    if (!terminal) checkPeople(planned.input, "there is no terminal to ask at", "Run it at a terminal");
    if (call.flags.detach === true) return detach(call, planned.input);
    const opened = await openStore(call, "write");
    try {
      await rememberPrograms(call, planned.input, opened.store.place);
      const go = (drive: Parameters<typeof run>[1]) => run(planned.input, drive);
      return await driveRun(call, { opened, target, known: null, best: planned.best, go });
    } finally {
      await opened.store.close();
    }
  };
}

async function planRun(call: Call, name: string) {
  const [target] = call.args;
  const flags = planFlags(call, name);
  const fromStdin = target === "-" || flags.context?.includes("-") === true;
  if (target === "-" && flags.context?.includes("-")) {
    throw new UsageError("bad-usage", "stdin cannot be both the question and material.", {
      hint: "Give one of them as a file.",
    });
  }
  if (flags.context) flags.context = flags.context.filter((path) => path !== "-");
  const stdin = fromStdin ? await readStdin(call) : null;
  return plan({
    cwd: call.cwd,
    env: call.io.env,
    protocol: name,
    protocols,
    target,
    stdin,
    flags,
    confirm: asker(call),
  });
}

const planned = [
  "panel",
  "seat",
  "judge",
  "synthesizer",
  "evidence",
  "context",
  "maxTokens",
  "budget",
  "maxTurns",
  "maxTime",
  "turnTimeout",
  "quorum",
  "inDoubt",
  "onBudget",
  "seed",
  "id",
  "config",
  "trust",
] as const satisfies readonly (keyof PlanFlags)[];

function planFlags(call: Call, name: string): PlanFlags {
  const given = planned.filter((flag) => call.flags[flag] !== undefined).map((flag) => [flag, call.flags[flag]]);
  const definition = protocols[name];
  const options = definition ? protocolOptions(definition, call.flags) : {};
  return { ...(Object.fromEntries(given) as PlanFlags), ...(Object.keys(options).length > 0 ? { options } : {}) };
}

/** Creates the run, starts a process that goes on with it, and says which run it is. */
/** A run with a person in it is refused before anyone is asked, where the person could not be. */
function checkPeople(input: RunInput, why: string, instead: string): void {
  const person = input.seats.find((seat) => seat.occupant.kind === "person");
  if (!person) return;
  throw new UsageError("bad-usage", `Seat ${person.id} is a person, and ${why}.`, {
    hint: `${instead}, or fill the seat with another occupant.`,
  });
}

async function detach(call: Call, input: RunInput): Promise<number> {
  checkPeople(input, "nobody is there to ask once the run is left alone", "Leave out --detach");
  const opened = await openStore(call, "write");
  try {
    await rememberPrograms(call, input, opened.store.place);
    const id = await open(input, { ...(await surroundings()), store: opened.store });
    await opened.store.close();
    const log = join(opened.folder, "logs", `${id}.log`);
    await startApart(call, id, log);
    if (call.out.json) call.out.answerJson({ ok: true, run: id, detached: true, log });
    else call.out.answer(`${id}\n`);
    const parley = commandName(call.io);
    call.out.mention(`next    ${parley} watch ${id} · ${parley} cancel ${id} · ${parley} show ${id}`);
    return 0;
  } finally {
    await opened.store.close();
  }
}

async function startApart(call: Call, id: string, log: string): Promise<void> {
  await mkdir(join(log, ".."), { recursive: true, mode: 0o700 });
  const file = await openFile(log, "a", 0o600);
  const [program = process.execPath, ...args] = call.io.self;
  // The store may be named in a config file that was given by a flag, so the child is given it too.
  const { config } = call.flags;
  const same = typeof config === "string" ? ["--config", resolve(call.cwd, config)] : [];
  const child = spawn(program, [...args, "resume", id, "--no-input", ...same], {
    cwd: call.cwd,
    env: { ...call.io.env, CI: call.io.env.CI ?? "1" },
    stdio: ["ignore", file.fd, file.fd],
    detached: true,
  });
  await new Promise<void>((spawned, failed) => child.once("spawn", spawned).once("error", failed));
  child.unref();
  await file.close();
}
