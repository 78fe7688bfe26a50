/**
 * The decision card: everything needed to trust or to doubt a decision, on a page or two of a terminal.
 *
 * What is missing comes first: a degraded run says so in its first line. An undecided run has no row called a decision, votes,
 * scores and stated confidence stay three numbers, and dissent is shown in its own words.
 */
import type { Decision, Dissent } from "../decision.ts";
import type { View } from "../transcript.ts";
import * as facts from "./facts.ts";
import { many, share } from "./figures.ts";
import { headingLines, type Part, pageLines, partLines, type Row } from "./page.ts";
import type { Paint } from "./paint.ts";
import { oneLine } from "./safe.ts";
import { leaderlessText, missText } from "./words.ts";
import { pad, width } from "./wrap.ts";

export type CardOptions = { width: number; paint: Paint; head?: string | undefined };

/** The card of a run, decided or not, wrapped to a width. */
export function card(view: View, options: CardOptions): string {
  // Lines longer than this are hard to read however wide the window is.
  const columns = Math.max(24, Math.min(options.width, 120));
  const { paint } = options;
  const banner = facts.bannerOf(view);
  const rows = view.decision ? decisionRows(view, view.decision) : gatheredRows(view);
  const lines = [
    ...(banner ? [...partLines({ text: banner, style: "yellow" }, columns, paint), ""] : []),
    ...headingLines(titleOf(view), standingOf(view), columns, paint),
    ...questionLines(view, columns, paint),
    "",
    ...(view.decision ? verdictLines(view, view.decision, columns, paint) : stoppedLines(view, columns, paint)),
    "",
    ...pageLines([...rows, "gap", ...runRows(view, options.head)], columns, paint),
  ];
  return `${lines.join("\n")}\n`;
}

function titleOf(view: View): string {
  const word = view.decision && view.status === "running" ? view.decision.outcome : view.status;
  return `${word === "decided" ? "DECISION" : word.toUpperCase()} ${view.run}`;
}

function standingOf(view: View): string {
  const words = facts.standingWords(view);
  if (view.status === "decided") return `decided: ${words}`;
  return facts.isOver(view) ? `stopped: ${words}` : words;
}

function questionLines(view: View, columns: number, paint: Paint): string[] {
  const text = facts.short(view.start?.question.text ?? "", 600);
  return partLines({ text, indent: 2, style: "dim" }, columns, paint);
}

/** The recommendation, or what leads when nothing was decided. */
function verdictLines(view: View, decision: Decision, columns: number, paint: Paint): string[] {
  const line = (part: Part) => partLines({ indent: 2, ...part }, columns, paint);
  const letters = facts.lettersText(view);
  const standing = [
    ...line({ text: facts.standingText(view, decision) }),
    ...(letters ? line({ text: letters, style: "dim" }) : []),
  ];
  if (decision.outcome === "decided") {
    const answer =
      decision.answer === null ? [] : line({ text: `Answer: ${facts.short(decision.answer, 200)}`, style: "cyan" });
    return [
      ...line({ text: decision.recommendation ?? decision.answer ?? "", style: "bold" }),
      "",
      ...answer,
      ...standing,
    ];
  }
  const none = line({ text: "No decision.", style: "bold" });
  if (decision.leading === null)
    return [...none, ...line({ text: leaderlessText(decision.votes.after) }), "", ...standing];
  const leading = `Leading position, not a decision: ${facts.quoted(decision.leading)}`;
  const words = decision.recommendation ? line({ text: decision.recommendation, gutter: "│ " }) : [];
  return [...none, ...line({ text: leading }), ...words, "", ...standing];
}

function stoppedLines(view: View, columns: number, paint: Paint): string[] {
  const part: Part = { text: facts.stoppedText(view), indent: 2 };
  return partLines(view.status === "failed" ? { ...part, style: "red" } : part, columns, paint);
}

function decisionRows(view: View, decision: Decision): Row[] {
  const bullets = (texts: readonly string[]): Part[] =>
    texts.map((text) => ({ lead: "- ", text: facts.short(text, 1_000) }));
  return [
    ...facts
      .numbers(view, decision)
      .map(({ label, value, text }) => ({ label, parts: [{ lead: `${value.padStart(4)}  `, text }] })),
    "gap",
    { label: decision.answer === null ? "For it" : "Why", parts: reasonParts(view, decision) },
    "gap",
    dissentRow(view, decision),
    "gap",
    { label: "Changed", parts: changeParts(view, decision) },
    "gap",
    {
      label: "Votes",
      parts: [
        { lead: "blind  ", text: facts.votesText(decision.votes.before) },
        { lead: "after  ", text: facts.votesText(decision.votes.after) },
      ],
    },
    { label: "Plain vote", parts: [{ text: facts.plainVoteText(decision) }] },
    "gap",
    { label: "Revisit if", parts: bullets(decision.triggers) },
    { label: "Unresolved", parts: bullets(decision.unresolved) },
    "gap",
    { label: "Evidence", parts: evidenceParts(view) },
  ];
}

