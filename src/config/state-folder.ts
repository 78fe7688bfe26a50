/**
 * Where things lie: the repository root, the nearest project file, the folder for state, the user's own config.
 *
 * Outside a repository only the working folder itself counts as the project: looking further up could reach a shared folder such as
 * /tmp, where anyone can leave a file. Nothing here creates anything.
 */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

type Where = { cwd: string; env: NodeJS.ProcessEnv };

/** The folder for runs and records: PARLEY_STATE, else `.parley/` of the project, else the user's state folder. */
export function stateFolder({ cwd, env }: Where): { path: string; from: string } {
  if (env.PARLEY_STATE) return { path: resolve(cwd, env.PARLEY_STATE), from: "PARLEY_STATE" };
  const project = projectFolders(cwd).find((folder) => isFolder(join(folder, ".parley")));
  if (project) return { path: join(project, ".parley"), from: "the project's .parley folder" };
  return userState(env);
}

/**
 * The folder for what a project must not be able to say about itself, such as which of its commands are trusted: PARLEY_STATE, else
 * the user's state folder, and never `.parley/`, which a repository can bring along.
 */
export function ownFolder({ cwd, env }: Where): { path: string; from: string } {
  if (env.PARLEY_STATE) return { path: resolve(cwd, env.PARLEY_STATE), from: "PARLEY_STATE" };
  return userState(env);
}

/** The nearest `parley.yml`, from the working folder up to the repository root; null when there is none. */
export function nearestConfig(cwd: string): string | null {
  const found = projectFolders(cwd).find((folder) => isFile(join(folder, "parley.yml")));
  return found === undefined ? null : join(found, "parley.yml");
}

/** The user's own config file, or null when there is none. */
export function userConfig(env: NodeJS.ProcessEnv): string | null {
  const path = join(baseFolder(env, "XDG_CONFIG_HOME", ".config").path, "parley", "config.yml");
  return isFile(path) ? path : null;
}

/** From the working folder up to the repository root; the working folder alone when it lies in no repository. */
function projectFolders(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(folder);
    if (exists(join(folder, ".git"))) return folders;
    if (dirname(folder) === folder) return [resolve(cwd)];
  }
}

function userState(env: NodeJS.ProcessEnv): { path: string; from: string } {
  const base = baseFolder(env, "XDG_STATE_HOME", join(".local", "state"));
  return { path: join(base.path, "parley"), from: base.from };
}

/** A base folder by the XDG rules, which say that a relative path in these variables is to be ignored. */
function baseFolder(env: NodeJS.ProcessEnv, name: string, fallback: string): { path: string; from: string } {
  const given = env[name];
  if (given && isAbsolute(given)) return { path: given, from: name };
  return { path: join(env.HOME || homedir(), fallback), from: "default" };
}

const statOf = (path: string) => statSync(path, { throwIfNoEntry: false });

/** A folder that may not be entered counts as absent: the caller looks further, and says where it looked. */
function safely(path: string, test: (stats: NonNullable<ReturnType<typeof statOf>>) => boolean): boolean {
  try {
    const stats = statOf(path);
    return stats !== undefined && test(stats);
  } catch {
    return false;
  }
}

const exists = (path: string): boolean => safely(path, () => true);
const isFolder = (path: string): boolean => safely(path, (stats) => stats.isDirectory());
const isFile = (path: string): boolean => safely(path, (stats) => stats.isFile());
