/**
 * The live block: a header, a row for each seat, and a line on what is waited for, redrawn in place while a run goes on.
 *
 * Its height depends on the panel and the window alone, never on what happens, so a redraw cannot jump; in a window too low for
 * it, it is one line. The caller gives the time and the window, and draws.
 */
import { canonical, latest } from "../answers.ts";
import type { Ballot } from "../ballot.ts";
import type { Seat } from "../seat.ts";
import type { TurnView, View } from "../transcript.ts";
import { optionOf, quoted } from "./facts.ts";
import { many, share, span } from "./figures.ts";
import type { Paint, Style } from "./paint.ts";
import { oneLine } from "./safe.ts";
import { numberOf, textOf } from "./said.ts";
import { cut, pad, width } from "./wrap.ts";

export type BlockOptions = { width: number; rows: number; now: number; paint: Paint };

const twoColumns = 100;
/** What a seat is doing matters more than who fills it: the occupant's name gives way below this. */
const stateColumns = 32;
const stopHint = "^C stop after this call, ^C^C now";

/** The lines of the block, each within the width, and never more of them than rows. */
export function statusBlock(view: View, options: BlockOptions): string[] {
  const { width: columns, rows, now, paint } = options;
  if (rows < 1 || columns < 1) return [];
  const seats = view.start?.seats ?? [];
  const sideBySide = columns >= twoColumns && seats.length > 1;
  const height = 2 + (sideBySide ? Math.ceil(seats.length / 2) : seats.length);
  if (height > rows) return [cut(`${headerText(view, now)}   ${footText(view, now)}`.trimEnd(), columns)];
  const room = sideBySide ? Math.floor((columns - 2) / 2) : columns;
  const cells = seatCells(view, now, room).map((cell) => fitted(cell, room));
  const lines = sideBySide ? pairUp(cells, room, paint) : cells.map((cell) => painted(cell, paint));
  return [
    headerLine(view, now, columns, paint),
    ...lines,
    paint("dim", cut(` ${footText(view, now)}`, columns).trimEnd()),
  ];
}

/** A cell in two pieces, so that the part that carries the state can be painted after it was cut. */
type Cell = { who: string; state: string; style: Style | null };

function seatCells(view: View, now: number, room: number): Cell[] {
  const seats = view.start?.seats ?? [];
  const column = (texts: string[]) => {
    const most = Math.max(0, ...texts.map(width));
    return texts.map((text) => (most > 0 ? `${pad(text, most)} ` : ""));
  };
  const ids = column(seats.map((seat) => oneLine(seat.id, 12)));
  const roles = column(seats.map((seat) => oneLine(seat.role, 12)));
  const occupants = column(seats.map((seat) => oneLine(seat.occupant.name, 20)));
  return seats.map((seat, index) => {
    const brief = ` ${ids[index]}${roles[index] || occupants[index]}`;
    const full = ` ${ids[index]}${roles[index]}${occupants[index]}`;
    return { who: `${room - width(full) < stateColumns ? brief : full} `, ...stateOf(view, seat, now) };
  });
}

function stateOf(view: View, seat: Seat, now: number): { state: string; style: Style | null } {
  const round = view.rounds.at(-1)?.round ?? 0;
  const turn = [...view.turns.values()].findLast((turn) => turn.seat === seat.id && turn.round === round);
  const held = latest(view.ballots, round).find((ballot) => ballot.seat === seat.id);
  const before = latest(view.ballots, round - 1).find((ballot) => ballot.seat === seat.id);
  if (!turn) return { state: held ? `· ${heldText(held)}` : "· waits", style: "dim" };
  if (turn.state === "ended") return { state: `✓ ${endedText(view, turn, held, before)}`, style: "green" };
  if (turn.state === "missed")
    return { state: `! ${oneLine(`${turn.missed?.kind}: ${turn.missed?.cause}`)}`, style: "yellow" };
  if (turn.state === "in-doubt") return { state: "? in doubt: cut off by a crash", style: "yellow" };
  if (turn.state === "retrying") return { state: `! ${retryText(view, turn, now)}`, style: "yellow" };
  const doing = turn.open?.repairOf === null || !turn.open ? turn.act : "mends its reply";
  return { state: `… ${oneLine(doing, 30)} ${span(now - turn.startedAt)}`, style: null };
}

