/**
 * The room: everything a protocol may do, live or from the record.
 *
 * Each effect has a key derived from data. An effect the record holds is given back and never repeated; a prompt that differs from the
 * recorded one stops the run as diverged. Concurrency lives here and not in protocols, so they replay the same on any engine.
 */
import type * as z from "zod";
import { canonical, latest, tally } from "./answers.ts";
import { Asking } from "./asking.ts";
import type { Ballot } from "./ballot.ts";
import { attributed, ballotOf, ghostIn } from "./casting.ts";
import type { StopReason } from "./decision.ts";
import { assert, Diverged, lastingKinds, type MissKind } from "./errors.ts";
import { Horizon } from "./horizon.ts";
import { quorumOf } from "./limits.ts";
import type { LiveRun } from "./live-run.ts";
import { type Opening, Score, Synthesis } from "./position.ts";
import type { Brief, Room, Scored, Turn } from "./protocol.ts";
import type { Seat } from "./seat.ts";
import { type Asked, takeTurn } from "./turn.ts";

/** The room of a run that is being driven. */
export function openRoom(live: LiveRun): Room {
  return new LiveRoom(live);
}

class LiveRoom implements Room {
  readonly seats: readonly Seat[];
  readonly #live: LiveRun;
  readonly #horizon: Horizon;
  readonly #asking: Asking;
  readonly #asked = new Set<string>();
  /** The ballots this room has cast or found cast; the record may hold later ones that are not replayed yet. */
  readonly #cast: Ballot[] = [];
  #round = -1;

  constructor(live: LiveRun) {
    this.#live = live;
    this.seats = live.start.seats;
    this.#horizon = new Horizon(live.view.evidence, this.seats);
    this.#asking = new Asking(live, this.#horizon);
  }

