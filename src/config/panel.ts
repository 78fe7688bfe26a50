/**
 * Who sits: the panel that was asked for, the seats that were added, and what each is shown.
 *
 * A seat keeps the place it was written at until its occupant is resolved, because the paths in its name are relative to that place,
 * and a command in a file needs trust that a command typed by hand does not.
 */
import { resolve } from "node:path";
import { UsageError } from "../errors.ts";
import { checkName } from "../names.ts";
import type { Protocol } from "../protocol.ts";
import type { OccupantSpec, Seat } from "../seat.ts";
import type { ConfigLayer } from "./config-file.ts";
import { didYouMean } from "./did-you-mean.ts";
import { shaped } from "./file-shape.ts";
import { type Origin, type Place, placeIn, type Said } from "./layers.ts";
import { type Intake, resolveChain, resolveOccupant } from "./occupant.ts";
import { refuseSecrets } from "./secrets.ts";
import { type Chain, type Config, PanelFile, type SeatEntry, seatLimit } from "./shapes.ts";
import type { Case } from "./target.ts";
import { readYamlFile, type Steps, type YamlFile } from "./yaml-file.ts";

/** A seat with the place it was written at. */
type Draft = { entry: SeatEntry; place: Place };

/** A panel before its occupants are resolved. */
export type Chosen = {
  drafts: Draft[];
  judge: { chain: Chain | undefined; place: Place };
  synthesizer: { chain: Chain | undefined; place: Place };
  /** What was chosen and where, for the list of origins. */
  origin: Origin | null;
  note: string | null;
};

type Sources = {
  layers: readonly ConfigLayer[];
  asked: Case | null;
  panel: Said | null;
  seats: readonly string[];
  cwd: string;
};

/** The panel that was asked for by flag, variable or case, else the config's `default`, with the seats of the command line. */
export async function choosePanel(sources: Sources): Promise<Chosen> {
  const chosen = await basePanel(sources);
  refuseTwins(chosen.drafts);
  addSeats(chosen.drafts, sources.seats, sources.cwd);
  if (chosen.drafts.length > seatLimit) {
    throw new UsageError("bad-usage", `The panel has ${chosen.drafts.length} seats, and ${seatLimit} are allowed.`, {
      hint: "Leave some seats out.",
    });
  }
  return chosen;
}

/** Refuses a panel that is too small for the protocol. */
export function checkSize({ drafts }: Chosen, protocol: Protocol): void {
  if (drafts.length >= protocol.minSeats) return;
  if (drafts.length === 0) {
    throw new UsageError(
      "too-few-seats",
      `Nobody sits on the panel, and ${protocol.name} needs ${protocol.minSeats} seats.`,
      {
        hint: "Name a case file with a panel, seat someone with --seat ID=OCCUPANT (such as --seat ann=evidence:ann.yml), or try: parley debate examples/outage/case.yml",
      },
    );
  }
  throw new UsageError(
    "too-few-seats",
    `${protocol.name} needs ${protocol.minSeats} seats, and the panel has ${drafts.length}.`,
    {
      hint: "Add one with --seat ID=OCCUPANT, or in the panel's file.",
    },
  );
}

/** The seats with their occupants resolved; each is shown its own evidence, the shared evidence, and what it lists. */
export async function seatPanel(
  chosen: Chosen,
  roles: NonNullable<Config["roles"]>,
  shared: readonly string[],
  intake: Intake,
): Promise<Seat[]> {
  const seated: { draft: Draft; spec: OccupantSpec; refs: string[] }[] = [];
  for (const draft of chosen.drafts) {
    const { spec, refs } = await resolveOccupant(draft.entry.occupant, "seat", draft.place, intake);
    seated.push({ draft, spec, refs });
  }
  // Scopes are filled in once every dossier is on the shelf, since a seat may list what another one brings.
  return seated.map(({ draft: { entry, place }, spec, refs }) => {
    const role = entry.role !== undefined && Object.hasOwn(roles, entry.role) ? roles[entry.role] : undefined;
    const scope = new Set([...refs, ...shared, ...(entry.evidence ?? []).map((ref) => knownRef(ref, place, intake))]);
    const lineage =
      entry.lineage ?? (spec.kind === "person" && spec.lineage === "person" ? `person:${entry.id}` : spec.lineage);
    return {
      id: entry.id,
      role: entry.role ?? "",
      brief: entry.brief ?? role?.brief ?? "",
      rubric: entry.rubric ?? role?.rubric ?? "",
      scope: [...scope],
      weight: entry.weight ?? 1,
      occupant: { ...spec, lineage },
    };
  });
}

/** The judges or synthesizers with where they came from: their flag, else the panel, else the one made of code. */
export async function officers(
  chosen: Chosen,
  part: "judge" | "synthesizer",
  flag: string | undefined,
  cwd: string,
  intake: Intake,
): Promise<{ specs: OccupantSpec[]; origin: Origin }> {
  const typed = { chain: flag, place: { where: `flag --${part}`, folder: cwd, file: null } };
  const { chain, place } = flag === undefined ? chosen[part] : typed;
  const specs = await resolveChain(chain, part, place, intake);
  const value = specs.map((spec) => spec.name).join(",");
  return { specs, origin: { path: part, value, from: chain === undefined ? "default" : place.where } };
}

