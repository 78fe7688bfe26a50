/** Making the folders that Parley keeps things in, for their user alone. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a folder and those above it, one by one: Node's own way of doing so never ends below a folder such as /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
