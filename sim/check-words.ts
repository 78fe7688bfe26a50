/** Invariants of words: who was shown what, found by the canary in every answer, and what may be cited. */
import type { EventOf } from "../src/events.ts";
import { type Case, isSeat, rawOf } from "./case.ts";
import type { CallRecord } from "./provider.ts";

type Cited = { position: string; claims: { refs: string[] }[]; changedBy?: { refs: string[] } | null };

function canariesIn(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf("CANARY-"); at >= 0; at = text.indexOf("CANARY-", at + 7))
    found.push(text.slice(at, at + 15));
  return found;
}

/** I6: a prompt holds the words of the turns it names, of earlier rounds, never the reader's own as a peer's, and of nobody else. */
export function nobodyHearsTooMuch(each: Case): void {
  const { calls, attempts, ends, plan, report } = each;
  for (const call of calls) {
    const intent = attempts.get(`${call.key}#${call.attempt}`)?.start;
    if (!intent) continue;
    const onPanel = isSeat(plan, call.seat);
    const allowed = new Set<string>();
    for (const key of intent.shown.turns) {
      const said = ends.get(key);
      if (!said) report("I6", `${call.key} names ${key}, which was not answered`, intent.seq);
      if (!said || said.seq > intent.seq) continue;
      if (onPanel && said.round >= call.round)
        report("I6", `${call.key} was shown ${key} of its own round`, intent.seq);
      if (onPanel && said.seat === call.seat)
        report("I6", `${call.key} was shown its own words as a peer's`, intent.seq);
      for (const canary of canariesIn(rawOf(said))) allowed.add(canary);
    }
    if (call.round === 0 && onPanel && intent.shown.turns.length > 0)
      report("I6", `${call.key} heard peers in the blind round`, intent.seq);
    for (const own of calls) {
      if (own === call) break;
      if (own.seat === call.seat && own.text && (own.key === call.key || own.round < call.round))
        for (const canary of canariesIn(own.text)) allowed.add(canary);
    }
    for (const canary of [...canariesIn(call.user), ...canariesIn(call.system)])
      if (!allowed.has(canary))
        report(
          "I6",
          `${call.key} was sent words of ${calls.find((other) => other.canary === canary)?.key}`,
          intent.seq,
        );
    nothingLeftOut(each, call, intent);
  }
}

/** I6: a turn that is said to be shown is shown, as far as the size allows. */
function nothingLeftOut(
  { ends, calls, attempts, plan, report }: Case,
  call: CallRecord,
  intent: EventOf<"turn-start">,
): void {
  if (plan.input.limits.peerChars < 8_000) return;
  for (const key of intent.shown.turns) {
    const said = ends.get(key);
    const spoken = said && attempts.get(`${key}#${said.attempt}`)?.call;
    const missing = spoken && spoken.fault !== "copy" && !call.user.includes(spoken.canary);
    if (missing && calls.includes(spoken)) report("I6", `${call.key} was not shown ${key}`, intent.seq);
  }
}

/** I6: a seat hears exactly whom the visibility lets it hear. */
export function everyoneHearsWhatIsTheirs({ attempts, ends, plan, report }: Case): void {
  const { visibility, carryForward } = plan.input.options as { visibility: string; carryForward: boolean };
  const seats = plan.input.seats.map((seat) => seat.id);
  for (const { start } of attempts.values()) {
    if (start.act !== "critique" || start.attempt !== 1) continue;
    const earlier = [...ends.values()].filter((end) => isSeat(plan, end.seat) && end.round < start.round);
    const newest = new Map<string, (typeof earlier)[number]>();
    for (const end of earlier) if (end.round >= (newest.get(end.seat)?.round ?? -1)) newest.set(end.seat, end);
    const place = seats.indexOf(start.seat);
    const beside = [seats.at(place - 1), seats[(place + 1) % seats.length]];
    const word = (seat: string) => bare((newest.get(seat)?.said as { answer?: string } | undefined)?.answer);
    const expected = earlier.filter((end) => {
      if (end.seat === start.seat || (!carryForward && newest.get(end.seat) !== end)) return false;
      if (visibility === "neighbours") return beside.includes(end.seat);
      return visibility === "all" || word(start.seat) === null || word(end.seat) !== word(start.seat);
    });
    const want = expected
      .map((end) => end.key)
      .sort()
      .join(" ");
    const got = [...start.shown.turns].sort().join(" ");
    if (want !== got) report("I6", `${start.key} was shown [${got}] instead of [${want}]`, start.seq);
  }
}

function bare(answer: string | undefined): string | null {
  return answer === undefined
    ? null
    : answer
        .toLowerCase()
        .replace(/[^a-z]+/g, " ")
        .trim();
}

