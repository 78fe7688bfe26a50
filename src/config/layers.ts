/**
 * Layers of settings: each is a list of things said, with the place where each was said; the strongest that speaks of a path wins.
 *
 * Values and origins travel together from the start, so `parley config --origin` and an error message can never tell another story
 * than the run.
 */
import type { Steps, YamlFile } from "./yaml-file.ts";

/** Where a setting came from: its path, its value, and the flag, variable or `file:line` that said it. */
export type Origin = { path: string; value: unknown; from: string };

/** Where something was said: in words for people, with the folder its paths are relative to and the file, if any. */
export type Place = { where: string; folder: string; file: string | null };

/** A setting with the place it was said at. */
export type Said = Origin & { place: Place };

/** The first thing said about each path, reading the layers from the strongest to the weakest. */
export function strongest(layers: readonly (readonly Said[])[]): Map<string, Said> {
  const won = new Map<string, Said>();
  for (const said of layers.flat()) if (!won.has(said.path)) won.set(said.path, said);
  return won;
}

/** Origins in the order of their paths, without what only this folder needs. */
export function inOrder(said: Iterable<Origin | null>): Origin[] {
  const origins = [...said].filter((one) => one !== null).map(({ path, value, from }) => ({ path, value, from }));
  return origins.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A thing said on the command line or in the environment. */
export function spoken(path: string, value: unknown, from: string, cwd: string): Said {
  return { path, value, from, place: { where: from, folder: cwd, file: null } };
}

/** The place of a value in a YAML file. */
export function placeIn(file: YamlFile, steps: Steps): Place {
  return { where: file.at(steps), folder: file.folder, file: file.path };
}

/** A thing said in a YAML file. */
export function written(file: YamlFile, steps: Steps, path: string, value: unknown, label = ""): Said {
  const place = placeIn(file, steps);
  return { path, value, from: `${label}${place.where}`, place };
}
