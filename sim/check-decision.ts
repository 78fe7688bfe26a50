/** Invariants of the ending: votes, dissent and changes of mind recounted from the answers, the quorum, the reason, the degraded list. */
import type { Decision } from "../src/decision.ts";
import type { EventOf } from "../src/events.ts";
import { quorumOf } from "../src/limits.ts";
import { type Case, isSeat } from "./case.ts";

type Ballots = Case["ballots"];

/** The last ballot of each seat up to a round. */
function held(ballots: Ballots, round = Number.POSITIVE_INFINITY): Map<string, Ballots[number]> {
  const last = new Map<string, Ballots[number]>();
  for (const ballot of ballots)
    if (ballot.round <= round && ballot.round >= (last.get(ballot.seat)?.round ?? -1)) last.set(ballot.seat, ballot);
  return last;
}

function share(
  plan: Case["plan"],
  holding: ReadonlyMap<string, Ballots[number]>,
): { share: number; leading: string | null } {
  const weights = new Map<string, number>();
  let total = 0;
  for (const seat of plan.input.seats) {
    total += seat.weight;
    const answer = holding.get(seat.id)?.answer;
    if (answer !== undefined) weights.set(answer, (weights.get(answer) ?? 0) + seat.weight);
  }
  const sorted = [...weights].sort((a, b) => b[1] - a[1]);
  const [first, second] = sorted;
  return { share: (first?.[1] ?? 0) / total, leading: first && first[1] !== second?.[1] ? first[0] : null };
}

/** I5: every answered turn of a closed round has one ballot, with the answer and the words the provider gave. */
export function ballotsAreTheAnswers({ ballots, ends, attempts, plan, events, report }: Case): void {
  const keys = new Set<string>();
  for (const ballot of ballots) {
    if (keys.has(ballot.key)) report("I5", `${ballot.key} has two ballots`);
    keys.add(ballot.key);
    const end = ends.get(ballot.key);
    const call = end && attempts.get(`${ballot.key}#${end.attempt}`)?.call;
    if (!end || !call) {
      report("I5", `${ballot.key} has a ballot and no answer`);
      continue;
    }
    const meant = plan.path.get(ballot.seat)?.[ballot.round] ?? 0;
    const answer = call.fault === "off_list" ? "elsewhere" : plan.answers[meant];
    if (ballot.answer !== answer) report("I5", `${ballot.key} counts ${ballot.answer} for ${answer}`, end.seq);
    if (!call.text?.includes(JSON.stringify(ballot.position)))
      report("I5", `${ballot.key} has other words than its seat's`, end.seq);
  }
  for (const event of events) {
    if (event.type !== "round-end") continue;
    for (const end of ends.values())
      if (end.round === event.round && isSeat(plan, end.seat) && !keys.has(end.key))
        report("I5", `${end.key} has no ballot`, event.seq);
  }
}

/** I5: the dissent is everyone who does not hold the answer, and everyone who gave a first position up, word for word. */
export function dissentIsKept({ events, ballots, report }: Case): void {
  const decided = events.find((event) => event.type === "decision-reached");
  if (!decided) return;
  const { decision } = decided;
  const kept = events.filter((event) => event.type === "dissent-kept").map((event) => event.dissent);
  const expected: string[] = [];
  const first = held(ballots, 0);
  for (const [seat, ballot] of held(ballots)) {
    const opening = first.get(seat);
    if (decision.answer === null || ballot.answer !== decision.answer)
      expected.push(`${seat} final ${ballot.answer} ${ballot.position}`);
    else if (opening && opening.answer !== decision.answer)
      expected.push(`${seat} given-up ${opening.answer} ${opening.position}`);
  }
  const got = kept.map((dissent) => `${dissent.seat} ${dissent.kind} ${dissent.answer} ${dissent.words}`);
  if (got.sort().join("\n") !== expected.sort().join("\n"))
    report("I5", `the dissent is [${got}] and should be [${expected}]`, decided.seq);
}

