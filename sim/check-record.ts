/** Invariants of the record: intents before calls, one outcome each, an unbroken chain, epochs, and nothing shown that is not on disk. */
import { hash } from "node:crypto";
import { ParleyError } from "../src/errors.ts";
import { promptOf } from "../src/rebuild.ts";
import { verifyLines } from "../src/verify.ts";
import { type Case, isPure, isUnsent, rawOf } from "./case.ts";

/** I1: every call has its own intent, on disk before it left, by the life that made it, and with the prompt that was sent. */
export function intentsBeforeCalls({ calls, attempts, world, plan, report }: Case): void {
  const seen = new Set<string>();
  for (const call of calls) {
    const id = `${call.key}#${call.attempt}`;
    const intent = attempts.get(id)?.start;
    if (seen.has(id)) report("I1", `${id} was asked twice`, intent?.seq);
    seen.add(id);
    if (!intent) {
      report("I1", `${id} was asked without an intent`);
      continue;
    }
    if (intent.seq >= call.durable) report("I1", `${id} was asked before its intent was on disk`, intent.seq);
    if (plan.seed % 4 === 0 && hashOf(`${hashOf(call.system)}\n${call.user}`) !== intent.promptHash)
      report("I1", `${id} was sent another prompt than the recorded one`, intent.seq);
    const life = world.lives[call.life];
    if (life?.epoch !== intent.epoch)
      report(
        "I1",
        `${id} was asked by life ${call.life} of epoch ${life?.epoch} on an intent of ${intent.epoch}`,
        intent.seq,
      );
  }
}

function hashOf(text: string): string {
  return hash("sha256", text, "hex");
}

/** I1: every prompt can be made again from the record, word for word. */
export function promptsAreOnRecord({ calls, events, plan, report }: Case): void {
  if (plan.seed % 16 !== 0) return;
  for (const call of calls) {
    const prompt = promptOf(events, call.key, call.attempt);
    if (!prompt?.exact || prompt.system !== call.system || prompt.user !== call.user)
      report("I1", `the prompt of ${call.key}#${call.attempt} cannot be made again from the record`);
  }
}

/** I1: what is recorded as answered or failed was really asked, and the answer is the provider's. */
export function answersAreTheProviders({ attempts, plan, start, report }: Case): void {
  for (const { id, start: intent, settled, call } of attempts.values()) {
    if (!settled || isPure(plan, intent.seat)) continue;
    if (settled.type === "turn-end" && rawOf(settled) !== call?.text)
      report("I1", `${id} is recorded with words the provider did not say`, settled.seq);
    if (settled.type !== "attempt-failed") continue;
    const unsent = isUnsent(settled);
    if (unsent && call) report("I1", `${id} is recorded as never sent and was asked`, settled.seq);
    if (!unsent && !call) report("I1", `${id} is recorded as failed and was never asked`, settled.seq);
    const words = call?.text?.slice(0, start.limits.replyChars) ?? null;
    if (settled.raw !== null && settled.raw !== words)
      report("I1", `${id} keeps other words than the provider's`, settled.seq);
  }
}

/** I2: every intent has one outcome before the end; a turn is settled once; late answers change nothing. */
export function oneOutcomeEach({ events, attempts, plan, end, report }: Case): void {
  const over = new Map<string, string>();
  for (const event of events) {
    if (event.type === "turn-start" && over.has(event.key))
      report("I2", `${event.key} is asked again after its ${over.get(event.key)}`, event.seq);
    if (event.type === "turn-end" || event.type === "turn-missed") {
      if (over.has(event.key)) report("I2", `${event.key} has two outcomes`, event.seq);
      over.set(event.key, event.type);
    }
    if (event.type === "turn-end" && event.latencyMs > plan.input.limits.turnTimeoutMs)
      report("I2", `${event.key} was answered after its clock had run out`, event.seq);
    if (event.type === "turn-late") {
      const attempt = attempts.get(`${event.key}#${event.attempt}`);
      if (!attempt?.settled || attempt.settled.seq > event.seq || attempt.settled.type === "turn-end")
        report("I2", `${event.key}#${event.attempt} is late and was not settled before`, event.seq);
    }
  }
  if (!end) return;
  for (const { id, settled, start } of attempts.values()) if (!settled) report("I2", `${id} has no outcome`, start.seq);
  if (end.status === "cancelled") return;
  for (const { start, settled } of attempts.values())
    if (settled && !over.has(start.key) && !endedByBudget(events, start.key))
      report("I2", `${start.key} was begun and has no end and no miss`, start.seq);
}

