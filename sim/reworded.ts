/** A debate whose wording has changed: what a run meets that is resumed by a Parley of other prompts under the same version. */
import type { Protocol, Room } from "../src/protocol.ts";
import { protocols } from "../src/protocols/index.ts";

const { debate } = protocols as { debate: Protocol };

/** The table with a debate that asks its seats in other words. */
export const rewordedProtocols: Readonly<Record<string, Protocol>> = {
  debate: { ...debate, run: (question, room, options) => debate.run(question, reworded(room), options) },
};

/** The same room, in which every instruction to the seats has one more word. */
function reworded(room: Room): Room {
  return {
    seats: room.seats,
    quorum: room.quorum,
    round: (name) => room.round(name),
    ask: (seat, brief, reply) => room.ask(seat, { ...brief, say: `${brief.say} Please.` }, reply),
    askAll: (seats, brief, reply) =>
      room.askAll(seats, (seat) => ({ ...brief(seat), say: `${brief(seat).say} Please.` }), reply),
    vote: (turns) => room.vote(turns),
    judge: (turns, say) => room.judge(turns, say),
    synthesize: (turns, say) => room.synthesize(turns, say),
    ballots: () => room.ballots(),
    note: (text) => room.note(text),
    close: (turns) => room.close(turns),
    limit: () => room.limit(),
  };
}
