/**
 * The evidence occupant: it answers from what the evidence weighs, reads what its peers cite, and changes its answer when the pooled
 * weight tips.
 *
 * It is a pure function of the request. It holds no opinion of its own beyond its weights, so a panel of such seats decides by the
 * evidence its members bring, and a seat that stays alone at the end can say which weights keep it there.
 */
import * as z from "zod";
import { canonical } from "../../answers.ts";
import { SeatError } from "../../errors.ts";
import type { Occupant, Reply, Request } from "../../ports.ts";
import type { Opening, Revision } from "../../position.ts";
import type { OccupantSpec } from "../../seat.ts";
import { changeOf, readPeers } from "./evidence-peers.ts";
import { caveatOf, claimOf, positionWords, tipping } from "./evidence-words.ts";
import { latestOf, positionOf, positionsOf } from "./positions.ts";
import { positionReply, pureOccupant } from "./pure.ts";
import { settingsOf } from "./settings.ts";
import { type Balance, behind, confidenceOf, opposed, type Weighed, weigh } from "./weighing.ts";
import { slug } from "./words.ts";

export const EvidenceSettings = z
  .strictObject({
    weights: z
      .record(z.string().min(1), z.number().min(0, "a weight is 0 or more").max(100, "a weight is 100 at most"))
      .default({})
      .describe("How much each criterion counts for this seat; 1 for those not named."),
    cites: z
      .int("cites is a whole number")
      .min(1, "a seat cites one item in a turn at least")
      .max(20, "a seat cites 20 items in a turn at most")
      .default(4)
      .describe("How many items it cites in a turn; what changed its answer comes on top."),
    trust: z
      .number()
      .min(0, "trust lies between 0 and 1")
      .max(1, "trust lies between 0 and 1")
      .default(1)
      .describe("What an item learnt from a peer counts, against 1 for one it held itself."),
  })
  .meta({ id: "EvidenceSettings" });
export type EvidenceSettings = z.infer<typeof EvidenceSettings>;

/** How many pieces of evidence that changed an answer are named; the strongest say enough. */
const decisiveLimit = 3;

/** Makes an occupant that weighs evidence. */
export function evidence(spec: OccupantSpec): Occupant {
  const settings = settingsOf(EvidenceSettings, spec);
  return pureOccupant((request) => speak(request, settings));
}

function speak(request: Request, settings: EvidenceSettings): Reply {
  const balance = weigh(request, settings);
  if (!balance) {
    throw new SeatError(
      "refused",
      `Nothing that seat ${request.seat.id} can see bears on any answer, so it gives none.`,
    );
  }
  const said = request.act === "answer" ? open(request, settings, balance) : revise(request, settings, balance);
  return positionReply("An evidence seat", request, said);
}

function open(
  request: Request,
  settings: EvidenceSettings,
  balance: Balance,
  decisive: readonly Weighed[] = [],
): Opening {
  const cited = [...choose(request, settings, balance)];
  for (const one of decisive) if (!cited.includes(one)) cited.push(one);
  const opposing = cited.filter((one) => speaksAgainst(one, balance));
  return {
    position: positionWords(balance, settings),
    answer: balance.answer,
    claims: cited.map(claimOf),
    caveats: opposing.slice(0, 20).map((one) => caveatOf(one, balance)),
    confidence: confidenceOf(balance),
    wouldChange: tipping(balance),
    verdict: slug(balance.answer),
  };
}

function revise(request: Request, settings: EvidenceSettings, balance: Balance): Revision {
  const peers = latestOf(positionsOf(request.heard, balance.options));
  const own = positionOf({ label: request.seat.id, key: "", round: request.round, said: request.own }, balance.options);
  const changed = own !== null && canonical(own.answer, balance.options) !== balance.answer;
  const change = changed ? changeOf(own, peers, balance, decisiveLimit) : null;
  const { agreements, disagreements } = readPeers(peers, balance, request.evidence);
  return {
    ...open(request, settings, balance, change?.decisive ?? []),
    agreements,
    disagreements,
    changedBy: change?.changedBy ?? null,
  };
}

/**
 * What is cited this turn: first what the seat holds and has not said yet, then the strongest for and against in turn. By round n it
 * has said its n × cites strongest items, so where it stands in its dossier follows from the round and needs no memory.
 */
function choose(request: Request, { cites }: EvidenceSettings, balance: Balance): Weighed[] {
  const held = balance.weighed.filter((one) => one.held).sort((a, b) => b.weight - a.weight);
  const said = request.own === null ? 0 : request.round * cites;
  const chosen = held.slice(said, said + cites);
  for (const one of strongest(balance)) {
    if (chosen.length >= cites) break;
    if (!chosen.includes(one)) chosen.push(one);
  }
  return chosen;
}

/** The strongest item for the answer, the strongest against it, the second for it, and so on. */
function strongest(balance: Balance): Weighed[] {
  const sides = [behind(balance), opposed(balance)] as const;
  const turns = Math.max(sides[0].length, sides[1].length);
  const taken = Array.from({ length: turns }, (_, turn) => sides.map((side) => side[turn]));
  return taken.flat().filter((one) => one !== undefined);
}

function speaksAgainst(one: Weighed, balance: Balance): boolean {
  return one.against === balance.answer || (one.supports !== null && one.supports !== balance.answer);
}
