/**
 * A debate in miniature: a case's evidence seats answer round by round over the evidence they hold and hear cited.
 *
 * It knows nothing of the engine. What the cases promise must follow from the dossiers and the occupants alone.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { code } from "../../../src/adapters/occupants/code.ts";
import { evidence } from "../../../src/adapters/occupants/evidence.ts";
import { codeJudge, codeSynthesizer } from "../../../src/adapters/occupants/index.ts";
import { CaseFile, Dossier } from "../../../src/config/shapes.ts";
import { EvidenceItem } from "../../../src/evidence.ts";
import type { Heard, Occupant } from "../../../src/ports.ts";
import { Opening, Revision, Score, Synthesis } from "../../../src/position.ts";
import { call, makeRequest, makeSeat } from "./requests.ts";

export type Round = {
  answers: Record<string, string>;
  said: Record<string, Revision>;
  score: Score;
  convergence: number;
};

type Sitting = { id: string; occupant: Occupant; scope: string[]; visible: Set<string> };

/** The case of a folder under `examples/`, with its seats ready to speak. */
export function loadCase(name: string) {
  const folder = join(import.meta.dirname, "../../../examples", name);
  const file = CaseFile.parse(parse(readFileSync(join(folder, "case.yml"), "utf8")));
  if (typeof file.panel !== "object") throw new Error(`${name} has no panel of its own.`);
  const items = new Map<string, EvidenceItem>();
  const seats = file.panel.seats.map((seat): Sitting => {
    const path = String(seat.occupant).replace(/^evidence:/u, "");
    const { items: held, about: _, ...settings } = Dossier.parse(parse(readFileSync(join(folder, path), "utf8")));
    for (const entry of held) {
      const item = EvidenceItem.parse({ ...entry, hash: "" });
      const known = items.get(item.ref);
      if (known && JSON.stringify(known) !== JSON.stringify(item))
        throw new Error(`${item.ref} differs between dossiers.`);
      items.set(item.ref, item);
    }
    const scope = held.map((entry) => String(entry.ref));
    const spec = { name: `evidence:${path}`, kind: "evidence", lineage: "evidence", settings };
    return { id: seat.id, occupant: evidence(spec), scope, visible: new Set(scope) };
  });
  const question = { text: file.question, options: file.options ?? [], context: [] };
  return { file, question, items, seats };
}

type Loaded = ReturnType<typeof loadCase>;

/** Plays the rounds until the threshold is reached, nobody has moved for two rounds, or the rounds are used up. */
export async function rehearse(
  loaded: Loaded,
  rounds = 4,
): Promise<{ rounds: Round[]; stop: string; synthesis: Synthesis }> {
  const played: Round[] = [];
  const heard: Heard[] = [];
  let still = 0;
  let stop = "rounds_done";
  for (let round = 0; round <= rounds; round++) {
    const last = played.at(-1);
    const said = await speak(loaded, round, last);
    const answers = Object.fromEntries(Object.entries(said).map(([id, one]) => [id, one.answer]));
    const turns = Object.entries(said).map(([id, one]) => ({
      label: id,
      key: `round-${round}/${id}`,
      round,
      said: one,
    }));
    heard.push(...turns);
    const score = Score.parse(await ask(code(codeJudge), { ...makeRequest(loaded, "score", round), heard: turns }));
    const convergence = (score.recommendation + score.facts + score.caveats) / 3;
    still = last && JSON.stringify(last.answers) === JSON.stringify(answers) ? still + 1 : 0;
    played.push({ answers, said, score, convergence });
    if (convergence >= 0.85) stop = "converged";
    else if (still >= 2) stop = "stalled";
    if (stop !== "rounds_done") break;
  }
  const request = { ...makeRequest(loaded, "synthesis", played.length), heard };
  return { rounds: played, stop, synthesis: Synthesis.parse(await ask(code(codeSynthesizer), request)) };
}

async function speak(
  { seats, items, question }: Loaded,
  round: number,
  last: Round | undefined,
): Promise<Record<string, Revision>> {
  const said: Record<string, Revision> = {};
  for (const seat of seats) {
    const peers = seats.filter((peer) => peer !== seat && last?.said[peer.id]);
    for (const peer of peers)
      for (const claim of last?.said[peer.id]?.claims ?? []) for (const ref of claim.refs) seat.visible.add(ref);
  }
  for (const seat of seats) {
    const act = round === 0 ? "answer" : "critique";
    const reply = await ask(seat.occupant, {
      ...makeRequest({ question, items }, act, round),
      seat: makeSeat(seat.id, seat.scope),
      evidence: [...seat.visible].map((ref) => items.get(ref)).filter((item) => item !== undefined),
      heard: last
        ? seats
            .filter((peer) => peer !== seat)
            .map((peer) => ({
              label: peer.id,
              key: `round-${round - 1}/${peer.id}`,
              round: round - 1,
              said: last.said[peer.id],
            }))
        : [],
      own: last?.said[seat.id] ?? null,
    });
    said[seat.id] =
      round === 0
        ? { ...Opening.parse(reply), agreements: [], disagreements: [], changedBy: null }
        : Revision.parse(reply);
  }
  return said;
}

async function ask(occupant: Occupant, request: Parameters<Occupant["reply"]>[0]): Promise<unknown> {
  return JSON.parse((await occupant.reply(request, call())).text);
}
