/** Seeded bugs in votes, dissent, the quorum and the end of a run. */
import type { Mutant } from "./mutants.ts";

export const endingMutants: readonly Mutant[] = [
  {
    name: "dissent is dropped",
    file: "run.ts",
    find: "decision.dissent.slice(live.view.dissent.length)",
    replace: "decision.dissent.slice(live.view.dissent.length + 1)",
    caughtBy: ["I5"],
  },
  {
    name: "positions given up are dropped",
    file: "answers.ts",
    find: "return [...final, ...givenUp].sort(",
    replace: "return [...final].sort(",
    caughtBy: ["I5"],
  },
  {
    name: "changes of mind are missed",
    file: "answers.ts",
    find: "latest(ordered, ballot.round - 1)",
    replace: "latest(ordered, 0)",
    caughtBy: ["I5"],
  },
  {
    name: "a change to the majority passes for evidence",
    file: "answers.ts",
    find: 'fresh ? "evidence" : followed ? "majority"',
    replace: 'refs.length > 0 ? "evidence" : followed ? "majority"',
    caughtBy: ["I5"],
  },
  {
    name: "silent seats leave the denominator",
    file: "answers.ts",
    find: "const total = seats.reduce((sum, seat) => sum + seat.weight, 0);",
    replace:
      "const total = seats.reduce((sum, seat) => sum + (ballots.some((ballot) => ballot.seat === seat.id) ? seat.weight : 0), 0);",
    caughtBy: ["I5", "I8"],
  },
  {
    name: "the quorum of a round is not kept",
    file: "room.ts",
    find: 'answered.length < this.quorum ? "quorum_lost" : null',
    replace: 'answered.length < 1 ? "quorum_lost" : null',
    caughtBy: ["I8"],
  },
  {
    name: "a decision needs no quorum",
    file: "conclude.ts",
    find: 'if (stop === "quorum_lost" || held < room.quorum) return null;',
    replace: "",
    caughtBy: ["I8"],
  },
  {
    name: "a tie is decided",
    file: "conclude.ts",
    find: "after.share > 0.5",
    replace: "after.share >= 0.3",
    caughtBy: ["I8"],
  },
  {
    name: "something is written after the end",
    file: "run.ts",
    find: "live.recorder.append(endOf(decision));",
    replace:
      "live.recorder.append(endOf(decision)); const ended = live.view.stopReason; live.view.stopReason = null; live.recorder.append({ type: 'note-made', text: 'after' }); live.view.stopReason = ended;",
    caughtBy: ["I8"],
  },
  {
    name: "a run ends twice",
    file: "run.ts",
    find: "live.recorder.append(endOf(decision));",
    replace:
      "live.recorder.append(endOf(decision)); live.view.stopReason = null; live.recorder.append(endOf(decision));",
    caughtBy: ["I8"],
  },
  {
    name: "a judge that fails ends the run",
    file: "room.ts",
    find: "    const convergence = score && (",
    replace:
      "    if (causes.length > 0 && score === null) throw new Error('no judge');\n    const convergence = score && (",
    caughtBy: ["I8", "I10"],
  },
  {
    name: "a judge that fails passes for agreement",
    file: "protocols/debate.ts",
    find: "(scored.convergence ?? scored.share) >= options.threshold",
    replace: "(scored.convergence ?? 1) >= options.threshold",
    caughtBy: ["I8"],
  },
  {
    name: "changed prompts go unnoticed",
    file: "room.ts",
    find: "if (known && known !== asked.promptHash)",
    replace: "if (known && known !== asked.promptHash && asked.promptHash === '')",
    caughtBy: ["I9"],
  },
  {
    name: "the degraded list leaves the left behind out",
    file: "transcript.ts",
    find: "view.degraded.push({",
    replace: "if (event.kind !== 'left_behind') view.degraded.push({",
    caughtBy: ["I12"],
  },
  {
    name: "a cancelled run goes on to its conclusion",
    file: "room.ts",
    find: 'if (this.#live.halt?.rest === "cancelled") throw this.#live.halt;',
    replace: "",
    caughtBy: ["I2", "I8"],
  },
  {
    name: "a cancel that follows another halt is lost",
    file: "run.ts",
    find: "const { rest } = live.halt ?? error;",
    replace: "const { rest } = error;",
    caughtBy: ["I2"],
  },
  {
    name: "pausing cuts calls off",
    file: "run.ts",
    find: 'const onPause = () => live.stop(new Halt("paused", "The run was interrupted."));',
    replace:
      'const onPause = () => { live.stop(new Halt("paused", "The run was interrupted.")); live.abort("cancelled", "the run was paused"); };',
    caughtBy: ["I2"],
  },
];
