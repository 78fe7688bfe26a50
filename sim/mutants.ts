/**
 * Seeded bugs: each is one small change to the engine's source that the simulation must notice.
 *
 * They are data, applied to the text as it is loaded, so the engine carries no hooks for them. A `find` that does not occur exactly
 * once is stale, and a stale mutant fails the run like one that survives. Every real bug that is found adds one here.
 */
import { endingMutants } from "./mutants-ending.ts";
import { recordMutants } from "./mutants-record.ts";
import { wordMutants } from "./mutants-words.ts";

/** A seeded bug: what is replaced, where, and which invariants may be the first to report it; `crash` is the engine's own assertion. */
export type Mutant = { name: string; file: string; find: string; replace: string; caughtBy: readonly string[] };

export const mutants: readonly Mutant[] = [...recordMutants, ...wordMutants, ...endingMutants];
