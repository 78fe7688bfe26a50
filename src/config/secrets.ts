/**
 * Finds what looks like a secret in a file's data.
 *
 * Project files are committed and shared, so a key in one is a key that leaked. Only keys and whole values are looked at, never
 * words within a text, and the finding is a place: the value itself is not repeated anywhere.
 */
import { UsageError } from "../errors.ts";
import type { Steps, YamlFile } from "./yaml-file.ts";

const secretKey =
  /^(?:api[-_]?key|access[-_]?key|secret(?:[-_]?key)?|(?:auth|access|bearer)[-_]?token|password|authorization)$/iu;
const secretValue =
  /^(?:(?:sk|pk|rk)[-_][\w-]{8,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|Bearer\s\S{8,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*)$/u;

/** Refuses a file that holds what looks like a secret. */
export function refuseSecrets(file: YamlFile): void {
  const steps = secretIn(file.data);
  if (!steps) return;
  const name = String(steps.findLast((step) => typeof step === "string") ?? "");
  throw new UsageError("bad-config", `${file.at(steps)}: ${JSON.stringify(name)} holds what looks like a secret.`, {
    hint: "Take it out of the file, replace the secret if the file was ever shared, and put the new one in an environment variable.",
  });
}

function secretIn(data: unknown): Steps | null {
  const waiting: { value: unknown; steps: Steps }[] = [{ value: data, steps: [] }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, steps } = next;
    if (typeof value === "string" && secretValue.test(value.trim())) return steps;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      const here = [...steps, Array.isArray(value) ? Number(key) : key];
      if (!Array.isArray(value) && secretKey.test(key) && typeof inner === "string" && inner !== "") return here;
      waiting.push({ value: inner, steps: here });
    }
  }
  return null;
}
