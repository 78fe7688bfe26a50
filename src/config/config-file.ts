/**
 * `parley.yml` and its layers: an explicit file, the project's, the user's, and the defaults beneath them.
 *
 * Each file becomes a list of settings with their lines. Panels, roles, options and budgets are merged one by one; a list or a panel
 * is taken whole from the strongest file that has it, because half of two panels is a third panel that nobody wrote.
 */
import { dirname, resolve } from "node:path";
import { UsageError } from "../errors.ts";
import { budgetDefaults, budgetVariables } from "./budgets.ts";
import { shaped } from "./file-shape.ts";
import { inOrder, type Origin, type Said, spoken, strongest, written } from "./layers.ts";
import { refuseSecrets } from "./secrets.ts";
import { Config, laterKeys } from "./shapes.ts";
import { nearestConfig, userConfig } from "./state-folder.ts";
import { readYamlFile, type YamlFile } from "./yaml-file.ts";

/** One config file that was found, with what it says. */
export type ConfigLayer = { file: YamlFile; data: Config; said: Said[] };

type Where = { cwd: string; env: NodeJS.ProcessEnv; config?: string | undefined };

/** The config that is in force without flags or a case, with where each value came from. */
export async function resolveConfig(where: Where): Promise<{ config: Config; origins: Origin[]; files: string[] }> {
  const layers = await configLayers(where);
  const { cwd, env } = where;
  const won = strongest([variables(env, cwd), ...layers.map((layer) => layer.said), budgetDefaults(cwd)]);
  return { config: configOf(won), origins: inOrder(won.values()), files: layers.map((layer) => layer.file.path) };
}

/** The config files that are in force, the strongest first. */
export async function configLayers({ cwd, env, config }: Where): Promise<ConfigLayer[]> {
  const user = userConfig(env);
  const paths = [config === undefined ? null : resolve(cwd, config), nearestConfig(cwd), user];
  const layers: ConfigLayer[] = [];
  for (const path of new Set(paths)) {
    if (path !== null) layers.push(await configLayer(path, path === user ? "user file " : ""));
  }
  return layers;
}

/** What the variables of the environment say. */
export function variables(env: NodeJS.ProcessEnv, cwd: string): Said[] {
  const said = budgetVariables(env, cwd);
  if (env.PARLEY_PANEL) said.push(spoken("panel", env.PARLEY_PANEL, "PARLEY_PANEL", cwd));
  if (env.PARLEY_SEED) said.push(spoken("seed", env.PARLEY_SEED, "PARLEY_SEED", cwd));
  return said;
}

async function configLayer(path: string, label: string): Promise<ConfigLayer> {
  const file = await readYamlFile(path, "the config file");
  refuseLater(file);
  refuseSecrets(file);
  const data = shaped(file, Config, "parley.yml");
  return { file, data, said: saidIn(file, data, label) };
}

function refuseLater(file: YamlFile): void {
  if (typeof file.data !== "object" || file.data === null) return;
  const key = laterKeys.find((later) => Object.hasOwn(file.data as object, later));
  if (key === undefined) return;
  throw new UsageError("bad-config", `${file.at([key])}: "${key}" is not in this version of Parley.`, {
    hint: `Take "${key}" out of the file; it would not be in force.`,
  });
}

function saidIn(file: YamlFile, data: Config, label: string): Said[] {
  const said: Said[] = [];
  const say = (steps: string[], path: string, value: unknown) => {
    if (value !== undefined) said.push(written(file, steps, path, value, label));
  };
  for (const [name, panel] of Object.entries(data.panels ?? {})) say(["panels", name], `panels.${name}`, panel);
  for (const [name, role] of Object.entries(data.roles ?? {})) say(["roles", name], `roles.${name}`, role);
  for (const [key, value] of Object.entries(data.budgets ?? {})) say(["budgets", key], `budgets.${key}`, value);
  for (const [name, options] of Object.entries(data.protocols ?? {})) {
    for (const [key, value] of Object.entries(options))
      say(["protocols", name, key], `protocols.${name}.${key}`, value);
  }
  const folder = dirname(file.path);
  say(
    ["evidence"],
    "evidence",
    data.evidence?.map((path) => resolve(folder, path)),
  );
  if (data.store) say(["store", "path"], "store.path", resolve(folder, data.store.path));
  return said;
}

/** Puts the winning settings together again as one config. */
function configOf(won: ReadonlyMap<string, Said>): Config {
  const config: Record<string, Record<string, unknown> | unknown> = {};
  for (const { path, value } of won.values()) {
    const [section = "", ...rest] = path.split(".");
    if (section === "panel" || section === "seed") continue;
    if (rest.length === 0) config[section] = value;
    else
      place(
        config,
        section === "protocols" ? [section, rest[0] ?? "", rest.slice(1).join(".")] : [section, rest.join(".")],
        value,
      );
  }
  return config as Config;
}

function place(into: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  let at = into;
  for (const step of steps.slice(0, -1)) {
    if (!Object.hasOwn(at, step)) at[step] = {};
    at = at[step] as Record<string, unknown>;
  }
  at[steps.at(-1) ?? ""] = value;
}
