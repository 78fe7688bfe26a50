/**
 * Budgets as flags and variables say them, and as the engine wants them.
 *
 * One table ties each friendly name to its flag and variable, so the command line, the environment and the files cannot drift apart.
 */
import { UsageError } from "../errors.ts";
import { Limits } from "../limits.ts";
import { durationHint, parseDuration } from "./duration.ts";
import type { Said } from "./layers.ts";
import { spoken } from "./layers.ts";
import { Budget } from "./shapes.ts";

type Key = keyof Budget;
type Given = string | number | undefined;

/** The budget flags, by the names the command line gives them. */
export type BudgetFlags = {
  maxTokens?: string | number;
  budget?: string | number;
  maxTurns?: string | number;
  maxTime?: string;
  turnTimeout?: string;
  quorum?: string | number;
  inDoubt?: string;
  onBudget?: string;
};

const table: readonly { key: Key; field: keyof BudgetFlags; flag: string; variable: string }[] = [
  { key: "maxTokens", field: "maxTokens", flag: "--max-tokens", variable: "PARLEY_MAX_TOKENS" },
  { key: "maxUsd", field: "budget", flag: "--budget", variable: "PARLEY_BUDGET" },
  { key: "maxTurns", field: "maxTurns", flag: "--max-turns", variable: "PARLEY_MAX_TURNS" },
  { key: "maxTime", field: "maxTime", flag: "--max-time", variable: "PARLEY_MAX_TIME" },
  { key: "turnTimeout", field: "turnTimeout", flag: "--turn-timeout", variable: "PARLEY_TURN_TIMEOUT" },
  { key: "quorum", field: "quorum", flag: "--quorum", variable: "PARLEY_QUORUM" },
  { key: "inDoubt", field: "inDoubt", flag: "--in-doubt", variable: "PARLEY_IN_DOUBT" },
  { key: "onBudget", field: "onBudget", flag: "--on-budget", variable: "PARLEY_ON_BUDGET" },
];

/** What the budget flags say. */
export function budgetFlags(flags: BudgetFlags, cwd: string): Said[] {
  return table.flatMap(({ key, field, flag }) => heard(key, flags[field], `flag ${flag}`, flag, cwd));
}

/** What the budget variables say; an empty variable says nothing. */
export function budgetVariables(env: NodeJS.ProcessEnv, cwd: string): Said[] {
  return table.flatMap(({ key, variable }) => heard(key, env[variable] || undefined, variable, variable, cwd));
}

/** What the engine does when nobody says anything. */
export function budgetDefaults(cwd: string): Said[] {
  const limits = Limits.parse({});
  const values: Required<Budget> = {
    maxTokens: limits.maxTokens,
    maxUsd: limits.maxUsd,
    maxTurns: limits.maxTurns,
    maxTime: limits.maxTimeMs === null ? null : `${limits.maxTimeMs}ms`,
    onBudget: limits.onBudget,
    turnTimeout: `${limits.turnTimeoutMs / 1_000}s`,
    quorum: limits.quorum,
    inDoubt: limits.inDoubt,
    grace: limits.graceMs === null ? null : `${limits.graceMs}ms`,
  };
  return Object.entries(values).map(([key, value]) => spoken(`budgets.${key}`, value, "default", cwd));
}

/** The engine's limits for the budgets that were set; what is left out keeps the engine's default. */
export function limitsOf({ maxTime, turnTimeout, grace, ...same }: Budget): Partial<Limits> {
  const limits: Partial<Limits> = Object.fromEntries(Object.entries(same).filter(([, value]) => value !== undefined));
  if (maxTime !== undefined) limits.maxTimeMs = maxTime === null ? null : parseDuration(String(maxTime));
  if (grace !== undefined) limits.graceMs = grace === null ? null : parseDuration(String(grace));
  if (turnTimeout !== undefined) limits.turnTimeoutMs = parseDuration(String(turnTimeout));
  return limits;
}

const wholeKeys: ReadonlySet<Key> = new Set(["maxTokens", "maxTurns", "quorum"]);

function heard(key: Key, given: Given, from: string, name: string, cwd: string): Said[] {
  if (given === undefined) return [];
  const schema = Budget.shape[key];
  const parsed = schema.safeParse(meaning(key, given));
  if (!parsed.success) {
    const wants = wanted(key);
    throw new UsageError("bad-usage", `${name} cannot be ${JSON.stringify(String(given))}: it must be ${wants}.`, {
      hint: key === "maxTime" || key === "turnTimeout" ? durationHint : `Give ${name} ${wants}.`,
    });
  }
  return [spoken(`budgets.${key}`, parsed.data, from, cwd)];
}

/** The text of a flag as a value: a number where one is wanted, and `none` for no limit. */
function meaning(key: Key, given: string | number): unknown {
  const text = String(given).trim();
  if (text === "none" && Budget.shape[key].safeParse(null).success) return null;
  if (wholeKeys.has(key)) return /^\d{1,15}$/u.test(text) ? Number(text) : text;
  if (key === "maxUsd") return /^\d{1,9}(?:\.\d{1,9})?$/u.test(text) ? Number(text) : text;
  return text;
}

function wanted(key: Key): string {
  if (key === "quorum") return "a whole number of 1 or more";
  if (wholeKeys.has(key)) return "a whole number of 0 or more";
  if (key === "maxUsd") return "an amount in US dollars, such as 2.50";
  if (key === "inDoubt") return "retry, fail or ask";
  if (key === "onBudget") return "harvest, continue or resume";
  return "a duration from 1ms to 30d";
}
