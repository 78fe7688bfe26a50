/**
 * Prints the reference pages and JSON Schemas from the code, or with `--check` fails when one is not what the code says.
 *
 * Usage: `npm run print`, `npm run print -- --check`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pages } from "./pages.ts";

const root = join(import.meta.dirname, "..");
const checking = process.argv.includes("--check");
const printed = pages();
const problems: string[] = [];

for (const [path, text] of printed) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  if (checking) problems.push(`${path} is not what the code says.`);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`printed ${path}`);
  }
}
for (const folder of ["docs/reference", "schema"]) {
  for (const name of existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []) {
    const path = `${folder}/${name}`;
    if (printed.has(path)) continue;
    if (checking) problems.push(`${path} is printed from nothing.`);
    else rmSync(join(root, path));
  }
}

if (problems.length > 0) {
  console.error(`${problems.join("\n")}\nRun npm run print, and keep what it writes.`);
  process.exitCode = 1;
} else if (checking) console.log(`${printed.size} printed files are what the code says.`);