function reasonParts(view: View, decision: Decision): Part[] {
  return decision.reasons.map((reason, index) => {
    return {
      lead: `${index + 1}. `,
      text: facts.short(reason.text, 2_000) + facts.support(view, reason.refs, reason.by),
    };
  });
}

/** Dissent word for word. Where nothing was decided there is nothing to dissent from, and the same words are positions. */
function dissentRow(view: View, decision: Decision): Row {
  const label =
    decision.answer === null &&
    decision.dissent.some((entry) => entry.answer === decision.leading || decision.leading === null);
  const parts = facts.dissentInOrder(decision).flatMap((entry) => dissentParts(view, entry));
  if (parts.length > 0) return { label: label ? "Positions" : "Dissent", parts };
  return { label: "Dissent", parts: [{ text: "none: nobody who answered holds, or held at first, another answer" }] };
}

function dissentParts(view: View, dissent: Dissent): Part[] {
  const reason = dissent.reason === null ? [] : [{ lead: "  because: ", text: facts.short(dissent.reason, 2_000) }];
  return [{ text: facts.dissentTitle(view, dissent) }, { gutter: "│ ", indent: 2, text: dissent.words }, ...reason];
}

function changeParts(view: View, decision: Decision): Part[] {
  if (decision.flips.length === 0) return [{ text: "nobody changed their answer" }];
  return decision.flips.map((flip) => {
    const text = facts.flipText(view, flip);
    return text.startsWith("⚠") ? { text, style: "yellow" } : { text };
  });
}

function evidenceParts(view: View): Part[] {
  const { cited, given, invalid } = facts.evidenceUse(view);
  const list = cited.length > 0 ? ` (${cited.join(", ")})` : "";
  const bad = invalid.map(({ seat, round, cite, why }): Part => {
    return { lead: "- ", text: `does not count: ${facts.quoted(cite)} by ${seat} in R${round}, ${why}` };
  });
  const sum = invalid.length > 0 ? ` · ${many(invalid.length, "invalid citation")}` : "";
  return [{ text: `${cited.length} of ${many(given, "item")} cited${list}${sum}` }, ...bad];
}

/** Without a decision: what was gathered, seat by seat. */
function gatheredRows(view: View): Row[] {
  const held = facts.positions(view);
  const silent = (view.start?.seats ?? []).filter((seat) => !held.some((ballot) => ballot.seat === seat.id));
  const parts = held.flatMap((ballot): Part[] => [
    {
      text: `${facts.seatTitle(view, ballot.seat)}: ${facts.quoted(ballot.answer)} ${share(ballot.confidence)} (R${ballot.round})${facts.support(view, ballot.refs)}`,
    },
    { gutter: "│ ", indent: 2, text: facts.short(ballot.position, 1_200) },
  ]);
  const missing = silent.map((seat): Part => {
    const why = view.degraded.findLast((entry) => entry.seat === seat.id);
    return {
      text: `${facts.seatTitle(view, seat.id)}: no answer${why ? `, it ${missText(why.kind)}` : facts.isOver(view) ? "" : " yet"}`,
    };
  });
  return [
    { label: "Gathered", parts: [...parts, ...missing] },
    "gap",
    { label: "Evidence", parts: view.ballots.length > 0 ? evidenceParts(view) : [] },
  ];
}

/** The run itself: what it cost, what is in doubt, who sat, and how to find it again. */
function runRows(view: View, head: string | undefined): Row[] {
  const start = view.start;
  const limits = view.limitsReached.map((event): Part => ({ text: facts.limitText(event) }));
  const rounds = `${view.rounds.length === 0 ? "no round" : many(view.rounds.length, "round")}`;
  return [
    { label: "Cost", parts: [{ text: facts.costText(view) }] },
    { label: "Budget", parts: limits },
    { label: "In doubt", parts: view.doubts.map((doubt) => ({ text: facts.doubtText(view, doubt) })) },
    { label: "Notes", parts: facts.notesOf(view).map((text) => ({ lead: "- ", text: facts.short(text, 1_000) })) },
    "gap",
    {
      label: "Panel",
      parts: [...(view.decision ? [{ text: facts.voicesText(view.decision) }] : []), ...seatParts(view)],
    },
    { label: "Written by", parts: view.decision?.outcome === "decided" ? [{ text: view.decision.synthesizer }] : [] },
    {
      label: "Run",
      parts: start
        ? [
            {
              text: `${start.protocol} v${start.protocolVersion} · ${rounds} · ${many(view.events, "event")} · seed ${start.seed}`,
            },
          ]
        : [],
    },
    { label: "Record", parts: head ? [{ text: head }] : [] },
  ];
}

function seatParts(view: View): Part[] {
  const rows = facts.panelRows(view).map((row) => ({ ...row, id: oneLine(row.id, 20), role: oneLine(row.role, 24) }));
  const column = (key: "id" | "role") => Math.max(0, ...rows.map((row) => width(row[key])));
  const [ids, roles] = [column("id"), column("role")];
  return rows.map(({ id, role, occupant }) => ({
    lead: `${pad(id, ids)}  ${roles > 0 ? `${pad(role, roles)}  ` : ""}`,
    text: facts.short(occupant, 200),
  }));
}
