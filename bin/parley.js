#!/usr/bin/env node
/**
 * Starts Parley on a Node that can run it.
 *
 * The engine needs Node 24. A clone brings its own under node_modules/node, so on an older Node this file starts itself again with
 * that one. It is plain JavaScript without newer syntax, because the old Node must be able to read it.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as module from "node:module";
import { fileURLToPath } from "node:url";

const oldest = 24;
const here = (path) => new URL(path, import.meta.url);

if (Number(process.versions.node.split(".")[0]) >= oldest) await start();
else restart();

async function start() {
  // A killed launcher must not leave a run going that nobody watches; the channel closes with it.
  if (process.env.PARLEY_LAUNCHED && process.channel) {
    process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
    process.channel.unref();
  }
  delete process.env.PARLEY_LAUNCHED;
  module.enableCompileCache?.();
  const built = here("../dist/cli/main.js");
  await import((existsSync(built) ? built : here("../src/surfaces/cli/main.ts")).href);
}

function restart() {
  const nodes = [here("../node_modules/node/bin/node"), here("../../node/bin/node")].map((url) => fileURLToPath(url));
  const node = nodes.find((path) => existsSync(path));
  if (!node || process.env.PARLEY_LAUNCHED) {
    process.stderr.write(`parley: this is Node ${process.versions.node}, and Parley needs Node ${oldest} or newer.\n`);
    process.stderr.write("  Install it from nodejs.org, or run `npm ci` in a clone, which brings its own.\n");
    process.exitCode = 2;
    return;
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, PARLEY_LAUNCHED: "1" },
  });
  // Ctrl-C reaches the whole foreground group; the program behind counts two that come at once as one, so forwarding is safe.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => child.kill(name));
  child.on("error", (error) => {
    process.stderr.write(`parley: ${node} cannot be started: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    if (child.connected) child.disconnect();
    if (!signal) process.exit(code ?? 1);
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
