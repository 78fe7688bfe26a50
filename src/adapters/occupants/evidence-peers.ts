/**
 * How an evidence seat reads its peers: what it shares with each, where it differs, and what moved it.
 *
 * Only evidence the room passed on counts. A quote that is not in the text is named as a disagreement; who said it, and how many
 * agree with them, weighs nothing.
 */
import { checkCitation, type EvidenceItem } from "../../evidence.ts";
import type { Revision } from "../../position.ts";
import { weightWords } from "./evidence-words.ts";
import type { Position } from "./positions.ts";
import { type Balance, leaderIf, pull, type Weighed } from "./weighing.ts";
import { clip, figure, list } from "./words.ts";

/** Agreements and disagreements, in the order in which the peers were heard. */
export function readPeers(
  peers: readonly Position[],
  balance: Balance,
  evidence: readonly EvidenceItem[],
): Pick<Revision, "agreements" | "disagreements"> {
  const shown = new Map(evidence.map((item) => [item.ref, item]));
  const byRef = new Map(balance.weighed.map((one) => [one.item.ref, one]));
  const agreements: Revision["agreements"] = [];
  const disagreements: Revision["disagreements"] = [];
  for (const peer of peers) {
    const cited = [...peer.refs].map((ref) => byRef.get(ref)).filter((one) => one !== undefined);
    if (peer.answer === balance.answer)
      agreements.push({ with: peer.label, on: clip(sharedWords(cited, balance), 2_000) });
    else
      disagreements.push({
        with: peer.label,
        on: peer.answer,
        reason: clip(differenceWords(peer, cited, balance), 2_000),
      });
    const bad = badCitations(peer, shown);
    if (bad.length > 0)
      disagreements.push({
        with: peer.label,
        on: "its citations",
        reason: clip(`${list(bad)}; I leave that out.`, 2_000),
      });
  }
  return { agreements: agreements.slice(0, 30), disagreements: disagreements.slice(0, 30) };
}

/** What changed the answer: the newly learnt items that tipped it, strongest first, and who brought the strongest of them. */
export function changeOf(own: Position, peers: readonly Position[], balance: Balance, limit: number) {
  const decisive = tipped(own, balance).slice(0, limit);
  const [strongest] = decisive;
  if (!strongest) return null;
  const from = peers.find((peer) => peer.refs.has(strongest.item.ref))?.label ?? null;
  const points = decisive.map((one) => `[${one.item.ref}] “${clip(one.item.text, 200)}” (${figure(one.weight)})`);
  const argument = `${list(points)} put${decisive.length === 1 ? "s" : ""} ${balance.answer} ahead of ${own.answer}.`;
  return { decisive, changedBy: { argument: clip(argument, 2_000), from, refs: decisive.map((one) => one.item.ref) } };
}

/** The fewest of the strongest newly learnt items without which the answer would not lead. */
function tipped(own: Position, balance: Balance): Weighed[] {
  const force = (one: Weighed) => pull(one, balance.answer, own.answer);
  const mentioned = JSON.stringify([own.position, own.caveats, own.agreements, own.disagreements, own.wouldChange]);
  const knew = (one: Weighed) => own.refs.has(one.item.ref) || mentioned.includes(`[${one.item.ref}]`);
  const moving = balance.weighed.filter((one) => force(one) > 0).sort((a, b) => force(b) - force(a));
  const learnt = moving.filter((one) => !one.held);
  const fresh = learnt.filter((one) => !knew(one));
  const chosen: Weighed[] = [];
  for (const one of fresh.length > 0 ? fresh : learnt.length > 0 ? learnt : moving) {
    chosen.push(one);
    if (leaderIf(balance, new Set(chosen.map(({ item }) => item.ref)), 0) !== balance.answer) break;
  }
  return chosen;
}

function sharedWords(cited: readonly Weighed[], balance: Balance): string {
  const points = cited.length > 0 ? `; it cites ${list(cited.map(weightWords))}` : "; it cites nothing I can weigh";
  return `${balance.answer}${points}`;
}

function differenceWords(peer: Position, cited: readonly Weighed[], balance: Balance): string {
  const theirs = balance.scores.get(peer.answer);
  const mine = figure(balance.scores.get(balance.answer) ?? 0);
  const points = cited.length > 0 ? `It cites ${list(cited.map(weightWords))}` : "It cites nothing I can weigh";
  const stands =
    theirs === undefined ? "nothing I can see speaks for it" : `all I can see gives ${peer.answer} ${figure(theirs)}`;
  const carrying = balance.weighed
    .filter((one) => pull(one, balance.answer, theirs === undefined ? null : peer.answer) > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 3);
  const against = carrying.length > 0 ? `, most of it from ${list(carrying.map(weightWords))}` : "";
  return `${points}; ${stands}, and ${balance.answer} ${mine}${against}.`;
}

/** Citations that do not count: words the text does not hold, and refs that the room did not pass on. */
function badCitations(peer: Position, shown: ReadonlyMap<string, EvidenceItem>): string[] {
  const visible = new Set(shown.keys());
  return [...new Set(peer.cites)]
    .map((cite) => checkCitation(cite, shown, visible))
    .filter((citation) => citation.why !== null)
    .map(({ ref }) =>
      visible.has(ref) ? `[${ref}] does not hold the words quoted from it` : `[${ref}] was not shown to me`,
    );
}