/** I6: peers stand under letters, inside a fence that nothing in it can name, each cut to its size. */
export function wordsAreFenced({ calls, plan, report, start }: Case): void {
  const { anonymous } = plan.input.options as { anonymous: boolean };
  const ids = plan.input.seats.map((seat) => seat.id);
  const fences = new Map<string, string>();
  for (const call of calls) {
    // The synthesizer attributes what was said, so it alone is told who said it.
    const hidden = anonymous && call.act !== "synthesis";
    const names = ids.filter((id) => id !== call.seat && hidden && call.user.includes(`"${id}"`));
    for (const id of names) report("I6", `${call.key} was told that ${id} spoke`);
    if (/[\u200b-\u200f\u202a-\u202e]/.test(call.user + call.system))
      report("I6", `${call.key} holds invisible characters`);
    const opening = call.user.indexOf("BEGIN ");
    if (opening < 0) continue;
    const fence = call.user.slice(opening + 6, call.user.indexOf("\n", opening));
    const other = fences.get(fence);
    if (other !== undefined && other !== call.key) report("I6", `${call.key} has the fence of ${other}`);
    fences.set(fence, call.key);
    if (count(call.user, fence) !== count(call.user, `\nEND ${fence}\n`) * 2)
      report("I6", `${call.key} has its fence inside the data`);
    if (start.limits.peerChars < 8_000) sizesHold(call, start.limits.peerChars, report);
  }
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found++;
  return found;
}

function sizesHold(call: CallRecord, limit: number, report: Case["report"]): void {
  for (const line of call.user.split("\n")) {
    if (!line.startsWith('{"from":')) continue;
    const { said } = JSON.parse(line) as { said: unknown };
    if (JSON.stringify(said).length > limit)
      report("I6", `${call.key} was shown more than ${limit} characters of a peer`);
  }
}

/** I7: evidence is shown to those who hold it or heard it cited, and a citation counts only if it exists, was seen and is exact. */
export function citationsHold({ events, plan, calls, report }: Case): void {
  const texts = new Map(plan.input.evidence.map((item) => [item.ref, item.text]));
  const seen = new Map(plan.input.seats.map((seat) => [seat.id, new Map(seat.scope.map((ref) => [ref, -1]))]));
  const cited = new Map<string, readonly string[]>();
  const said = new Map<string, Cited>();
  for (const event of events) {
    if (event.type === "turn-start") {
      const known = seen.get(event.seat);
      if (!known) continue;
      for (const key of event.shown.turns)
        for (const ref of cited.get(key) ?? []) if (!known.has(ref)) known.set(ref, event.round);
      for (const ref of event.shown.refs)
        if (!known.has(ref)) report("I7", `${event.key} was shown ${ref}, which is not its to see`, event.seq);
    } else if (event.type === "turn-end") said.set(event.key, event.said as Cited);
    else if (event.type === "ballot-cast") {
      const { ballot } = event;
      const words = said.get(ballot.key);
      const known = seen.get(ballot.seat) ?? new Map<string, number>();
      const cites = [...(words?.claims.flatMap((claim) => claim.refs) ?? []), ...(words?.changedBy?.refs ?? [])];
      const good = new Set(cites.filter((cite) => counts(cite, texts, known)).map(refOf));
      if (!same(ballot.refs, good))
        report("I7", `${ballot.key} counts [${ballot.refs}] instead of [${[...good]}]`, event.seq);
      const bad = new Set(cites.filter((cite) => !counts(cite, texts, known)));
      if (
        !same(
          ballot.badRefs.map(({ cite }) => cite),
          bad,
        )
      )
        report("I7", `${ballot.key} does not name its bad citations`, event.seq);
      const fresh = new Set([...good].filter((ref) => known.get(ref) === ballot.round));
      if (!same(ballot.newRefs, fresh)) report("I7", `${ballot.key} says [${ballot.newRefs}] are new to it`, event.seq);
      cited.set(ballot.key, [...good]);
    } else if (event.type === "synthesis-written") {
      for (const cite of event.synthesis.reasons.flatMap((reason) => reason.refs))
        if (!counts(cite, texts, texts)) report("I7", `the synthesis cites ${cite}`, event.seq);
    }
  }
  proofsAreShown(calls, seen, plan, report);
}

function proofsAreShown(
  calls: Case["calls"],
  seen: ReadonlyMap<string, ReadonlyMap<string, number>>,
  plan: Case["plan"],
  report: Case["report"],
): void {
  for (const call of calls) {
    const known = seen.get(call.seat);
    for (const { ref, text } of plan.input.evidence) {
      const shown = call.system.includes(text) || call.user.includes(text);
      const learnt = known?.get(ref);
      const may = known ? learnt !== undefined && learnt <= call.round : call.act === "synthesis";
      if (shown && !may) report("I7", `${call.key} was sent the text of ${ref}`);
      if (!shown && may) report("I7", `${call.key} was not sent the text of ${ref}`);
    }
  }
}

function refOf(cite: string): string {
  return cite.split("#")[0] ?? "";
}

function counts(cite: string, texts: ReadonlyMap<string, string>, known: ReadonlyMap<string, unknown>): boolean {
  const [ref = "", quote] = cite.split("#");
  return known.has(ref) && (quote === undefined || (texts.get(ref) ?? "").includes(quote));
}

function same(list: readonly string[], set: ReadonlySet<string>): boolean {
  return list.length === set.size && list.every((one) => set.has(one));
}
