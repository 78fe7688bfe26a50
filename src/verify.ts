/** Verifying a record offline: the chain, the order, the shapes and, against a kept head, that no tail is missing. */
import { genesis, unseal } from "./chain.ts";
import { ParleyError } from "./errors.ts";
import { Event } from "./events.ts";
import { fold, type View } from "./transcript.ts";
import { type RawEvent, upgrade } from "./upgrade.ts";

export type Verification = {
  ok: boolean;
  /** Each with the line it was found in, counting from 1. */
  problems: { line: number; problem: string }[];
  events: number;
  head: string | null;
  proved: string[];
  notProved: string[];
};

/** Checks the lines of one run; a manifest, or any kept head, shows whether the end is missing. */
export function verifyLines(
  texts: readonly string[],
  manifest: { events: number; head: string } | null = null,
): Verification {
  return checkLines(texts, manifest).verification;
}

/**
 * The same, with the events and their view, for those who go on from them. Lines of one's own store are held to the chain, and to
 * their shape where they say what the run may do; what was said since is as the chain has it.
 */
export function checkLines(
  texts: readonly string[],
  manifest: { events: number; head: string } | null = null,
  own = false,
): { verification: Verification; events: Event[]; view: View | null } {
  const problems: Verification["problems"] = [];
  const events: Event[] = [];
  let prev = genesis;
  let shift = 0;
  let run: string | null = null;
  for (const [index, text] of texts.entries()) {
    const problem = (sentence: string) => problems.push({ line: index + 1, problem: sentence });
    const sealed = unseal(text);
    if (!sealed) {
      problem("not a sealed line: it does not end in prev and hash");
      continue;
    }
    if (sealed.prev !== prev) problem("it does not follow the line before it: a line was deleted, added or moved");
    prev = sealed.hash;
    if (sealed.own !== sealed.hash) {
      problem("the hash is not that of the line: it was changed");
      continue;
    }
    const event = own ? readOwn(text) : readEvent(text);
    if (typeof event === "string") {
      problem(event);
      continue;
    }
    run ??= event.run;
    if (event.run !== run) problem(`it belongs to run ${event.run}, the first line to ${run}`);
    // After a deleted or added line every number is off; only the place where that begins is told.
    if (event.seq - index !== shift) problem(`its number is ${event.seq}, its place ${index}`);
    shift = event.seq - index;
    events.push(event);
  }
  if (texts.length === 0) problems.push({ line: 0, problem: "the record is empty" });
  checkEnd(texts.length, prev, manifest, problems);
  const view = problems.length === 0 ? checkMeaning(events, problems) : null;
  return { verification: report(problems, events, texts.length > 0 ? prev : null, manifest !== null), events, view };
}

/** What the check proved, and what no check of this kind can prove. */
function report(problems: Verification["problems"], events: Event[], head: string | null, kept: boolean): Verification {
  const ended = events.at(-1)?.type === "run-end";
  const tail = ended ? "nothing was cut off and the end rewritten" : "the end is not missing";
  return {
    ok: problems.length === 0,
    problems,
    events: events.length,
    head,
    proved: ["no line was changed, deleted, added or moved", ...(kept ? ["no line is missing at the end"] : [])],
    notProved: [
      ...(kept ? [] : [`that ${tail} (no kept head was given)`]),
      "that the whole record was not rewritten by whoever holds both it and the head",
      "that what the seats said is true",
    ],
  };
}

function checkEnd(
  count: number,
  head: string,
  manifest: { events: number; head: string } | null,
  problems: Verification["problems"],
): void {
  if (!manifest) return;
  if (count < manifest.events) {
    problems.push({
      line: count + 1,
      problem: `the record ends after ${count} lines, the manifest has ${manifest.events}: the end was cut off`,
    });
  } else if (count > manifest.events) {
    problems.push({
      line: manifest.events + 1,
      problem: `the manifest ends at line ${manifest.events}: lines were added`,
    });
  } else if (head !== manifest.head) {
    problems.push({ line: count, problem: "the last line's hash is not the manifest's head" });
  }
}

/** The event of a line, or what is wrong with it. */
export function readEvent(text: string): Event | string {
  try {
    return shaped(upgrade(JSON.parse(text) as RawEvent));
  } catch (error) {
    if (ParleyError.is(error)) throw error;
    return `not JSON: ${(error as Error).message.slice(0, 200)}`;
  }
}

function shaped(raw: RawEvent): Event | string {
  const parsed = Event.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return `not an event: ${issue?.path.join(".") || "it"}: ${issue?.message}`;
}

/** Events that say what a run may do, and are therefore never taken on trust. */
const charters: ReadonlySet<string> = new Set(["run-start", "run-resumed"]);

function readOwn(text: string): Event | string {
  const event = upgrade(JSON.parse(text) as RawEvent);
  return charters.has(event.type) ? shaped(event) : (event as unknown as Event);
}

/** A record can be whole and still say what cannot have happened; the fold and a few counts tell. */
function checkMeaning(events: readonly Event[], problems: Verification["problems"]): View | null {
  const first = events[0];
  if (first && first.type !== "run-start")
    problems.push({ line: 1, problem: `it begins with ${first.type}, not run-start` });
  let epoch = 0;
  for (const [index, event] of events.entries()) {
    if (event.epoch < epoch)
      problems.push({ line: index + 1, problem: `epoch ${event.epoch} after ${epoch}: a fenced owner wrote it` });
    epoch = Math.max(epoch, event.epoch);
    if (event.type === "run-end" && index !== events.length - 1)
      problems.push({ line: index + 2, problem: "an event stands after run-end" });
  }
  try {
    return fold(events);
  } catch (error) {
    problems.push({ line: events.length, problem: (error as Error).message });
    return null;
  }
}
