/**
 * The plan: everything a user typed or wrote, checked and made into what a run begins with.
 *
 * All files are read and all names resolved before anyone is asked to trust a command, so that nobody says yes to a run that
 * could not have begun. After this nothing is read again: a run goes on from its record alone.
 */
import { resolve } from "node:path";
import { canonical } from "../answers.ts";
import { UsageError } from "../errors.ts";
import { checkName } from "../names.ts";
import type { Protocol } from "../protocol.ts";
import type { RunInput } from "../run.ts";
import { type BudgetFlags, budgetDefaults, budgetFlags, limitsOf } from "./budgets.ts";
import { type ConfigLayer, configLayers, variables } from "./config-file.ts";
import { newShelf, type Shelf, shelve, shelvePath } from "./evidence-shelf.ts";
import { inOrder, type Origin, placeIn, type Said, spoken, strongest, written } from "./layers.ts";
import type { Intake } from "./occupant.ts";
import { checkSize, choosePanel, officers, seatPanel } from "./panel.ts";
import { checkConfigured, optionDefaults, optionFlags, optionsOf, protocolNamed } from "./protocol-options.ts";
import type { Budget, Config } from "./shapes.ts";
import { type Case, questionFrom, readTarget } from "./target.ts";
import { type Confirm, settleTrust } from "./trust.ts";

/** What the command line can say. */
export type PlanFlags = BudgetFlags & {
  panel?: string;
  seat?: string[];
  judge?: string;
  synthesizer?: string;
  evidence?: string[];
  context?: string[];
  seed?: string;
  id?: string;
  config?: string;
  trust?: boolean;
  /** The protocol's own options that were given as flags. */
  options?: Record<string, unknown>;
};

/** A run ready to begin, with where each setting came from and what the user should know. */
export type Plan = {
  input: RunInput;
  title: string | null;
  best: string | null;
  origins: Origin[];
  notes: string[];
  source: string | null;
};

export type PlanArgs = {
  cwd: string;
  env: NodeJS.ProcessEnv;
  protocol: string;
  protocols: Readonly<Record<string, Protocol>>;
  target: string | undefined;
  stdin: string | null;
  flags: PlanFlags;
  confirm: Confirm | null;
};

/** Makes a plan of what was typed and what the files say, or refuses with the place and the next step. */
export async function plan(args: PlanArgs): Promise<Plan> {
  const { env, flags, confirm } = args;
  const cwd = resolve(args.cwd);
  const protocol = protocolNamed(args.protocol, args.protocols);
  const asked = await readTarget(args.target, args.stdin, cwd);
  checkProtocol(asked.case, protocol, Object.keys(args.protocols));
  const layers = await configLayers({ cwd, env, config: flags.config });
  checkConfigured(saidIn(layers), args.protocols);
  const won = strongest([
    flagLayer(flags, protocol, cwd),
    variables(env, cwd),
    asked.case ? caseLayer(asked.case, protocol) : [],
    saidIn(layers),
    [...budgetDefaults(cwd), ...optionDefaults(protocol, cwd)],
  ]);

  const question = await questionFrom(asked, flags.context ?? [], cwd);
  const options = optionsOf(protocol, won.values());
  const budget = budgetOf(won);
  const best = bestOf(asked.case, question.options);
  const panel = await panelOf({ layers, won, asked: asked.case, protocol, flags, env, cwd });
  const { seats, judges, synthesizers, evidence } = panel;
  const input: RunInput = {
    protocol: protocol.name,
    question,
    seats,
    judges,
    synthesizers,
    evidence,
    options,
    limits: limitsOf(budget),
    ...chosenNames(won.get("seed"), flags.id),
  };
  await settleTrust(panel.commands, { cwd, env, trust: flags.trust === true, confirm });
  return {
    input,
    title: asked.case?.data.title ?? null,
    best,
    origins: inOrder([...relevant(won, protocol), ...panel.origins]),
    notes: [...panel.notes, ...warnings(input)],
    source: asked.case?.file.path ?? null,
  };
}

type PanelSources = {
  layers: readonly ConfigLayer[];
  won: ReadonlyMap<string, Said>;
  asked: Case | null;
  protocol: Protocol;
  flags: PlanFlags;
  env: NodeJS.ProcessEnv;
  cwd: string;
};

/** Everyone who takes part, the evidence they bring, and the commands somebody must trust first. */
async function panelOf({ layers, won, asked, protocol, flags, env, cwd }: PanelSources) {
  const named = won.get("panel") ?? null;
  const chosen = await choosePanel({ layers, asked, panel: named, seats: flags.seat ?? [], cwd });
  checkSize(chosen, protocol);
  const intake: Intake = { shelf: newShelf(), env, commands: [] };
  const shared = await sharedEvidence(intake.shelf, asked, won.get("evidence"), flags.evidence ?? [], cwd);
  const seats = await seatPanel(chosen, rolesOf(layers), shared, intake);
  const judge = await officers(chosen, "judge", flags.judge, cwd, intake);
  const synthesizer = await officers(chosen, "synthesizer", flags.synthesizer, cwd, intake);
  return {
    seats,
    judges: judge.specs,
    synthesizers: synthesizer.specs,
    evidence: [...intake.shelf.items.values()],
    commands: intake.commands,
    origins: [chosen.origin, judge.origin, synthesizer.origin],
    notes: [...(chosen.note === null ? [] : [chosen.note]), ...intake.shelf.notes],
  };
}