/** I2: an answer that came too late to a run still going is kept, and only a cancelled run cuts calls off. */
export function lateAnswersAreKept({ events, attempts, calls, world, end, report }: Case): void {
  const late = new Set(
    events.flatMap((event) => (event.type === "turn-late" ? [`${event.key}#${event.attempt}`] : [])),
  );
  const paused =
    world.lives.some((life) => life.plan.pauseAt !== null) || world.plan.input.limits.onBudget === "resume";
  const undisturbed = world.lives.length === 1 && end !== null && !paused;
  for (const call of undisturbed ? calls : []) {
    const id = `${call.key}#${call.attempt}`;
    const settled = attempts.get(id)?.settled;
    if (call.answeredAt === null || settled?.type === "turn-end" || end?.status === "cancelled") continue;
    const cutOff = settled?.type === "attempt-failed" && settled.raw === null;
    const before = world.wallAt(call.answeredAt) < (end?.at ?? 0);
    if (cutOff && before && !late.has(id)) report("I2", `${id} was answered late and nobody kept it`, settled?.seq);
  }
  for (const event of events) {
    if (event.type !== "attempt-failed" || event.kind !== "cancelled" || end?.status === "cancelled") continue;
    if (event.retryAt === null) report("I2", `${event.key} was cut off in a run that nobody cancelled`, event.seq);
  }
}

function endedByBudget(events: Case["events"], key: string): boolean {
  return events.some((event) => event.type === "limit-reached" && event.key === key && event.action === "harvest");
}

/** I3: numbers without gaps, every line chained to the one before, and all of it readable by anyone with the verifier. */
export function chainHolds({ world, events, start, plan, report }: Case): void {
  let prev = "0".repeat(64);
  for (const [index, line] of world.store.lines.entries()) {
    const event = events[index] as unknown as { seq: number; run: string; prev: string; hash: string };
    if (event.seq !== index) report("I3", `line ${index} has the number ${event.seq}`, index);
    if (event.run !== start.run) report("I3", `line ${index} is of run ${event.run}`, index);
    if (event.prev !== prev) report("I3", `line ${index} does not follow the one before it`, index);
    if (event.hash !== line.hash) report("I3", `line ${index} is filed under another hash`, index);
    prev = event.hash;
    if (plan.seed % 4 !== 0) continue;
    const own = hashOf(line.text.slice(0, line.text.lastIndexOf(',"hash":"')));
    if (own !== event.hash) report("I3", `line ${index} has a wrong hash`, index);
  }
  if (plan.seed % 64 !== 0) return;
  const found = verifyLines(world.store.lines.map((line) => line.text));
  for (const { line, problem } of found.problems) report("I3", `verify: ${problem}`, line - 1);
}

/** I3: what a listener was told was on disk, is there still, and came in order. */
export function shownIsDurable({ world, events, report }: Case): void {
  const last = new Map<number, number>();
  for (const { life, seq, type, at, durable } of world.shown) {
    if (seq >= durable) report("I3", `${type} was shown before it was on disk`, seq);
    const event = events[seq];
    if (event?.type !== type || event.at !== at) report("I3", `${type} was shown and is not in the record`, seq);
    const before = last.get(life);
    if (before !== undefined && seq !== before + 1) report("I3", `${type} was shown after number ${before}`, seq);
    last.set(life, seq);
  }
}

/** I11: epochs never go down, and only the newest may write. */
export function fencedOwnersAreSilent({ world, events, report }: Case): void {
  let epoch = 0;
  for (const event of events) {
    if (event.epoch < epoch) report("I11", `epoch ${event.epoch} after ${epoch}`, event.seq);
    epoch = event.epoch;
  }
  for (const commit of world.store.commits) {
    if (commit.epoch !== commit.newest)
      report("I11", `epoch ${commit.epoch} wrote while ${commit.newest} was newest`, commit.from);
    for (const event of events.slice(commit.from, commit.to))
      if (event.epoch !== commit.epoch)
        report("I11", `${event.type} carries epoch ${event.epoch}, written by ${commit.epoch}`, event.seq);
  }
  for (const life of world.lives)
    if (!life.superseded && ParleyError.is(life.error) && life.error.code === "lease-lost")
      report("I11", `life ${life.index} lost its lease to nobody`);
  for (const code of world.refusedRivals) if (code !== "run-owned") report("I11", `a rival was refused with ${code}`);
}

/** I13: the nonce, from which fences are made, is in no prompt. */
export function secretsStayHome({ calls, start, report }: Case): void {
  for (const call of calls) {
    if (call.user.includes(start.nonce) || call.system.includes(start.nonce))
      report("I13", `${call.key} was sent the nonce of the run`);
  }
}

/** I9: a process whose prompts are not the recorded ones stops before it asks anyone. */
export function changedPromptsStop({ world, calls, report }: Case): void {
  for (const life of world.lives)
    if (life.reworded && calls.some((call) => call.life === life.index))
      report("I9", `life ${life.index} went on with other prompts than those recorded`);
}
