/**
 * The rules occupant: it votes by which evidence is before it, and by nothing else.
 *
 * The first rule whose conditions hold gives the answer, so a policy can be read from top to bottom. It is a pure function of the
 * request: a rule that needs what only a peer holds begins to apply when that peer cites it.
 */
import * as z from "zod";
import { canonical } from "../../answers.ts";
import type { Occupant, Reply, Request } from "../../ports.ts";
import type { Opening, Revision } from "../../position.ts";
import type { OccupantSpec } from "../../seat.ts";
import { latestOf, type Position, positionOf, positionsOf } from "./positions.ts";
import { positionReply, pureOccupant } from "./pure.ts";
import { settingsOf } from "./settings.ts";
import { clip, figure, list, slug } from "./words.ts";

const answer = z.string().trim().min(1, "an answer is missing").max(200).describe("The answer it gives.");
const because = z
  .string()
  .trim()
  .min(1, "say why: `because` is empty")
  .max(2_000)
  .describe("The reason, in the words of the policy.");
const refs = z.array(z.string().min(1)).max(20).default([]);

const Rule = z.strictObject({
  when: z
    .strictObject({
      has: refs.describe("Refs that must all be visible."),
      lacks: refs.describe("Refs of which none may be visible."),
      supports: z
        .strictObject({
          option: z.string().min(1).describe("An answer that evidence speaks for."),
          atLeast: z
            .number()
            .min(0)
            .describe("What the visible evidence for it must weigh, less what speaks against it."),
        })
        .nullable()
        .default(null)
        .describe("How strongly the visible evidence must speak for an answer."),
    })
    .check(
      z.refine(
        (when) => when.has.length > 0 || when.lacks.length > 0 || when.supports !== null,
        "a rule needs a condition: has, lacks or supports; what holds in every other case is `otherwise`",
      ),
    )
    .describe("The conditions, which must all hold."),
  answer,
  because,
  confidence: z.number().min(0).max(1).default(0.9).describe("How sure the seat says it is."),
});
type Rule = z.infer<typeof Rule>;

export const RulesSettings = z
  .strictObject({
    rules: z
      .array(Rule)
      .min(1, "at least one rule is needed")
      .max(100)
      .describe("The rules in order; the first that holds wins."),
    otherwise: z
      .strictObject({
        answer,
        because,
        confidence: z.number().min(0).max(1).default(0.5).describe("How sure the seat says it is."),
      })
      .describe("What it says when no rule holds."),
  })
  .meta({ id: "RulesSettings" });
export type RulesSettings = z.infer<typeof RulesSettings>;

/** Makes an occupant that votes by rules. */
export function rules(spec: OccupantSpec): Occupant {
  const settings = settingsOf(RulesSettings, spec);
  return pureOccupant((request) => speak(request, settings));
}

function speak(request: Request, settings: RulesSettings): Reply {
  const said = request.act === "answer" ? open(request, settings) : revise(request, settings);
  return positionReply("A rules seat", request, said);
}

function open(request: Request, settings: RulesSettings): Opening {
  const rule = settings.rules.find((rule) => holds(rule, request));
  const chosen = rule ?? settings.otherwise;
  const option = canonical(chosen.answer, request.question.options);
  const cited = rule ? refsOf(rule, request) : [];
  const basis = cited.length > 0 ? ` It rests on ${list(cited.map((ref) => `[${ref}]`))}.` : "";
  return {
    position: clip(`${option}: ${chosen.because}${basis}`, 8_000),
    answer: option,
    claims: [{ text: chosen.because, refs: cited }],
    caveats: rule ? [] : ["No rule applies to the evidence shown so far."],
    confidence: chosen.confidence,
    wouldChange: changes(rule, request, settings).slice(0, 20),
    verdict: slug(option),
  };
}