  get quorum(): number {
    return quorumOf(this.#live.limits, this.seats.length);
  }

  round(name: string): number {
    this.#round++;
    const known = this.#live.view.rounds[this.#round];
    if (known && known.name !== name) throw new Diverged(`round ${this.#round}`, known.name, name);
    if (!known) this.#live.recorder.append({ type: "round-start", round: this.#round, name });
    return this.#round;
  }

  async ask<Said>(seat: Seat, brief: Brief, reply: z.ZodType<Said>): Promise<Turn<Said>> {
    const turn = await this.#take(seat, brief, reply, false);
    this.#asking.heard(turn);
    return turn;
  }

  async askAll<Said>(
    seats: readonly Seat[],
    brief: (seat: Seat) => Brief,
    reply: z.ZodType<Said>,
  ): Promise<Turn<Said>[]> {
    const { quorum } = this;
    const { graceMs } = this.#live.limits;
    let answered = 0;
    let cancelGrace: (() => void) | null = null;
    const waiting = new Set<string>();
    const settled = await Promise.allSettled(
      seats.map(async (seat) => {
        const asked = brief(seat);
        const key = this.#key(seat.id, asked.act);
        waiting.add(key);
        const turn = await this.ask(seat, asked, reply);
        waiting.delete(key);
        if (turn.said !== null) answered++;
        if (graceMs !== null && answered >= quorum && waiting.size > 0 && !cancelGrace) {
          cancelGrace = this.#live.world.after(graceMs, () => this.#live.leaveBehind(waiting));
        }
        return turn;
      }),
    );
    (cancelGrace as (() => void) | null)?.();
    for (const outcome of settled) if (outcome.status === "rejected") throw outcome.reason;
    return settled.map((outcome) => (outcome as PromiseFulfilledResult<Turn<Said>>).value);
  }

  vote(turns: readonly Turn<Opening>[]): Ballot[] {
    const known = new Map(this.#live.view.ballots.map((ballot) => [ballot.key, ballot]));
    return turns.flatMap((turn) => {
      if (turn.said === null) return [];
      const ballot = known.get(turn.key) ?? ballotOf(turn, turn.said, this.#live.view, this.#live.start, this.#horizon);
      if (!known.has(turn.key)) this.#live.recorder.append({ type: "ballot-cast", ballot });
      this.#cast.push(ballot);
      this.#horizon.cite(turn.key, ballot.refs);
      return [ballot];
    });
  }

  ballots(): readonly Ballot[] {
    return this.#cast;
  }

  limit(): StopReason | null {
    return this.#live.view.limitsReached.find((limit) => limit.action === "harvest")?.budget ?? null;
  }

  close(turns: readonly Turn<unknown>[]): StopReason | null {
    const { view, recorder } = this.#live;
    const known = view.rounds[this.#round]?.end;
    if (known) return known.stop;
    if (this.#live.halt) throw this.#live.halt;
    const answered = turns.filter((turn) => turn.said !== null).map((turn) => turn.seat);
    const missing = this.seats.map((seat) => seat.id).filter((seat) => !answered.includes(seat));
    const stop = this.limit() ?? (answered.length < this.quorum ? "quorum_lost" : null);
    recorder.append({ type: "round-end", round: this.#round, answered, missing, stop });
    return stop;
  }

  async judge(turns: readonly Turn<Opening>[], say: string | null): Promise<Scored> {
    const causes: string[] = [];
    const heard = turns.filter((turn) => turn.said !== null);
    let score: Score | null = null;
    let judge: string | null = null;
    for (const [index, spec] of (say === null ? [] : this.#live.start.judges).entries()) {
      const turn = await this.#take(
        chair(`judge-${index + 1}`, "judge", spec),
        { act: "score", say: say ?? "", hear: heard },
        Score,
        false,
      );
      if (turn.said !== null) {
        score = turn.said;
        judge = spec.name;
        break;
      }
      causes.push(`${spec.name}: ${turn.missed?.kind}, ${turn.missed?.cause}`);
    }
    const convergence = score && (score.recommendation + score.facts + score.caveats) / 3;
    const { share } = tally(latest(this.ballots()), this.seats);
    const verdicts = new Set(heard.map((turn) => (turn.said?.verdict ? canonical(turn.said.verdict) : null)));
    const unanimous = heard.length === this.seats.length && verdicts.size === 1 && !verdicts.has(null);
    const scored = { round: this.#round, score, convergence, share, unanimous, judge, causes };
    const known = this.#live.view.scores.find((given) => given.round === this.#round);
    if (!known) this.#live.recorder.append({ type: "score-given", ...scored });
    return known ?? scored;
  }

  async synthesize(
    turns: readonly Turn<unknown>[],
    say: string,
  ): Promise<{ synthesis: Synthesis; by: string; causes: string[] } | null> {
    const known = this.#live.view.synthesis;
    const causes: string[] = [];
    const heard = turns.filter((turn) => turn.said !== null);
    for (const [index, spec] of this.#live.start.synthesizers.entries()) {
      const brief = {
        act: "synthesis",
        say,
        hear: heard,
        named: true,
        check: (said: unknown) => ghostIn(said as Synthesis, this.#live.view, this.#live.start),
      };
      const turn = await this.#take(chair(`synthesizer-${index + 1}`, "synthesizer", spec), brief, Synthesis, true);
      if (turn.said !== null) {
        const written = { synthesis: attributed(turn.said, this.#live.start), by: spec.name, causes };
        if (!known) this.#live.recorder.append({ type: "synthesis-written", ...written });
        return known ?? written;
      }
      causes.push(`${spec.name}: ${turn.missed?.kind}, ${turn.missed?.cause}`);
    }
    this.note(`No synthesizer could be heard. ${causes.join("; ")}`);
    return null;
  }

  note(text: string): void {
    if (!this.#live.view.notes.includes(text)) this.#live.recorder.append({ type: "note-made", text });
  }

  #key(who: string, act: string): string {
    return `round-${this.#round}/${who}/${act}`;
  }

  /** Gives back the recorded outcome of a turn, or takes the turn. */
  async #take<Said>(seat: Seat, brief: Brief, reply: z.ZodType<Said>, closing: boolean): Promise<Turn<Said>> {
    const { view } = this.#live;
    const who = seat.id;
    const key = this.#key(who, brief.act);
    assert(!this.#asked.has(key), `${key} is asked twice`);
    this.#asked.add(key);
    const state = view.turns.get(key)?.state;
    const settled = state === "ended" || state === "missed";
    const gated = !settled && !this.#live.occupants.get(who)?.patient;
    if (gated) await this.#live.enter();
    try {
      const asked = this.#asking.prepare({ seat, key, round: this.#round, brief, reply, closing });
      const known = view.turns.get(key)?.promptHash;
      if (known && known !== asked.promptHash) throw new Diverged(key, known, asked.promptHash);
      if (!settled) await this.#settle(asked);
    } finally {
      if (gated) this.#live.exit();
    }
    const turn = view.turns.get(key);
    assert(turn?.state === "ended" || turn?.missed, `${key} is settled`);
    const { missed } = turn;
    return { key, seat: who, round: this.#round, said: missed ? null : (turn?.said as Said), missed };
  }

  /** Takes the turn, unless the run is halted or the seat has failed in a way that no later turn can mend. */
  async #settle(asked: Asked): Promise<void> {
    const { halt, view, recorder } = this.#live;
    if (halt) throw halt;
    const { key, seat, round, act } = asked.request;
    const lasting = view.degraded.find((miss) => miss.seat === seat.id && lastingKinds.has(miss.kind as MissKind));
    if (!lasting) {
      await takeTurn(this.#live, asked);
      // A cancelled run asks nobody else: not the next judge of a chain, and not the synthesizer.
      if (this.#live.halt?.rest === "cancelled") throw this.#live.halt;
      return;
    }
    const cause = `it failed before with ${lasting.kind}: ${lasting.cause}`;
    recorder.append({ type: "turn-missed", key, seat: seat.id, round, act, kind: "skipped", cause });
  }
}

/** The judge's or the synthesizer's chair: not a seat of the panel, asked through the same turn. */
function chair(id: string, role: string, occupant: Seat["occupant"]): Seat {
  return { id, role, brief: "", rubric: "", scope: [], weight: 1, occupant };
}
