/**
 * The `parley.yml` that `parley init` writes: a panel of three that can be filled in, and every setting with its default.
 *
 * It is held against the schema by a test, so that a first config is never a broken one.
 */

/** A commented config with a panel of three seats. */
export function defaultConfigText(): string {
  return text;
}

const text = `# Parley: settings for this project. Every key is optional.
# Flags and PARLEY_* variables come before this file; \`parley config --origin\` tells where each value came from.
# Paths are relative to this file. Keys and passwords do not belong here.

# Panels by name. The one called "default" sits when no other is asked for.
# An occupant is evidence:FILE (weighs a dossier), rules:FILE, script:FILE.jsonl, command:./program or person.
panels:
  default:
    seats:
      - id: build
        role: builder
        occupant: evidence:dossiers/product.yml
      - id: run
        role: operator
        occupant: evidence:dossiers/ops.yml
      - id: risk
        role: skeptic
        occupant: evidence:dossiers/finance.yml
    # Who scores agreement and who writes the recommendation; these two are made of code and cost nothing.
    judge: code:judge
    synthesizer: code:synthesizer

# What a seat is told when it has one of these roles.
roles:
  builder:
    brief: You look after what it takes to build this and to change it later.
  operator:
    brief: You look after running it every day, its cost and its failures.
  skeptic:
    brief: You look for what could go wrong and for what nobody has checked.
    rubric: A risk counts when you can name who it hits, how likely it is, and how it would be noticed.

# Defaults for a protocol's own options.
protocols:
  debate:
    rounds: 4
    threshold: 0.85

# What a run may use. Reaching a budget ends the run with what was gathered.
budgets:
  # maxTokens: 200000
  # maxUsd: 2.50
  # maxTurns: 60
  maxTime: 30m
  turnTimeout: 2m
  onBudget: harvest

# Files and folders that every seat of every run is shown.
# evidence:
#   - docs/facts

# Where runs are kept; the state folder unless told.
# store:
#   path: .parley
`;
