/**
 * Every kind of occupant that needs no key, by the name that stands before the colon.
 *
 * Each is loaded when a run first needs it: most runs use one or two kinds, and a command that asks nobody loads none.
 */
import type { OccupantFactory } from "../../ports.ts";
import type { OccupantSpec } from "../../seat.ts";

/** The factories by kind. */
export const occupants: Record<string, OccupantFactory> = {
  evidence: async (spec) => (await import("./evidence.ts")).evidence(spec),
  rules: async (spec) => (await import("./rules.ts")).rules(spec),
  script: async (spec) => (await import("./script.ts")).script(spec),
  command: async (spec) => (await import("./command.ts")).command(spec),
  person: async (spec) => (await import("./person.ts")).person(spec),
  code: async (spec) => (await import("./code.ts")).code(spec),
};

/** The judge made of code. */
export const codeJudge: OccupantSpec = {
  name: "code:judge",
  kind: "code",
  lineage: "code",
  settings: { part: "judge" },
};

/** The synthesizer made of code. */
export const codeSynthesizer: OccupantSpec = {
  name: "code:synthesizer",
  kind: "code",
  lineage: "code",
  settings: { part: "synthesizer" },
};
