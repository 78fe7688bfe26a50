/**
 * The shapes of what people write in files: `parley.yml`, a case, a panel, a dossier.
 *
 * Every object is strict, because a key that is silently ignored is a setting that its writer believes in. The schemas check and
 * never transform, so that the same definitions print the JSON schema that editors complete from.
 */
import * as z from "zod";
import { EvidenceSettings } from "../adapters/occupants/evidence.ts";
import { evidenceLimit } from "../evidence.ts";
import { InDoubt, OnBudget } from "../limits.ts";
import { Name } from "../names.ts";
import { durationProblem } from "./duration.ts";

/** The most seats a panel may have. */
export const seatLimit = 64;
const pathLimit = 4_000;

const Duration = z.union([z.string(), z.number()]).check((given) => {
  const problem = durationProblem(given.value);
  if (problem) given.issues.push({ code: "custom", message: `it is not a duration: ${problem}`, input: given.value });
});

/** What a run may use, in the words of files and flags; `null` lifts a limit that a weaker file sets. */
export const Budget = z
  .strictObject({
    maxTokens: z.int().min(0).nullable().describe("Tokens for the whole run."),
    maxUsd: z.number().min(0).nullable().describe("US dollars for the whole run."),
    maxTurns: z.int().min(0).nullable().describe("Calls for the whole run."),
    maxTime: Duration.nullable().describe("Running time for the whole run, such as 10m."),
    onBudget: OnBudget.describe("What happens when a budget is reached."),
    turnTimeout: Duration.describe("The longest one call may take."),
    quorum: z.int().min(1).nullable().describe("How many seats must answer a round."),
    inDoubt: InDoubt.nullable().describe("What happens to a call that a crash cut off."),
    grace: Duration.nullable().describe("How long a round waits for the rest once the quorum has answered."),
  })
  .partial()
  .meta({ id: "Budget" });
export type Budget = z.infer<typeof Budget>;

const Path = z.string().min(1).max(pathLimit);
const OccupantName = z.string().min(1).max(500);
const OccupantObject = z.strictObject({
  name: OccupantName.describe("The occupant, such as `command:./answer.sh`."),
  args: z.array(z.string().max(10_000)).max(100).optional().describe("Arguments of a command, one by one."),
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u, "give the names of variables, without values"))
    .max(100)
    .optional()
    .describe("Names of environment variables a command is given, such as the one that holds its key."),
  free: z
    .boolean()
    .optional()
    .describe("True when a command is known to cost nothing, so that no budget is set aside for it."),
  acts: z
    .boolean()
    .optional()
    .describe(
      "True when a command changes anything but its answer; then a call cut off by a crash is asked about first.",
    ),
  lineage: z.string().min(1).max(100).optional().describe("The family behind it."),
});

/** An occupant in a file: its name, or its name with what the name cannot say. */
export const OccupantEntry = z.union([OccupantName, OccupantObject]).meta({ id: "OccupantEntry" });
export type OccupantEntry = z.infer<typeof OccupantEntry>;

/** A judge or synthesizer with those who stand in for it, in order: names with commas between, or a list. */
export const Chain = z
  .union([OccupantName, OccupantObject, z.array(OccupantEntry).min(1).max(10)])
  .meta({ id: "Chain" });
export type Chain = z.infer<typeof Chain>;

export const SeatEntry = z
  .strictObject({
    id: Name.describe("The seat's name."),
    role: z
      .string()
      .max(200)
      .optional()
      .describe("What it looks after; the name of a role takes that role's brief and rubric."),
    brief: z.string().max(20_000).optional().describe("What it is told about its role."),
    rubric: z.string().max(20_000).optional().describe("What it is told to judge by."),
    occupant: OccupantEntry,
    evidence: z
      .array(z.string())
      .max(1_000)
      .optional()
      .describe("Refs it is shown beside its own and the shared evidence."),
    weight: z.number().positive().max(100).optional().describe("The weight of its ballot; 1 unless told."),
    lineage: z.string().min(1).max(100).optional().describe("The family behind its occupant."),
  })
  .meta({ id: "SeatEntry" });
export type SeatEntry = z.infer<typeof SeatEntry>;

/** A panel: its seats, and who judges and writes. */
export const PanelFile = z
  .strictObject({
    about: z.string().max(2_000).optional().describe("What this panel is for."),
    seats: z.array(SeatEntry).max(seatLimit, `a panel has at most ${seatLimit} seats`),
    judge: Chain.optional(),
    synthesizer: Chain.optional(),
  })
  .meta({ id: "PanelFile" });
