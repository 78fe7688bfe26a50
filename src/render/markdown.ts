/**
 * The decision record in Markdown, under the headings of MADR 4.
 *
 * It holds the facts of the card and then the whole record, so it can be kept beside the code it decides about. All words of seats
 * go through `inert`: nobody can put a link, an image, HTML or a heading into it.
 */
import type { Decision } from "../decision.ts";
import type { View } from "../transcript.ts";
import * as facts from "./facts.ts";
import { day, share } from "./figures.ts";
import { inert, inertBlock, inertYaml } from "./inert.ts";
import { bullets, recordSections } from "./record.ts";
import { itemsOf, listOf, textOf } from "./said.ts";
import { leaderlessText, sentence } from "./words.ts";

/** The run as a decision record; `head` is the hash of the record's last line, where it is known. */
export function markdown(view: View, options: { head?: string | undefined } = {}): string {
  const banner = facts.bannerOf(view);
  const blocks = [
    frontMatter(view, banner),
    // Front matter must be the very first thing in the file, so the banner leads the body and the front matter's own first field.
    ...(banner ? [`> **${inert(banner)}**`] : []),
    `# ${inert(facts.short(view.start?.question.text ?? view.run, 300))}`,
    ...contextBlocks(view),
    "## Decision Drivers",
    ...driverBlocks(view),
    "## Considered Options",
    optionsOf(view)
      .map((option) => `- ${inert(option)}`)
      .join("\n") || "None were named.",
    "## Decision Outcome",
    ...(view.decision ? outcomeBlocks(view, view.decision) : gatheredBlocks(view)),
    "### Consequences",
    ...consequenceBlocks(view),
    "### Confirmation",
    ...confirmationBlocks(view, options.head),
    "## Dissent",
    ...dissentBlocks(view),
    "## Changes of mind",
    ...changeBlocks(view),
    "## Pros and Cons of the Options",
    ...optionsOf(view).flatMap((option) => prosAndCons(view, option)),
    "## More Information",
    ...runBlocks(view),
    "## Record",
    ...recordSections(view),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function frontMatter(view: View, banner: string | null): string {
  const makers = facts.panelRows(view).map((row) => inertYaml(row.role ? `${row.id} (${row.role})` : row.id));
  const consulted = [view.decision?.judge, view.decision?.synthesizer].filter((name) => typeof name === "string");
  return [
    "---",
    ...(banner
      ? [`${view.degraded.length > 0 ? "degraded" : "in-doubt"}: ${inertYaml(banner.replace(/^! [a-z ]+: /, ""))}`]
      : []),
    `status: ${inertYaml(view.status)}`,
    `date: ${day(view.updatedAt)}`,
    `decision-makers: [${makers.join(", ")}]`,
    ...(consulted.length > 0 ? [`consulted: [${consulted.map(inertYaml).join(", ")}]`] : []),
    `run: ${inertYaml(view.run)}`,
    "---",
  ].join("\n");
}

function contextBlocks(view: View): string[] {
  const question = view.start?.question;
  const material = (question?.context ?? []).map((item) => `${item.name} (${item.text.length} characters)`);
  return [
    "## Context and Problem Statement",
    inertBlock(question?.text ?? ""),
    ...bullets("Material shown to every seat", material),
  ];
}

/** What the panel was to judge by: the criteria of its evidence, and what each seat looks after. */
function driverBlocks(view: View): string[] {
  const criteria = new Set([...view.evidence.values()].flatMap((item) => item.criterion ?? []));
  const roles = (view.start?.seats ?? []).filter((seat) => seat.role || seat.rubric);
  const lines = roles.map(
    (seat) => `${facts.seatTitle(view, seat.id)}${seat.rubric ? `: ${facts.short(seat.rubric, 300)}` : ""}`,
  );
  const blocks = [
    ...bullets("Criteria of the evidence", [...criteria]),
    ...bullets("What each seat looks after", lines),
  ];
  return blocks.length > 0 ? blocks : ["None were stated."];
}

function optionsOf(view: View): string[] {
  return [...new Set([...(view.start?.question.options ?? []), ...view.ballots.map((ballot) => ballot.answer)])];
}

function outcomeBlocks(view: View, decision: Decision): string[] {
  const reasons = decision.reasons.map(
    (reason, index) =>
      `${index + 1}. ${inert(facts.short(reason.text, 2_000) + facts.support(view, reason.refs, reason.by))}`,
  );
  const numbers = facts
    .numbers(view, decision)
    .map(({ label, value, text }) => `- **${label} ${value}**: ${inert(text)}`);
  return [
    ...verdictBlocks(decision),
    inert(facts.standingText(view, decision)),
    inert(facts.lettersText(view) ?? ""),
    sentence(inert(`${view.status}: ${facts.standingWords(view)}`)),
    numbers.join("\n"),
    ...(reasons.length > 0 ? ["Reasons:", reasons.join("\n")] : []),
    [
      `- Blind first votes: ${inert(facts.votesText(decision.votes.before))}`,
      `- Votes at the end: ${inert(facts.votesText(decision.votes.after))}`,
    ].join("\n"),
    inert(facts.plainVoteText(decision)),
  ];
}

function verdictBlocks(decision: Decision): string[] {
  if (decision.outcome === "decided") {
    const chosen = decision.answer === null ? "" : `Chosen option: **${inert(decision.answer, 200)}**`;
    return [chosen, inertBlock(decision.recommendation ?? decision.answer ?? "", "> ")];
  }
  const leading =
    decision.leading === null
      ? leaderlessText(decision.votes.after)
      : `Leading position, not a decision: ${inert(facts.quoted(decision.leading))}`;
  return ["**No decision.**", leading, ...(decision.recommendation ? [inertBlock(decision.recommendation, "> ")] : [])];
}

function gatheredBlocks(view: View): string[] {
  const held = facts
    .positions(view)
    .flatMap((ballot) => [
      `${inert(facts.seatTitle(view, ballot.seat))}: **${inert(ballot.answer, 200)}**, confidence ${share(ballot.confidence)} (round ${ballot.round})`,
      inertBlock(ballot.position, "> "),
    ]);
  return [
    "**No decision.**",
    inert(facts.stoppedText(view)),
    ...(held.length > 0 ? ["What was gathered:", ...held] : []),
  ];
}

function consequenceBlocks(view: View): string[] {
  const decision = view.decision;
  const behind = decision ? facts.standing(view, decision).for : [];
  const caveats = facts
    .positions(view)
    .filter((ballot) => behind.includes(ballot.seat))
    .flatMap((ballot) =>
      listOf(view.turns.get(ballot.key)?.said, "caveats").map(
        (caveat) => `Bad, because ${facts.short(caveat, 1_000)} (${ballot.seat})`,
      ),
    );
  const open = (decision?.unresolved ?? []).map(
    (point) => `Neutral, because it is unresolved: ${facts.short(point, 1_000)}`,
  );
  const lines = [...caveats, ...open].map((line) => `- ${inert(line)}`);
  return [lines.join("\n") || "None were named."];
}

function confirmationBlocks(view: View, head: string | undefined): string[] {
  const { cited, given, invalid } = facts.evidenceUse(view);
  const bad = invalid.map(({ seat, round, cite, why }) => `“${cite}” by ${seat} in round ${round}: ${why}`);
  return [
    ...bullets("Revisit if", view.decision?.triggers ?? []),
    inert(`Evidence: ${cited.length} of ${given} items cited${cited.length > 0 ? ` (${cited.join(", ")})` : ""}.`),
    ...bullets("Citations that do not count", bad),
    ...(head ? [`Head of the record: \`${head.replace(/[^0-9a-zA-Z:_-]/g, "")}\``] : []),
  ];
}

function dissentBlocks(view: View): string[] {
  const decision = view.decision;
  const kept = decision ? facts.dissentInOrder(decision) : view.dissent;
  if (kept.length === 0) return ["None was kept."];
  return kept.flatMap((dissent) => [
    inert(facts.dissentTitle(view, dissent)),
    inertBlock(dissent.words, "> "),
    ...(dissent.reason === null ? [] : [`Given up because: ${inert(dissent.reason)}`]),
  ]);
}

function changeBlocks(view: View): string[] {
  const flips = view.decision?.flips ?? [];
  return [flips.map((flip) => `- ${inert(facts.flipText(view, flip))}`).join("\n") || "Nobody changed their answer."];
}

/** What speaks for an option and against it: the evidence, and the claims and caveats of the seats that hold it at the end. */
function prosAndCons(view: View, option: string): string[] {
  const items = [...view.evidence.values()];
  const good = items
    .filter((item) => item.supports === option)
    .map((item) => `Good, because ${facts.short(item.text, 400)} [${item.ref}]`);
  const bad = items
    .filter((item) => item.against === option)
    .map((item) => `Bad, because ${facts.short(item.text, 400)} [${item.ref}]`);
  for (const ballot of facts.positions(view).filter((ballot) => ballot.answer === option)) {
    const said = view.turns.get(ballot.key)?.said;
    const claims = itemsOf(said, "claims").map(
      (claim) =>
        `${facts.short(textOf(claim, "text") ?? "", 400)}${facts.support(view, listOf(claim, "refs"), [ballot.seat])}`,
    );
    good.push(...claims.map((claim) => `Good, because ${claim}`));
    bad.push(...listOf(said, "caveats").map((caveat) => `Bad, because ${facts.short(caveat, 400)} (${ballot.seat})`));
  }
  const lines = [...good, ...bad].map((line) => `- ${inert(line)}`);
  return [`### ${inert(option, 200)}`, lines.join("\n") || "Nothing was said for or against it."];
}

function runBlocks(view: View): string[] {
  const start = view.start;
  const seats = facts.panelRows(view).map((row) => `${row.id}${row.role ? ` (${row.role})` : ""}: ${row.occupant}`);
  return [
    ...bullets("Panel", seats),
    ...(view.decision
      ? [inert(`Independence: ${facts.voicesText(view.decision)}.`), inert(`Written by ${view.decision.synthesizer}.`)]
      : []),
    inert(`Cost: ${facts.costText(view)}.`),
    ...bullets("Budgets reached", view.limitsReached.map(facts.limitText)),
    ...bullets(
      "In doubt",
      view.doubts.map((doubt) => facts.doubtText(view, doubt)),
    ),
    ...bullets("Notes", facts.notesOf(view)),
    start
      ? inert(
          `Run ${view.run}: protocol ${start.protocol} v${start.protocolVersion}, ${view.events} events, seed ${start.seed}, engine ${start.engine}.`,
        )
      : "",
  ];
}
