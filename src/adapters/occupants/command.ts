/**
 * The command occupant: any program that reads one JSON request from stdin and writes one JSON reply to stdout.
 *
 * The program runs without a shell, with a short list of environment variables, in a process group of its own: when the call is
 * over, however it ended, nothing of the group is left running.
 */
import { basename, isAbsolute } from "node:path";
import * as z from "zod";
import { SeatError } from "../../errors.ts";
import { jsonDepth } from "../../json-depth.ts";
import type { Occupant, Reply, Request } from "../../ports.ts";
import type { OccupantSpec } from "../../seat.ts";
import { type Ended, startProgram } from "./process-group.ts";
import { settingsOf } from "./settings.ts";
import { clip } from "./words.ts";

const folder = z.string().check(z.refine((path) => isAbsolute(path), "an absolute path is needed"));

export const CommandSettings = z
  .strictObject({
    program: folder.describe("The program, as an absolute path; it is run without a shell."),
    args: z.array(z.string()).max(100).default([]).describe("Its arguments, passed on as they stand."),
    cwd: folder.nullable().default(null).describe("The folder it runs in; null is the folder of the run."),
    env: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u, "give the names of variables, without values"))
      .max(100)
      .default([])
      .describe("Names of environment variables it is given besides PATH, HOME, LANG, LC_*, TZ and TMPDIR."),
    free: z
      .boolean()
      .default(false)
      .describe("Whether a call is known to cost nothing, so that no budget is set aside for it."),
    acts: z
      .boolean()
      .default(false)
      .describe(
        "Whether a call changes anything but its answer; then one cut off by a crash is asked about before it is made again.",
      ),
  })
  .meta({ id: "CommandSettings" });
export type CommandSettings = z.infer<typeof CommandSettings>;

/** Longest reply that is read, in bytes. */
export const outputLimit = 4 * 1024 * 1024;
const outputTokens = 4_096;
const envelopeDepth = 200;
const headLimit = 2_000;

const Envelope = z.strictObject({
  reply: z.json(),
  usage: z.object({ inputTokens: z.int().min(0), outputTokens: z.int().min(0) }).nullish(),
});

/** Makes an occupant that runs a program. */
export function command(spec: OccupantSpec): Occupant {
  const settings = settingsOf(CommandSettings, spec);
  const running = new Set<{ stop(): Promise<void> }>();
  return {
    endpoint: null,
    pure: false,
    acts: settings.acts,
    streams: false,
    cap: ({ system, user }) =>
      settings.free
        ? { tokens: 0, usd: 0 }
        : { tokens: Math.ceil((system.length + user.length) / 4) + outputTokens, usd: null },
    reply: async (request, call) => {
      const program = startProgram({
        program: settings.program,
        args: settings.args,
        cwd: settings.cwd,
        env: environment(process.env, settings.env),
        input: JSON.stringify(requestOf(request)),
        outputLimit,
        signal: call.signal,
      });
      running.add(program);
      try {
        return read(await program.ended, settings);
      } finally {
        running.delete(program);
      }
    },
    close: async () => {
      await Promise.all([...running].map((program) => program.stop()));
    },
  };
}

/** What the program is told: the parts of the request, and the shape of the reply as JSON Schema. */
function requestOf(request: Request) {
  const { occupant: _, ...seat } = request.seat;
  // A turn's key names its seat, and peers are heard under letters.
  const heard = request.heard.map(({ label, round, said }) => ({ label, round, said }));
  return { ...request, seat, heard, reply: z.toJSONSchema(request.reply, { unrepresentable: "any" }) };
}

const passedOn = /^(PATH|HOME|LANG|LC_[A-Z]+|TZ|TMPDIR)$/u;

/** The variables a program is given: never the whole environment, since that is where keys are kept. */
export function environment(
  all: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> {
  const kept = Object.entries(all).filter(([name]) => passedOn.test(name) || names.includes(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function read(ended: Ended, settings: CommandSettings): Reply {
  const name = basename(settings.program);
  if (ended.how === "not-started") {
    throw new SeatError("unsupported", `${settings.program} cannot be run: ${ended.cause.message}.`, {
      cause: ended.cause,
    });
  }
  if (ended.how === "too-large") {
    const raw = ended.stdout.slice(0, headLimit);
    throw new SeatError("output_too_large", `${name} wrote more than ${outputLimit} bytes and was stopped.`, { raw });
  }
  if (ended.code !== 0) {
    const how = ended.signal ? `was ended by ${ended.signal}` : `ended with exit code ${ended.code}`;
    const stderr = clip(ended.stderr, 2_048);
    const raw = ended.stdout.slice(0, headLimit);
    throw new SeatError("agent_crashed", `${name} ${how}${stderr === "" ? "" : `: ${stderr}`}`, { raw });
  }
  if (ended.stdout.trim() === "") throw new SeatError("empty", `${name} ended well and wrote nothing.`);
  return unwrap(ended.stdout);
}

/** Takes the reply out of its envelope where there is one; otherwise all of stdout is the reply, and the room reads it. */
function unwrap(stdout: string): Reply {
  // What is nested deeper than any reply goes on as it is, and the room says so.
  if (jsonDepth(stdout) > envelopeDepth) return { text: stdout, usage: null };
  const envelope = Envelope.safeParse(parsed(stdout));
  if (!envelope.success) return { text: stdout, usage: null };
  const { reply, usage } = envelope.data;
  return { text: typeof reply === "string" ? reply : JSON.stringify(reply), usage: usage ?? null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON as a whole: the room looks for the reply inside the text, and records what it finds.
    return undefined;
  }
}
