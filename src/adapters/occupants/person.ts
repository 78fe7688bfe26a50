/**
 * The person occupant: somebody at the terminal who sits on the panel under the same rules as every other seat.
 *
 * A person sees what the seat may see and no more, and is asked for the same fields. A turn cut off by a crash is asked again:
 * nothing was spent, and nothing was done in the world.
 */
import * as z from "zod";
import { canonical } from "../../answers.ts";
import { SeatError } from "../../errors.ts";
import type { Occupant, Request } from "../../ports.ts";
import type { Opening, Revision } from "../../position.ts";
import type { OccupantSpec } from "../../seat.ts";
import { latestOf, type Position, positionOf, positionsOf } from "./positions.ts";
import { settingsOf } from "./settings.ts";
import { converse, type Streams, type Terminal } from "./terminal.ts";
import { slug } from "./words.ts";

export const PersonSettings = z
  .strictObject({
    name: z.string().min(1).max(200).nullable().default(null).describe("Who is asked, shown above the question."),
  })
  .meta({ id: "PersonSettings" });
export type PersonSettings = z.infer<typeof PersonSettings>;

/** Makes an occupant that asks at the terminal. */
export function person(
  spec: OccupantSpec,
  streams: Streams = { input: process.stdin, output: process.stderr },
): Occupant {
  const { name } = settingsOf(PersonSettings, spec);
  return {
    endpoint: null,
    pure: false,
    patient: true,
    acts: false,
    streams: false,
    cap: () => ({ tokens: 0, usd: 0 }),
    reply: async (request, call) => {
      if (!streams.input.isTTY || !streams.output.isTTY) {
        throw new SeatError("unsupported", `Seat ${request.seat.id} is a person, and there is no terminal to ask at.`);
      }
      if (request.act !== "answer" && request.act !== "critique") {
        throw new SeatError("unsupported", `A person is not asked for \`${request.act}\` at the terminal.`);
      }
      const said = await converse(streams, call.signal, (terminal) => ask(terminal, request, name));
      return { text: JSON.stringify(said), usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
}

async function ask(terminal: Terminal, request: Request, name: string | null): Promise<Opening | Revision> {
  const peers = latestOf(positionsOf(request.heard, request.question.options));
  present(terminal, request, peers, name);
  const opening = await askPosition(terminal, request);
  if (request.act === "answer") return opening;
  return {
    ...opening,
    ...(await askPeers(terminal, peers)),
    changedBy: await askChange(terminal, request, opening, peers),
  };
}

function present(terminal: Terminal, request: Request, peers: readonly Position[], name: string | null): void {
  const { question, seat } = request;
  const role = seat.role === "" ? seat.id : `${seat.id}, ${seat.role}`;
  terminal.show(`\n${name === null ? "" : `${name}: `}seat ${role}, round ${request.round}\n\n${question.text}`);
  for (const text of [seat.brief, seat.rubric]) if (text !== "") terminal.show(`\n${text}`);
  for (const { name, text } of question.context) terminal.show(`\n${name}\n${text}`);
  if (request.evidence.length > 0) terminal.show("\nEvidence you may cite:");
  for (const { ref, text } of request.evidence) terminal.show(`  [${ref}] ${text}`);
  if (peers.length > 0) terminal.show("\nWhat the others said:");
  for (const { label, answer, position, cites } of peers) {
    terminal.show(`  ${label}: ${answer}. ${position}${cites.length > 0 ? ` (cites ${cites.join(", ")})` : ""}`);
  }
  if (question.options.length > 0) terminal.show("\nThe answers to choose from:");
  for (const [index, option] of question.options.entries()) terminal.show(`  ${index + 1}. ${option}`);
  terminal.show("");
}

async function askPosition(terminal: Terminal, request: Request): Promise<Opening> {
  const { options } = request.question;
  const answer = await terminal.read(
    options.length > 0 ? "Your answer (a number or its words):" : "Your answer, in short:",
    (line) => chosen(line, options),
  );
  const position = await terminal.read("Your position, in a sentence or two:", (line) => filled(line).slice(0, 8_000));
  const claims = await terminal.lines("What it rests on, with refs in brackets such as [E1]; an empty line ends:");
  const caveats = await terminal.lines("What speaks against it; an empty line ends:");
  const confidence = await terminal.read("How sure are you, from 0 to 100?", percent);
  const wouldChange = await terminal.lines("What would change your mind; an empty line ends:");
  return {
    position,
    answer,
    claims: claims.slice(0, 30).map((line) => ({ text: line.slice(0, 2_000), refs: citesIn(line) })),
    caveats: caveats.slice(0, 20).map((line) => line.slice(0, 1_000)),
    confidence,
    wouldChange: wouldChange.slice(0, 20).map((line) => line.slice(0, 1_000)),
    verdict: slug(answer),
  };
}

async function askPeers(
  terminal: Terminal,
  peers: readonly Position[],
): Promise<Pick<Revision, "agreements" | "disagreements">> {
  const agreements: Revision["agreements"] = [];
  const disagreements: Revision["disagreements"] = [];
  for (const peer of peers.slice(0, 30)) {
    const shared = await terminal.line(`With ${peer.label} you agree on (empty: nothing):`);
    if (shared !== "") agreements.push({ with: peer.label, on: shared.slice(0, 2_000) });
    const on = await terminal.line(`With ${peer.label} you disagree on (empty: nothing):`);
    if (on === "") continue;
    const reason = await terminal.read("  because:", filled);
    disagreements.push({ with: peer.label, on: on.slice(0, 2_000), reason: reason.slice(0, 2_000) });
  }
  return { agreements, disagreements };
}

async function askChange(
  terminal: Terminal,
  request: Request,
  now: Opening,
  peers: readonly Position[],
): Promise<Revision["changedBy"]> {
  const { options } = request.question;
  const before = positionOf(
    { label: request.seat.id, key: request.key, round: request.round, said: request.own },
    options,
  );
  if (before === null || before.answer === canonical(now.answer, options)) return null;
  const argument = await terminal.read(
    `You held ${before.answer}. What changed your answer, with refs in brackets?`,
    filled,
  );
  const from = await terminal.read("Whose argument was it (a label, or empty)?", (line) => labelled(line, peers));
  return { argument: argument.slice(0, 2_000), from, refs: citesIn(argument) };
}

function chosen(line: string, options: readonly string[]): string {
  const text = filled(line);
  if (options.length === 0) return text.slice(0, 200);
  const option = options[Number(text) - 1] ?? options.find((one) => one === canonical(text, options));
  if (option === undefined) throw new Error(`Give a number from 1 to ${options.length}, or the words of an answer.`);
  return option;
}

function percent(line: string): number {
  const value = Number(filled(line).replace(/%$/u, ""));
  if (!(value >= 0 && value <= 100)) throw new Error("Give a number from 0 to 100.");
  return value / 100;
}

function labelled(line: string, peers: readonly Position[]): string | null {
  if (line === "") return null;
  const peer = peers.find(({ label }) => label.toLowerCase() === line.toLowerCase());
  if (!peer) throw new Error(`Give one of ${peers.map(({ label }) => label).join(", ")}, or nothing.`);
  return peer.label;
}

function filled(line: string): string {
  if (line.trim() === "") throw new Error("Something is needed here.");
  return line.trim();
}

/** Citations in brackets, `ref` or `ref#exact quote`; the room checks them. */
function citesIn(line: string): string[] {
  const found = [...line.matchAll(/\[([^\]]{1,400})\]/gu)].map(([, cite]) => cite ?? "");
  return [...new Set(found)].slice(0, 20);
}