/** I5: flips and votes are those of the ballots. */
export function countsAreTrue({ events, ballots, plan, report }: Case): void {
  const decided = events.find((event) => event.type === "decision-reached");
  if (!decided) return;
  const { flips, votes, confidence, plainVote } = decided.decision;
  const expected: string[] = [];
  for (const ballot of ballots) {
    const before = held(ballots, ballot.round - 1);
    const own = before.get(ballot.seat);
    if (!own || own.answer === ballot.answer) continue;
    const fresh = ballot.changedBy?.refs.some((ref) => ballot.newRefs.includes(ref));
    const followed = share(plan, before).leading === ballot.answer;
    const towards = fresh ? "evidence" : followed ? "majority" : ballot.changedBy ? "argument" : "unexplained";
    expected.push(`${ballot.seat} ${ballot.round} ${own.answer} ${ballot.answer} ${towards}`);
  }
  const got = flips.map((flip) => `${flip.seat} ${flip.round} ${flip.from} ${flip.to} ${flip.towards}`);
  if (got.sort().join("\n") !== expected.sort().join("\n"))
    report("I5", `the flips are [${got}] and should be [${expected}]`, decided.seq);
  const tally = (name: string, vote: Decision["votes"]["after"], round?: number) => {
    const counted = share(plan, held(ballots, round));
    if (vote.leading !== counted.leading || Math.abs(vote.share - counted.share) > 1e-9)
      report(
        "I5",
        `the votes ${name} are ${vote.leading} at ${vote.share}, counted ${counted.leading} at ${counted.share}`,
        decided.seq,
      );
  };
  tally("before", votes.before, 0);
  tally("after", votes.after);
  if (confidence.agreement !== votes.after.share || plainVote.answer !== votes.before.leading)
    report("I5", "the confidence or the plain vote is not that of the votes", decided.seq);
}

/** I8: one end, nothing after it, no decision below the quorum, and a status that fits the reason. */
export function oneEnd({ events, plan, ballots, end, world, report }: Case): void {
  const at = events.findIndex((event) => event.type === "run-end");
  if (at >= 0 && at !== events.length - 1) report("I8", `${events[at + 1]?.type} stands after the end`, at + 1);
  if (!end) return;
  const decided = events.find((event) => event.type === "decision-reached");
  if (end.status === "failed") report("I8", `the run failed: ${end.error?.message}`, end.seq);
  if (end.status === "cancelled" && !world.lives.some((life) => life.plan.cancelAt !== null))
    report("I8", "nobody cancelled the run", end.seq);
  if (end.status === "cancelled" || end.status === "failed") return;
  if (!decided || decided.decision.outcome !== end.status || decided.decision.stopReason !== end.stopReason)
    report("I8", "the end does not say what the decision says", end.seq);
  const { outcome, answer, recommendation } = decided?.decision ?? {};
  if ((outcome === "decided") !== (answer !== null) || (outcome === "decided") !== (recommendation !== null))
    report("I8", "an undecided run has an answer, or a decided one has none", end.seq);
  const quorum = quorumOf(plan.input.limits, plan.input.seats.length);
  const holding = held(ballots);
  if (outcome === "decided" && holding.size < quorum)
    report("I8", `decided by ${holding.size} of a quorum of ${quorum}`, end.seq);
  if (outcome === "decided" && end.stopReason !== "converged" && share(plan, holding).share <= 0.5)
    report("I8", `decided with a share of ${share(plan, holding).share}`, end.seq);
}

