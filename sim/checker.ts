/** The checker: every invariant, one small function each, over the log and the provider's own record. */
import { type Case, caseOf, type Violation } from "./case.ts";
import {
  ballotsAreTheAnswers,
  countsAreTrue,
  degradedIsWhole,
  dissentIsKept,
  oneEnd,
  stopsForItsReason,
} from "./check-decision.ts";
import {
  attemptsAreBounded,
  budgetsHold,
  chargesAreHonest,
  circuitsRest,
  endsInTime,
  timeIsKept,
  trueCostStaysWithin,
} from "./check-limits.ts";
import {
  answersAreTheProviders,
  chainHolds,
  changedPromptsStop,
  fencedOwnersAreSilent,
  intentsBeforeCalls,
  lateAnswersAreKept,
  oneOutcomeEach,
  promptsAreOnRecord,
  secretsStayHome,
  shownIsDurable,
} from "./check-record.ts";
import { citationsHold, everyoneHearsWhatIsTheirs, nobodyHearsTooMuch, wordsAreFenced } from "./check-words.ts";
import type { World } from "./world.ts";

const invariants: readonly ((each: Case) => void)[] = [
  intentsBeforeCalls,
  promptsAreOnRecord,
  answersAreTheProviders,
  oneOutcomeEach,
  lateAnswersAreKept,
  chainHolds,
  shownIsDurable,
  budgetsHold,
  chargesAreHonest,
  trueCostStaysWithin,
  timeIsKept,
  ballotsAreTheAnswers,
  dissentIsKept,
  countsAreTrue,
  nobodyHearsTooMuch,
  everyoneHearsWhatIsTheirs,
  wordsAreFenced,
  citationsHold,
  oneEnd,
  stopsForItsReason,
  attemptsAreBounded,
  circuitsRest,
  endsInTime,
  fencedOwnersAreSilent,
  degradedIsWhole,
  secretsStayHome,
  changedPromptsStop,
];

export type Checked = { violations: Violation[]; facts: Case | null };

/** Checks a world that has come to its end. */
export function check(world: World): Checked {
  const violations: Violation[] = [];
  let facts: Case | null = null;
  try {
    facts = caseOf(world, violations);
    if (!facts) violations.push({ invariant: "I10", problem: `the run was never begun; ${world.troubles}`, seq: null });
    else for (const invariant of invariants) invariant(facts);
  } catch (error) {
    violations.push({ invariant: "I3", problem: `the record cannot be read: ${(error as Error).stack}`, seq: null });
  }
  return { violations, facts };
}
