/**
 * Durations as people write them: `90s`, `5m`, `1h30m`, `250ms`, and a plain number of seconds.
 *
 * A duration is kept as written until it is used, so an origin or an error can show the writer's own words.
 */
import { UsageError } from "../errors.ts";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const whole = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/u;
const part = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/gu;
const longest = 30 * 86_400_000;

/** The milliseconds of a duration. */
export function parseDuration(text: string): number {
  const problem = durationProblem(text);
  if (problem)
    throw new UsageError("bad-usage", `${JSON.stringify(text)} is not a duration: ${problem}.`, { hint: durationHint });
  return milliseconds(text);
}

/** The next step for whoever wrote a duration that cannot be read. */
export const durationHint = "Write it like 90s, 5m, 1h30m or 250ms; a plain number is seconds.";

/** Why a text or number is no duration, or null when it is one. */
export function durationProblem(given: string | number): string | null {
  const text = String(given).trim();
  if (!/^\d+(?:\.\d+)?$/u.test(text) && !whole.test(text)) return "write it like 90s, 5m, 1h30m or 250ms";
  const ms = milliseconds(text);
  if (ms < 1) return "it must be at least 1ms";
  if (ms > longest) return "it must be at most 30d";
  return null;
}

function milliseconds(given: string): number {
  const text = given.trim();
  if (/^\d+(?:\.\d+)?$/u.test(text)) return Math.round(Number(text) * 1_000);
  let total = 0;
  for (const [, amount, unit] of text.matchAll(part)) total += Number(amount) * (units[unit ?? "s"] ?? 0);
  return Math.round(total);
}