/** I8: each round is closed with who answered it, and the run stops for the reason its rounds give. */
export function stopsForItsReason({ events, ends, plan, ballots, end, report }: Case): void {
  const quorum = quorumOf(plan.input.limits, plan.input.seats.length);
  const options = plan.input.options as { rounds: number; threshold: number; convergence: string; stallAfter: number };
  let budget: string | null = null;
  let still = 0;
  let stop: string | null = null;
  for (const event of events) {
    if (event.type === "limit-reached" && event.action === "harvest") budget ??= event.budget;
    if (event.type === "turn-start" && stop !== null && isSeat(plan, event.seat))
      report("I8", `${event.key} was asked after ${stop}`, event.seq);
    if (event.type === "turn-start" && stop === "quorum_lost")
      report("I8", `${event.key} was asked without a quorum`, event.seq);
    if (event.type === "round-end") {
      const answered = plan.input.seats
        .map((seat) => seat.id)
        .filter((id) => [...ends.values()].some((turn) => turn.seat === id && turn.round === event.round));
      if (answered.sort().join() !== [...event.answered].sort().join())
        report("I8", `round ${event.round} is closed with [${event.answered}], [${answered}] answered`, event.seq);
      stop = budget ?? (answered.length < quorum ? "quorum_lost" : null);
      if (event.stop !== stop)
        report("I8", `round ${event.round} is closed with ${event.stop}, it should be ${stop}`, event.seq);
    }
    if (event.type === "score-given") {
      scoreIsTrue(event, { plan, ballots, ends, report });
      const moved = splitOf(ballots, event.round - 1) !== splitOf(ballots, event.round);
      still = moved ? 0 : still + 1;
      const enough = (event.convergence ?? event.share) >= options.threshold;
      const agreed =
        options.convergence === "judge"
          ? enough
          : options.convergence === "verdict"
            ? event.unanimous
            : enough && event.unanimous;
      stop = agreed
        ? "converged"
        : still >= options.stallAfter
          ? "stalled"
          : event.round >= options.rounds
            ? "rounds_done"
            : null;
    }
  }
  if (!end || end.status === "cancelled" || end.status === "failed") return;
  const written = events.some((event) => event.type === "synthesis-written");
  if (!written && stop !== "quorum_lost") stop = budget ?? "judge_failed";
  else if (stop === "rounds_done" && end.status !== "decided") stop = "no_consensus";
  if (end.stopReason !== stop) report("I8", `the run ended with ${end.stopReason}, its rounds say ${stop}`, end.seq);
}

function splitOf(ballots: Ballots, round: number): string {
  return [...held(ballots, round)]
    .map(([seat, ballot]) => `${seat}=${ballot.answer}`)
    .sort()
    .join();
}

function scoreIsTrue(
  event: EventOf<"score-given">,
  { plan, ballots, ends, report }: Pick<Case, "plan" | "ballots" | "ends" | "report">,
): void {
  const counted = share(plan, held(ballots, event.round)).share;
  if (Math.abs(counted - event.share) > 1e-9)
    report("I8", `round ${event.round} has a share of ${counted}, recorded ${event.share}`, event.seq);
  const verdicts = plan.input.seats.map((seat) => {
    const turn = [...ends.values()].find((end) => end.seat === seat.id && end.round === event.round);
    return (turn?.said as { verdict?: string | null } | undefined)?.verdict?.toLowerCase() ?? null;
  });
  const unanimous = verdicts.every((verdict) => verdict !== null && verdict === verdicts[0]);
  if (unanimous !== event.unanimous)
    report("I8", `round ${event.round} is ${unanimous ? "" : "not "}unanimous`, event.seq);
}

/** I12: the degraded list given back is exactly the misses of the record. */
export function degradedIsWhole({ world, missed, end, report }: Case): void {
  if (!end || !world.view) return;
  const line = (miss: { seat: string; round: number; act: string; kind: string }) =>
    `${miss.seat} ${miss.round} ${miss.act} ${miss.kind}`;
  const told = world.view.degraded.map(line).sort().join("\n");
  if (told !== missed.map(line).sort().join("\n")) report("I12", `the degraded list is [${told}]`, end.seq);
}