async function basePanel({ layers, asked, panel, seats, cwd }: Sources): Promise<Chosen> {
  if (panel) return named(String(panel.value), panel.place, panel.from, layers);
  const inCase = asked?.data.panel;
  if (asked && inCase !== undefined) {
    const place = placeIn(asked.file, ["panel"]);
    if (typeof inCase === "string") return named(inCase, place, place.where, layers);
    const origin = { path: "panel", value: inCase.seats.map((seat) => seat.id), from: place.where };
    return { ...drafted(asked.file, ["panel"], inCase), origin };
  }
  // Seats named one by one are the whole panel: a default that joined them unasked would be a surprise.
  const fallback = seats.length === 0 ? layers.find((layer) => layer.data.panels?.default) : undefined;
  if (!fallback) return emptyPanel(cwd);
  const place = placeIn(fallback.file, ["panels", "default"]);
  const note = `The panel "default" of ${fallback.file.path} sits.`;
  return { ...(await named("default", place, place.where, layers)), note };
}

async function named(name: string, place: Place, from: string, layers: readonly ConfigLayer[]): Promise<Chosen> {
  return { ...(await namedPanel(name, place, layers)), origin: { path: "panel", value: name, from } };
}

function emptyPanel(cwd: string): Chosen {
  const place: Place = { where: "default", folder: cwd, file: null };
  return {
    drafts: [],
    judge: { chain: undefined, place },
    synthesizer: { chain: undefined, place },
    origin: null,
    note: null,
  };
}

async function namedPanel(name: string, place: Place, layers: readonly ConfigLayer[]): Promise<Chosen> {
  if (/\.ya?ml$/iu.test(name)) {
    const file = await readYamlFile(resolve(place.folder, name), "the panel file");
    refuseSecrets(file);
    return drafted(file, [], shaped(file, PanelFile, "a panel file"));
  }
  const layer = layers.find(({ data }) => data.panels !== undefined && Object.hasOwn(data.panels, name));
  const panel = layer?.data.panels?.[name];
  if (layer && panel) return drafted(layer.file, ["panels", name], panel);
  const known = [...new Set(layers.flatMap(({ data }) => Object.keys(data.panels ?? {})))];
  throw new UsageError(
    "unknown-panel",
    `${place.where}: there is no panel ${JSON.stringify(name)}.${didYouMean(name, known)}`,
    {
      hint:
        known.length > 0
          ? `Panels: ${known.join(", ")}; or name a panel file (.yml).`
          : "No config file has panels; add some to parley.yml, or name a panel file (.yml).",
    },
  );
}

function drafted(file: YamlFile, steps: Steps, panel: PanelFile): Chosen {
  const drafts = panel.seats.map((entry, index) => ({ entry, place: placeIn(file, [...steps, "seats", index]) }));
  const officer = (part: "judge" | "synthesizer") => ({ chain: panel[part], place: placeIn(file, [...steps, part]) });
  return { drafts, judge: officer("judge"), synthesizer: officer("synthesizer"), origin: null, note: null };
}

/** Ids become file names and keys, and some file systems do not tell upper case from lower. */
function refuseTwins(drafts: readonly Draft[]): void {
  const seen = new Map<string, Draft>();
  for (const draft of drafts) {
    const twin = seen.get(draft.entry.id.toLowerCase());
    if (twin) {
      throw new UsageError(
        "bad-config",
        `${draft.place.where}: the seat id "${draft.entry.id}" is taken (${twin.place.where}).`,
        { hint: "Give each seat its own id." },
      );
    }
    seen.set(draft.entry.id.toLowerCase(), draft);
  }
}

/** Adds or replaces seats; a seat that is replaced keeps its role and evidence and changes who sits on it. */
function addSeats(drafts: Draft[], flags: readonly string[], cwd: string): void {
  const named = new Set<string>();
  for (const flag of flags) {
    const at = flag.indexOf("=");
    if (at < 0 || flag.slice(at + 1).trim() === "") {
      throw new UsageError("bad-usage", `--seat ${JSON.stringify(flag)} does not say who sits where.`, {
        hint: "Write --seat ID=OCCUPANT, such as --seat ann=evidence:ann.yml.",
      });
    }
    const id = checkName("The seat id", flag.slice(0, at).trim());
    if (named.has(id.toLowerCase()))
      throw new UsageError("bad-usage", `--seat names "${id}" twice.`, { hint: "Give each seat its own id." });
    named.add(id.toLowerCase());
    const place: Place = { where: `flag --seat ${id}`, folder: cwd, file: null };
    const index = drafts.findIndex((draft) => draft.entry.id.toLowerCase() === id.toLowerCase());
    const { lineage: _, ...kept } = drafts[index]?.entry ?? { id };
    const draft: Draft = { entry: { ...kept, occupant: flag.slice(at + 1).trim() }, place };
    if (index < 0) drafts.push(draft);
    else drafts[index] = draft;
  }
}

function knownRef(ref: string, place: Place, { shelf }: Intake): string {
  if (shelf.items.has(ref)) return ref;
  const known = [...shelf.items.keys()];
  throw new UsageError(
    "bad-evidence",
    `${place.where}: there is no evidence ${JSON.stringify(ref)}.${didYouMean(ref, known)}`,
    {
      hint:
        known.length > 0
          ? `Evidence in this run: ${known.slice(0, 20).join(", ")}${known.length > 20 ? ", …" : ""}.`
          : "This run has no evidence; add some to the case or with --evidence.",
    },
  );
}