function revise(request: Request, settings: RulesSettings): Revision {
  const said = open(request, settings);
  const options = request.question.options;
  const peers = latestOf(positionsOf(request.heard, options));
  const own = positionOf({ label: request.seat.id, key: "", round: request.round, said: request.own }, options);
  const [claim] = said.claims;
  const reason = clip(`The rule in force: ${claim?.text ?? said.position}`, 2_000);
  const same = (peer: Position) => peer.answer === said.answer;
  return {
    ...said,
    agreements: peers
      .filter(same)
      .map((peer) => ({ with: peer.label, on: said.answer }))
      .slice(0, 30),
    disagreements: peers
      .filter((peer) => !same(peer))
      .map((peer) => ({ with: peer.label, on: peer.answer, reason }))
      .slice(0, 30),
    changedBy: own === null || own.answer === said.answer ? null : changeOf(said, own, peers, request),
  };
}

/** The evidence that a peer brought and that made another rule apply; a seat that can name none says only which rule it was. */
function changeOf(said: Opening, own: Position, peers: readonly Position[], request: Request): Revision["changedBy"] {
  const scope = new Set(request.seat.scope);
  const required = said.claims.flatMap((claim) => claim.refs);
  const shown = request.evidence.map((item) => item.ref);
  const fresh = (refs: readonly string[]) => refs.filter((ref) => !scope.has(ref) && !own.refs.has(ref));
  const learnt =
    fresh(required).length > 0
      ? fresh(required)
      : fresh(shown.filter((ref) => peers.some((peer) => peer.refs.has(ref))));
  const from = peers.find((peer) => learnt.some((ref) => peer.refs.has(ref)))?.label ?? null;
  return { argument: said.claims[0]?.text ?? said.position, from, refs: learnt.slice(0, 20) };
}

function holds({ when }: Rule, request: Request): boolean {
  const visible = new Set(request.evidence.map((item) => item.ref));
  if (!when.has.every((ref) => visible.has(ref))) return false;
  if (when.lacks.some((ref) => visible.has(ref))) return false;
  return when.supports === null || support(when.supports.option, request) >= when.supports.atLeast;
}

function support(option: string, request: Request): number {
  const { options } = request.question;
  const named = (name: string | null) => name !== null && canonical(name, options) === canonical(option, options);
  return request.evidence.reduce((sum, item) => {
    return sum + (named(item.supports) ? item.strength : 0) - (named(item.against) ? item.strength : 0);
  }, 0);
}

/** What a rule cites: the refs it requires, and the evidence it counted for its option, strongest first. */
function refsOf({ when }: Rule, request: Request): string[] {
  const { options } = request.question;
  const counted = when.supports
    ? request.evidence
        .filter(
          (item) =>
            item.supports !== null &&
            canonical(item.supports, options) === canonical(when.supports?.option ?? "", options),
        )
        .sort((a, b) => b.strength - a.strength)
        .map((item) => item.ref)
    : [];
  return [...new Set([...when.has, ...counted])].slice(0, 20);
}

/** What would bring another rule into force: those above the one that applies, and the end of the one that applies. */
function changes(rule: Rule | undefined, request: Request, settings: RulesSettings): string[] {
  const visible = new Set(request.evidence.map((item) => item.ref));
  const above = settings.rules.slice(0, rule ? settings.rules.indexOf(rule) : undefined);
  const words = above.flatMap((other) => {
    const missing = other.when.has.filter((ref) => !visible.has(ref)).map((ref) => `[${ref}] were shown`);
    const blocking = other.when.lacks.filter((ref) => visible.has(ref)).map((ref) => `[${ref}] fell`);
    const weight = other.when.supports;
    const light =
      weight && support(weight.option, request) < weight.atLeast
        ? [`the evidence for ${weight.option} weighed ${figure(weight.atLeast)}`]
        : [];
    const needed = [...missing, ...blocking, ...light];
    return needed.length > 0 && other.answer !== rule?.answer ? [`${other.answer}, if ${list(needed)}.`] : [];
  });
  const own = rule?.when.has.map((ref) => `The rule falls if [${ref}] does.`) ?? [];
  return [...words, ...own].map((sentence) => clip(sentence, 1_000));
}
