/**
 * Runs every example and holds it to its word: programs check themselves, and a case must end with the best answer it names.
 *
 * `best: none` means that no option is best on the evidence given, so the honest ending is no decision.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";

const state = mkdtempSync(join(tmpdir(), "parley-examples-"));
let failed = 0;
let passed = 0;

for (const program of globSync("examples/library/*.ts").sort()) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8" });
  tell(program, status === 0, status === 0 ? stdout.trim() : stderr);
}
for (const path of globSync("examples/*/case.yml").sort()) {
  const { best, protocol = "debate" } = parse(readFileSync(path, "utf8")) as { best?: string; protocol?: string };
  const env = { ...process.env, PARLEY_STATE: state };
  const { stdout } = spawnSync(process.execPath, ["bin/parley.js", protocol, path, "--json"], {
    encoding: "utf8",
    env,
  });
  const run = JSON.parse(stdout) as { status: string; stopReason: string; decision: { answer: string | null } };
  const right = best === undefined || (best === "none" ? run.status === "undecided" : run.decision?.answer === best);
  tell(
    path,
    right,
    `${run.status}, ${run.stopReason}: ${run.decision?.answer ?? "no answer"} (best: ${best ?? "not known"})`,
  );
}
rmSync(state, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function tell(name: string, ok: boolean, what: string): void {
  if (ok) passed++;
  else failed++;
  console.log(`${ok ? "ok  " : "FAIL"} ${name}: ${what}`);
}
