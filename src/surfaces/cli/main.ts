/** The process: hands its streams, signals and environment to the command line, and leaves with the status it answers. */
import { main } from "./app.ts";
import type { Io, OutputStream, SignalName } from "./io.ts";

const io: Io = {
  argv: process.argv.slice(2),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  onSignal: (hear) => {
    const names: readonly SignalName[] = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const name of names) process.on(name, hear);
    return () => {
      for (const name of names) process.off(name, hear);
    };
  },
  exit: (code) => process.exit(code),
  self: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
};

const code = await main(io);
await flushed(process.stdout);
await flushed(process.stderr);
process.exit(code);

/** Waits until a stream has handed everything on, or can hand on nothing more. */
function flushed(stream: OutputStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    if (!stream.writable) return resolve();
    stream.write("", () => resolve());
  });
}
