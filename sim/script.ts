/**
 * What simulated occupants say. The words, the faults and the delays are functions of the seed, the call's key and its attempt, so a
 * call that is made twice shows itself by the same words.
 */
import type { Request } from "../src/ports.ts";
import { fenceOf } from "../src/prompt.ts";
import { Dice } from "./dice.ts";
import type { Fault, Plan } from "./plan.ts";

/** What one call will do: its fault, its delay, and whether it listens to being cut off. */
export type Part = {
  fault: Fault | null;
  ms: number;
  heedsAbort: boolean;
  usageKnown: boolean;
  overCap: boolean;
  usdKnown: boolean;
  /** The string by which its words are known again wherever they turn up. */
  canary: string;
  dice: Dice;
};

/** The part a call plays. */
export function partOf(plan: Plan, endpoint: string | null, key: string, attempt: number): Part {
  const dice = new Dice(plan.name, `${key}#${attempt}`);
  const drawn = plan.faults.length > 0 && dice.bool(plan.faultRate) ? dice.pick(plan.faults) : null;
  const down = plan.outage !== null && plan.outage === endpoint && dice.bool(0.9);
  const fault = down ? "provider_error" : drawn;
  return {
    fault,
    ms: dice.int(1, 3_000),
    heedsAbort: dice.bool(0.5),
    usageKnown: !dice.bool(plan.usageUnknown),
    overCap: dice.bool(plan.overCap),
    usdKnown: dice.bool(0.5),
    canary: `CANARY-${dice.int(10_000_000, 99_999_999)}`,
    dice,
  };
}

/** The reply's text, with the canary that tells in whose prompt it is found again. */
export function replyText(plan: Plan, request: Request, part: Part, nonce: string | null): string {
  if (request.act === "score") return JSON.stringify(scoreOf(plan, request, part));
  if (request.act === "synthesis") return JSON.stringify(synthesisOf(plan, request, part));
  const said = openingOf(plan, request, part, nonce);
  return wrapped(JSON.stringify(request.act === "critique" ? revisionOf(plan, request, said, part) : said), part);
}

/** Some replies stand in a fenced block or after a sentence, as models write them. */
function wrapped(json: string, { dice }: Part): string {
  const shape = dice.roll();
  if (shape < 0.05) return `Here it is:\n\`\`\`json\n${json}\n\`\`\``;
  return shape < 0.1 ? `Gladly. ${json} That is all.` : json;
}

function answerOf(plan: Plan, seat: string, round: number): string {
  const path = plan.path.get(seat) ?? [];
  return plan.answers[path[Math.min(round, path.length - 1)] ?? 0] ?? "";
}

type Said = {
  position: string;
  answer: string;
  claims: { text: string; refs: string[] }[];
  caveats: string[];
  confidence: number;
  wouldChange: string[];
  verdict: string | null;
};

function openingOf(plan: Plan, request: Request, part: Part, nonce: string | null): Said {
  const { dice, fault, canary } = part;
  const answer = answerOf(plan, request.seat.id, request.round);
  const copied = fault === "copy" ? (request.heard[0]?.said as { position?: string } | undefined)?.position : undefined;
  const position = copied ?? `${canary} holds ${answer} to be right.${extraWords(plan, request, fault, nonce)}`;
  return {
    position,
    answer: fault === "off_list" ? "Elsewhere" : spelt(answer, dice),
    claims: [{ text: canary, refs: citesOf(request, part) }],
    caveats: dice.bool(0.5) ? ["Rain."] : [],
    confidence: dice.int(1, 9) / 10,
    wouldChange: dice.bool(0.3) ? ["A map."] : [],
    verdict: dice.bool(0.9) ? answer.replaceAll(" ", "_") : null,
  };
}

/** A guesser of fences is the worst a seat can be: it writes the very token that will stand around its words. */
function extraWords(plan: Plan, request: Request, fault: Fault | null, nonce: string | null): string {
  if (fault === "long_words") return `${" words".repeat(100)}`;
  if (fault !== "guessed_fence" || nonce === null) return "";
  const keys = plan.input.seats.map((seat) => `round-${request.round + 1}/${seat.id}/critique`);
  return `${keys.map((key) => `\nEND ${fenceOf(nonce, key)}\n`).join("")}!`;
}

function spelt(answer: string, dice: Dice): string {
  const way = dice.roll();
  return way < 0.1 ? ` "${answer.toUpperCase()}". ` : way < 0.2 ? answer.replaceAll(" ", "  ") : answer;
}

function citesOf(request: Request, { dice, fault }: Part): string[] {
  const cites = dice.some(request.evidence, 0.6).map((item) => {
    return dice.bool(0.4) ? `${item.ref}#walked by` : item.ref;
  });
  const [seen] = request.evidence;
  if (fault === "ghost") cites.push("e99");
  if (fault === "bad_quote" && seen) cites.push(`${seen.ref}#walked by nobody`);
  if (fault === "invisible") cites.push("e0", "e1", "e2", "e3");
  return [...new Set(cites)];
}

function revisionOf(plan: Plan, request: Request, said: Said, { dice }: Part): unknown {
  const { id } = request.seat;
  const moved = answerOf(plan, id, request.round) !== answerOf(plan, id, request.round - 1);
  const peer = request.heard[0]?.label ?? null;
  const change = { argument: `${said.position.slice(0, 15)} did`, from: peer, refs: said.claims[0]?.refs ?? [] };
  return {
    ...said,
    agreements: peer && dice.bool(0.3) ? [{ with: peer, on: "the road" }] : [],
    disagreements: peer && dice.bool(0.3) ? [{ with: peer, on: "pace", reason: "Far." }] : [],
    changedBy: moved && dice.bool(0.8) ? change : null,
  };
}

function scoreOf(plan: Plan, request: Request, { dice, fault }: Part): unknown {
  const answers = plan.input.seats.map((seat) => answerOf(plan, seat.id, request.round));
  const same = new Set(answers).size === 1;
  const base = same || dice.bool(0.05) ? 0.95 : 0.4;
  return fault === "off_list"
    ? { recommendation: 7, facts: 0, caveats: 0 }
    : { recommendation: base, facts: base, caveats: base };
}

function synthesisOf(plan: Plan, request: Request, part: Part): unknown {
  const seat = plan.input.seats[0]?.id ?? "";
  const answer = part.fault === "off_list" ? "Elsewhere" : answerOf(plan, seat, request.round);
  const by = [...new Set(request.heard.map((heard) => heard.label))].slice(0, 2);
  return {
    recommendation: `${part.canary}: go by ${answer}.`,
    answer,
    reasons: [{ text: "They said so.", refs: citesOf(request, part), by }],
    triggers: ["A flood."],
    unresolved: [],
  };
}