/** What it says now and what it held before; before its ballot is cast, the reply itself is read. */
function endedText(view: View, turn: TurnView, held: Ballot | undefined, before: Ballot | undefined): string {
  const cast = held?.round === turn.round ? held : null;
  const said = textOf(turn.said, "answer");
  if (!cast && said === null) return "answered";
  const answer = cast?.answer ?? canonical(said ?? "", view.start?.question.options ?? []);
  const confidence = cast?.confidence ?? numberOf(turn.said, "confidence");
  const now = heldText({ answer, confidence });
  if (before && before.answer !== answer) return `${now} (was ${oneLine(quoted(before.answer), 24)})`;
  return before && before.confidence !== confidence ? `${now} (was ${share(before.confidence)})` : now;
}

function heldText({ answer, confidence }: { answer: string; confidence: number | null }): string {
  return `${oneLine(answer, 40)}${confidence === null ? "" : ` ${share(confidence)}`}`;
}

function retryText(view: View, turn: TurnView, now: number): string {
  const most = view.limits?.attempts;
  const at = turn.failed?.retryAt ?? null;
  const when =
    at === null
      ? ""
      : `, retry ${turn.attempts + 1}${most ? `/${most}` : ""} in ${span(Math.max(0, Math.ceil((at - now) / 1000) * 1000))}`;
  return `${oneLine(turn.failed?.cause ?? "failed", 40)}${when}`;
}

function headerLine(view: View, now: number, columns: number, paint: Paint): string {
  const text = headerText(view, now);
  const room = columns - width(text) - width(stopHint);
  if (room >= 4) return paint("bold", text) + pad("", room) + paint("dim", stopHint);
  return paint("bold", cut(text, columns));
}

function headerText(view: View, now: number): string {
  const round = view.rounds.at(-1);
  const most = optionOf(view, "rounds");
  const of = typeof most === "number" && round && round.round <= most ? `/${most}` : "";
  const shares = view.scores.slice(-2).map((score) => share(score.share));
  const time = view.activeMs + (view.status === "running" ? Math.max(0, now - view.updatedAt) : 0);
  return [
    round ? `Round ${round.round}${of} ${oneLine(round.name, 30)}` : "Beginning",
    shares.length > 0 ? `agreement ${shares.join(" → ")}` : null,
    many(view.spent.tokens, "token"),
    span(Math.floor(time / 1000) * 1000),
  ]
    .filter((part) => part !== null)
    .join("   ");
}

/** What is waited for: the judge or the synthesizer, the seats still out, or a person. */
function footText(view: View, now: number): string {
  if (view.status === "waiting") return `waits for ${view.waiting === "budget" ? "more budget" : `a ${view.waiting}`}`;
  const seats = new Set((view.start?.seats ?? []).map((seat) => seat.id));
  const open = [...view.turns.values()].filter((turn) => turn.state === "running" || turn.state === "retrying");
  const other = open.find((turn) => !seats.has(turn.seat));
  if (other) return `${oneLine(other.seat, 30)} … ${oneLine(other.act, 30)} ${span(now - other.startedAt)}`;
  return open.length > 0 ? `waits for ${oneLine(open.map((turn) => turn.seat).join(", "))}` : "";
}

function fitted(cell: Cell, room: number): Cell {
  const who = cut(cell.who, room);
  return { ...cell, who, state: cut(cell.state, room - width(who)) };
}

function painted({ who, state, style }: Cell, paint: Paint): string {
  return state === "" ? who.trimEnd() : who + (style ? paint(style, state) : state);
}

/** Two columns, filled downwards as one reads a list. */
function pairUp(cells: readonly Cell[], room: number, paint: Paint): string[] {
  const half = Math.ceil(cells.length / 2);
  return cells.slice(0, half).map((left, index) => {
    const right = cells[half + index];
    if (!right) return painted(left, paint);
    return `${painted(left, paint)}${pad("", room + 2 - width(left.who) - width(left.state))}${painted(right, paint)}`;
  });
}
