/**
 * What the command line is given of the process it runs in.
 *
 * Everything comes in through this one object, so that a test can run any command in its own process and read what it wrote.
 */
import type { Event } from "../../events.ts";
import type { Output } from "./output.ts";

export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP";

export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };

/** The process as the command line sees it. */
export type Io = {
  argv: readonly string[];
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Hears interrupts until the returned function is called. */
  onSignal(hear: (name: SignalName) => void): () => void;
  /** Leaves at once, whatever is under way. */
  exit(code: number): never;
  /** The command that starts this program again, for runs that go on by themselves. */
  self: readonly string[];
};

/** The flags every command knows. */
export type GlobalFlags = {
  json?: boolean;
  quiet?: boolean;
  color?: boolean;
  input?: boolean;
  config?: string;
};

/** One call of one command. */
export type Call = {
  io: Io;
  out: Output;
  /** The working folder, after `-C`. */
  cwd: string;
  args: readonly (string | undefined)[];
  flags: GlobalFlags & Record<string, unknown>;
  /** The run this call works on and its newest events, for the report of a failure. */
  trace: { run: string; events: Event[] };
};

/** A command: it writes through `out`, and answers with the exit status. */
export type Command = (call: Call) => Promise<number>;

/** How the reader can call Parley again: through npx where npm started it, since it is then on nobody's path. */
export function commandName(io: Pick<Io, "env">): string {
  return io.env.npm_execpath ? "npx parley" : "parley";
}