const saidIn = (layers: readonly ConfigLayer[]): Said[] => layers.flatMap((layer) => layer.said);

function checkProtocol(read: Case | null, protocol: Protocol, known: readonly string[]): void {
  const named = read?.data.protocol;
  if (!read || named === undefined || named === protocol.name) return;
  if (!known.includes(named)) {
    const where = read.file.at(["protocol"]);
    throw new UsageError("unknown-protocol", `${where}: there is no protocol ${JSON.stringify(named)}.`, {
      hint: `There are: ${known.join(", ")}.`,
    });
  }
  throw new UsageError(
    "bad-usage",
    `${read.file.at(["protocol"])}: this case is written for ${JSON.stringify(named)}, and ${protocol.name} was asked for.`,
    {
      hint: `Run it with parley ${named}, or change the file.`,
    },
  );
}

function flagLayer(flags: PlanFlags, protocol: Protocol, cwd: string): Said[] {
  const said = [...budgetFlags(flags, cwd), ...optionFlags(protocol, flags.options ?? {}, cwd)];
  for (const name of ["panel", "seed"] as const) {
    if (flags[name] === "")
      throw new UsageError("bad-usage", `--${name} is empty.`, { hint: `Give --${name} a value, or leave it out.` });
    if (flags[name] !== undefined) said.push(spoken(name, flags[name], `flag --${name}`, cwd));
  }
  return said;
}

/** What a case says that a config or a flag can say too; its panel may be written out in full and is chosen elsewhere. */
function caseLayer({ file, data }: Case, protocol: Protocol): Said[] {
  const said: Said[] = [];
  for (const [key, value] of Object.entries(data.budget ?? {}))
    said.push(written(file, ["budget", key], `budgets.${key}`, value));
  for (const [key, value] of Object.entries(data.with ?? {}))
    said.push(written(file, ["with", key], `protocols.${protocol.name}.${key}`, value));
  if (data.seed !== undefined) said.push(written(file, ["seed"], "seed", String(data.seed)));
  return said;
}

async function sharedEvidence(
  shelf: Shelf,
  read: Case | null,
  configured: Said | undefined,
  flags: readonly string[],
  cwd: string,
): Promise<string[]> {
  const refs: string[] = [];
  for (const [index, entry] of (read?.data.evidence ?? []).entries()) {
    refs.push(await shelve(shelf, entry, placeIn((read as Case).file, ["evidence", index])));
  }
  for (const path of flags)
    refs.push(...(await shelvePath(shelf, path, { where: "flag --evidence", folder: cwd, file: null })));
  for (const path of (configured?.value ?? []) as string[])
    refs.push(...(await shelvePath(shelf, path, (configured as Said).place)));
  return [...new Set(refs)];
}

function rolesOf(layers: readonly ConfigLayer[]): NonNullable<Config["roles"]> {
  return Object.assign({}, ...layers.toReversed().map((layer) => layer.data.roles ?? {}));
}

/** The budgets that somebody set; the engine has its own defaults for the rest. */
function budgetOf(won: ReadonlyMap<string, Said>): Budget {
  const set = [...won.values()].filter((said) => said.path.startsWith("budgets.") && said.from !== "default");
  return Object.fromEntries(set.map((said) => [said.path.slice("budgets.".length), said.value]));
}

/** The seed and the run id, where somebody chose them. */
function chosenNames(said: Said | undefined, id: string | undefined): { seed?: string; id?: string } {
  const seed = said === undefined ? undefined : String(said.value);
  if (said && seed !== undefined && seed.length > 200) {
    throw new UsageError(
      "bad-usage",
      `${said.place.where}: the seed has ${seed.length} characters, and 200 are allowed.`,
      { hint: "Use a short word or number." },
    );
  }
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(id === undefined ? {} : { id: checkName("The run id", id) }),
  };
}

function bestOf(read: Case | null, options: readonly string[]): string | null {
  const best = read?.data.best;
  if (!read || best === undefined) return null;
  if (best === "none" || options.length === 0 || options.includes(canonical(best, options))) return best;
  throw new UsageError(
    "bad-config",
    `${read.file.at(["best"])}: the best answer ${JSON.stringify(best)} is none of the options.`,
    {
      hint: `The options are ${options.join(", ")}; write none when no answer is best.`,
    },
  );
}

/** The settings that bear on this run: other roles, protocols and panels of the config do not. */
function relevant(won: ReadonlyMap<string, Said>, protocol: Protocol): Said[] {
  const elsewhere = (path: string) =>
    path === "panel" ||
    /^(?:panels|roles)\./u.test(path) ||
    (path.startsWith("protocols.") && !path.startsWith(`protocols.${protocol.name}.`));
  return [...won.values()].filter((said) => !elsewhere(said.path));
}

/** What is allowed and yet may not be what was meant. */
function warnings({ evidence, question }: RunInput): string[] {
  const notes: string[] = [];
  for (const item of question.options.length === 0 ? [] : evidence) {
    for (const answer of [item.supports, item.against]) {
      if (answer === null || question.options.includes(canonical(answer, question.options))) continue;
      notes.push(`Evidence "${item.ref}" speaks of ${JSON.stringify(answer)}, which is none of the options.`);
    }
  }
  return notes;
}