export type PanelFile = z.infer<typeof PanelFile>;

/** An item of evidence in a file: its words, or the file that holds them. */
export const EvidenceEntry = z
  .strictObject({
    ref: Name.optional().describe("The name it is cited by; a file's own name unless told."),
    text: z.string().min(1).max(evidenceLimit).optional().describe("What it says, word for word."),
    file: Path.optional().describe("The file that says it."),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/iu, "it must be 64 hexadecimal digits")
      .optional()
      .describe("What the file's SHA-256 must be."),
    supports: z.string().min(1).max(200).nullable().optional().describe("The answer it speaks for."),
    against: z.string().min(1).max(200).nullable().optional().describe("The answer it speaks against."),
    strength: z.number().min(0).max(10).optional().describe("How strongly it speaks, 0 to 10; 1 unless told."),
    criterion: z.string().min(1).max(200).nullable().optional().describe("What it bears on."),
  })
  .check((given) => {
    const { ref, text, file, sha256 } = given.value;
    const problem =
      (text === undefined) === (file === undefined)
        ? "an item of evidence has either `text` or `file`"
        : text !== undefined && ref === undefined
          ? "an item with `text` needs a `ref` to be cited by"
          : text !== undefined && sha256 !== undefined
            ? "`sha256` belongs to an item with `file`"
            : null;
    if (problem) given.issues.push({ code: "custom", message: problem, input: given.value });
  })
  .meta({ id: "EvidenceEntry" });
export type EvidenceEntry = z.infer<typeof EvidenceEntry>;

/** What one evidence seat holds, and how it weighs it. */
export const Dossier = EvidenceSettings.extend({
  about: z.string().max(2_000).optional().describe("Whose dossier this is."),
  items: z.array(EvidenceEntry).min(1, "a dossier holds one item at least").max(1_000),
}).meta({ id: "DossierFile" });
export type Dossier = z.infer<typeof Dossier>;

const ContextEntry = z.union([Path, z.strictObject({ name: z.string().min(1).max(200), text: z.string().min(1) })]);
const PanelOrName = z.union([z.string().min(1).max(pathLimit), PanelFile]);

/** A case: a question with everything needed to settle it, in one file. */
export const CaseFile = z
  .strictObject({
    title: z.string().min(1).max(200).optional(),
    about: z.string().max(20_000).optional().describe("What the case shows, for its readers."),
    question: z.string().describe("What is to be settled."),
    options: z.array(z.string()).optional().describe("The answers to choose from."),
    protocol: z.string().optional().describe("The protocol it is written for."),
    with: z.record(z.string(), z.unknown()).optional().describe("The protocol's own options."),
    evidence: z.array(EvidenceEntry).max(1_000).optional().describe("Evidence that every seat is shown."),
    context: z.array(ContextEntry).max(50).optional().describe("Material shown to every seat."),
    panel: PanelOrName.optional().describe("A panel of parley.yml by name, a panel file, or the panel itself."),
    budget: Budget.optional(),
    seed: z
      .union([z.string().min(1).max(200), z.number()])
      .optional()
      .describe("Decides every order that is left to chance."),
    best: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("The answer a good panel reaches, for evaluation; `none` when there is none."),
  })
  .meta({ id: "CaseFile" });
export type CaseFile = z.infer<typeof CaseFile>;

/** `parley.yml`. */
export const Config = z
  .strictObject({
    panels: z.record(Name, PanelFile).optional().describe("Panels by name; `default` sits when no other is asked for."),
    roles: z
      .record(
        z.string().min(1).max(200),
        z.strictObject({ brief: z.string().max(20_000).optional(), rubric: z.string().max(20_000).optional() }),
      )
      .optional()
      .describe("Briefs and rubrics by role."),
    protocols: z
      .record(z.string(), z.record(z.string(), z.unknown()))
      .optional()
      .describe("Option defaults by protocol."),
    budgets: Budget.optional().describe("What every run may use."),
    evidence: z.array(Path).max(1_000).optional().describe("Files and folders shown to every seat of every run."),
    store: z.strictObject({ path: Path }).optional().describe("Where runs are kept."),
  })
  .meta({ id: "Config" });
export type Config = z.infer<typeof Config>;

/** Keys that the design has and this version does not: refused, so that nobody believes they are in force. */
export const laterKeys: readonly string[] = ["endpoints", "blackboard", "approval"];
