/** Loaded before a program with `--import`: writes the address of every module the program loads to the file it is told. */
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

const loaded = new Set<string>();
registerHooks({
  load(url, given, next) {
    loaded.add(url);
    return next(url, given);
  },
});
process.on("exit", () => {
  const file = process.env.PARLEY_BENCH_MODULES;
  if (file) writeFileSync(file, JSON.stringify([...loaded]));
});
