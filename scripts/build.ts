/**
 * Builds the package into dist: the library file by file with its types, and the command line as one bundle.
 *
 * The command line is bundled because most of what a short command costs is loading modules. Dynamic imports stay files of their
 * own, so `parley --help` loads no adapter.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");
const began = performance.now();

await rm(join(root, "dist"), { recursive: true, force: true });
await Promise.all([compileLibrary(), bundleCli()]);
console.log(`Built dist in ${((performance.now() - began) / 1000).toFixed(1)} s.`);

async function compileLibrary(): Promise<void> {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const child = spawn(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json")], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error("The library does not compile; see above.");
}

async function bundleCli(): Promise<void> {
  const bundle = await rolldown({
    input: { main: join(root, "src/surfaces/cli/main.ts") },
    cwd: root,
    platform: "node",
    external: /^node:/,
    onLog(level, log, print) {
      if (level === "warn") throw new Error(`The command line does not bundle cleanly: ${log.message}`);
      print(level, log);
    },
  });
  await bundle.write({
    dir: join(root, "dist/cli"),
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    comments: { legal: true, annotation: true, jsdoc: false },
    cleanDir: true,
  });
  await bundle.close();
}
