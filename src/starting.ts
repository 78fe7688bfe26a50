/** Beginning a run, and bringing one back to life: every check that can be made before the first call is made here. */
import { canonical } from "./answers.ts";
import { shuffled } from "./chance.ts";
import { Circuits } from "./circuit.ts";
import { assert, ParleyError, UsageError } from "./errors.ts";
import type { EventBody, EventOf } from "./events.ts";
import { EvidenceItem } from "./evidence.ts";
import { Limits } from "./limits.ts";
import { LiveRun } from "./live-run.ts";
import { checkName } from "./names.ts";
import type { Lease, Occupant } from "./ports.ts";
import { Synthesis } from "./position.ts";
import type { Protocol } from "./protocol.ts";
import { Question } from "./question.ts";
import type { Record } from "./record.ts";
import { Recorder } from "./recorder.ts";
import type { Drive, RunInput } from "./run.ts";
import { type OccupantSpec, Seat } from "./seat.ts";
import { emptyView } from "./transcript.ts";
import { version } from "./version.ts";

export type Started = { live: LiveRun; protocol: Protocol };

/** The most seats a panel may have; labels are one or two letters. */
const seatLimit = 64;

/** Checks the input, makes the occupants, and writes the first events. */
export async function startOf(input: RunInput, drive: Drive): Promise<Started> {
  const protocol = protocolNamed(input.protocol, drive);
  const question = parsed(Question, input.question, "bad-question", "the question");
  const options = parsed(protocol.options, input.options ?? {}, "bad-usage", `the options of ${protocol.name}`);
  const limits = parsed(Limits, input.limits ?? {}, "bad-usage", "the limits");
  const seats = checkSeats(input, protocol);
  checkOptions(question);
  const evidence = checkEvidence(input.evidence, seats);
  const id = input.id === undefined ? `r_${drive.world.token(5)}` : checkName("The run id", input.id);
  const seed = input.seed ?? drive.world.token(8);
  const start: Omit<EventOf<"run-start">, "v" | "run" | "seq" | "at" | "epoch"> = {
    type: "run-start",
    protocol: protocol.name,
    protocolVersion: protocol.version,
    options: options as EventOf<"run-start">["options"],
    question,
    seats,
    judges: [...input.judges],
    synthesizers: [...input.synthesizers],
    labels: labelsFor(seats, seed),
    limits,
    seed,
    nonce: drive.world.token(16),
    owner: drive.world.owner,
    engine: version,
  };
  const occupants = await seatOccupants(start, drive);
  checkPrices(seats, occupants, limits);
  const recorder = recorderFor(emptyView(), { run: id, epoch: 1, owner: drive.world.owner }, drive);
  const added: EventBody[] = evidence.map((item) => ({ type: "evidence-added", item }));
  const aside = asideFor(start, occupants, evidence, limits, protocol.calls(seats.length, options as never).seats);
  recorder.create([start, ...added, ...aside], { id, protocol: protocol.name, question: question.text });
  return { live: liveRun(recorder, occupants, drive), protocol };
}

/** A run from its record, ready to be driven on. */
export async function bringToLife(record: Record, lease: Lease, drive: Drive): Promise<Started> {
  const { start } = record.view;
  if (!start)
    throw new ParleyError("record-broken", "The record has no run-start.", { hint: "Restore the store from a copy." });
  const protocol = protocolNamed(start.protocol, drive);
  if (protocol.version !== start.protocolVersion) {
    throw new ParleyError(
      "diverged",
      `The run began with ${start.protocol} version ${start.protocolVersion}; this Parley has version ${protocol.version}.`,
      {
        hint: "Resume it with the Parley that began it, or start a new run.",
      },
    );
  }
  const occupants = await seatOccupants(start, drive);
  const head = record.lines.at(-1)?.hash;
  return { live: liveRun(recorderFor(record.view, lease, drive, head), occupants, drive), protocol };
}

function liveRun(recorder: Recorder, occupants: ReadonlyMap<string, Occupant>, drive: Drive): LiveRun {
  const { start } = recorder.view;
  assert(start, "the run has begun");
  return new LiveRun({ start, recorder, world: drive.world, circuits: drive.circuits ?? new Circuits(), occupants });
}

function recorderFor(view: Record["view"], lease: Lease, drive: Drive, head?: string): Recorder {
  const { store, world, onEvent } = drive;
  return new Recorder({
    view,
    lease,
    store,
    world,
    ...(head ? { head } : {}),
    ...(onEvent ? { listen: onEvent } : {}),
  });
}

function protocolNamed(name: string, { protocols }: Drive): Protocol {
  const protocol = Object.hasOwn(protocols, name) ? protocols[name] : undefined;
  if (protocol) return protocol;
  throw new UsageError("unknown-protocol", `There is no protocol ${JSON.stringify(name)}.`, {
    hint: `There are: ${Object.keys(protocols).join(", ")}.`,
  });
}

function parsed<
  Shape extends {
    safeParse(value: unknown): {
      success: boolean;
      data?: unknown;
      error?: { issues: { path: PropertyKey[]; message: string }[] };
    };
  },
>(
  schema: Shape,
  value: unknown,
  code: "bad-question" | "bad-usage" | "bad-config" | "bad-evidence",
  what: string,
): ReturnType<Shape["safeParse"]> extends { data?: infer Data } ? Exclude<Data, undefined> : never {
  const result = schema.safeParse(value);
  if (result.success) return result.data as never;
  const issue = result.error?.issues[0];
  const where = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  throw new UsageError(code, `In ${what}: ${where}${issue?.message}.`, { hint: "Correct it and run again." });
}

/** Limits that are to change, checked before anything is claimed or written. */
export function checkLimits(limits: Partial<Limits>): Partial<Limits> {
  const whole = parsed(Limits, limits, "bad-usage", "the limits");
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name in limits));
}

/** Lets occupants go; one that cannot be closed keeps nobody else open. */
export async function letGo(occupants: Iterable<Occupant>): Promise<void> {
  await Promise.allSettled([...occupants].map(async (occupant) => occupant.close?.()));
}

function checkSeats(input: RunInput, protocol: Protocol): Seat[] {
  const seats = input.seats.map((seat) => parsed(Seat, seat, "bad-config", `the seat ${JSON.stringify(seat.id)}`));
  if (seats.length < protocol.minSeats) {
    throw new UsageError(
      "too-few-seats",
      `A ${protocol.name} needs ${protocol.minSeats} seats and has ${seats.length}.`,
      { hint: "Add one with --seat ID=OCCUPANT." },
    );
  }
  if (seats.length > seatLimit)
    throw new UsageError("bad-usage", `A panel has at most ${seatLimit} seats, this one has ${seats.length}.`, {
      hint: "Seat fewer.",
    });
  const seen = new Set<string>();
  for (const { id } of seats) {
    if (seen.has(id.toLowerCase()))
      throw new UsageError("bad-config", `Two seats are called ${JSON.stringify(id)}.`, {
        hint: "Give each seat its own id.",
      });
    seen.add(id.toLowerCase());
  }
  const { quorum } = input.limits ?? {};
  if (quorum !== undefined && quorum !== null && quorum > seats.length) {
    throw new UsageError("bad-usage", `The quorum is ${quorum}, and the panel has ${seats.length} seats.`, {
      hint: "Lower --quorum or seat more.",
    });
  }
  return seats;
}

/** A money budget holds nothing whose price nobody knows, so that is said before anyone is asked. */
function checkPrices(seats: readonly Seat[], occupants: ReadonlyMap<string, Occupant>, limits: Limits): void {
  if (limits.maxUsd === null) return;
  for (const seat of seats) {
    const request = { system: "", user: "", seat, act: "answer", round: 0, attempt: 1, reply: Synthesis };
    if (occupants.get(seat.id)?.cap(request).usd !== null) continue;
    throw new UsageError("bad-usage", `What seat ${seat.id} costs is unknown, so a budget in dollars cannot hold it.`, {
      hint: "Use --max-tokens or --max-turns, or say that it is free.",
    });
  }
}

function checkOptions({ options }: Question): void {
  const seen = new Map<string, string>();
  for (const option of options) {
    const same = seen.get(canonical(option));
    if (same !== undefined)
      throw new UsageError(
        "bad-question",
        `The options ${JSON.stringify(same)} and ${JSON.stringify(option)} cannot be told apart.`,
        { hint: "Reword one." },
      );
    seen.set(canonical(option), option);
  }
}

function checkEvidence(items: readonly EvidenceItem[], seats: readonly Seat[]): EvidenceItem[] {
  const evidence = items.map((item) =>
    parsed(EvidenceItem, item, "bad-evidence", `the evidence ${JSON.stringify(item.ref)}`),
  );
  const refs = new Set<string>();
  for (const { ref } of evidence) {
    if (refs.has(ref))
      throw new UsageError("bad-evidence", `Two items of evidence are called ${JSON.stringify(ref)}.`, {
        hint: "Give each its own ref.",
      });
    refs.add(ref);
  }
  for (const seat of seats) {
    const missing = seat.scope.find((ref) => !refs.has(ref));
    if (missing !== undefined)
      throw new UsageError(
        "bad-evidence",
        `Seat ${seat.id} is to see ${JSON.stringify(missing)}, which is not among the evidence.`,
        { hint: "Add it, or take it out of the seat's scope." },
      );
  }
  return evidence;
}

/** Letters in an order drawn from the seed, so that a label tells nothing about who sits where. */
function labelsFor(seats: readonly Seat[], seed: string): { [label: string]: string } {
  const letter = (index: number): string =>
    index < 26 ? String.fromCharCode(65 + index) : `${letter(Math.floor(index / 26) - 1)}${letter(index % 26)}`;
  return Object.fromEntries(shuffled(seats, seed, "labels").map((seat, index) => [letter(index), seat.id]));
}

async function seatOccupants(
  start: Pick<EventOf<"run-start">, "seats" | "judges" | "synthesizers" | "limits">,
  drive: Drive,
): Promise<Map<string, Occupant>> {
  const specs = [
    ...start.seats.map((seat) => [seat.id, seat.occupant] as const),
    ...start.judges.map((spec, index) => [`judge-${index + 1}`, spec] as const),
    ...start.synthesizers.map((spec, index) => [`synthesizer-${index + 1}`, spec] as const),
  ];
  const occupants = new Map<string, Occupant>();
  try {
    for (const [name, spec] of specs) occupants.set(name, await occupantFor(spec, drive));
  } catch (error) {
    await letGo(occupants.values());
    throw error;
  }
  return occupants;
}

function occupantFor(spec: OccupantSpec, drive: Drive): Occupant | Promise<Occupant> {
  const factory = Object.hasOwn(drive.occupants, spec.kind) ? drive.occupants[spec.kind] : undefined;
  if (factory) return factory(spec);
  throw new UsageError("unknown-occupant", `Nothing here can fill a seat as ${JSON.stringify(spec.name)}.`, {
    hint: `Kinds: ${Object.keys(drive.occupants).join(", ")}.`,
  });
}

/** How many characters of each answer the synthesizer is expected to be shown; what is set aside for it is reckoned so. */
const usualAnswer = 2_000;

/** What is set aside for the synthesizer before anyone is asked, where a budget is set and it has to be called. */
function asideFor(
  start: Pick<EventOf<"run-start">, "question" | "seats">,
  occupants: ReadonlyMap<string, Occupant>,
  evidence: readonly EvidenceItem[],
  limits: Limits,
  answers: number,
): EventBody[] {
  const synthesizer = occupants.get("synthesizer-1");
  const budgeted = limits.maxTokens !== null || limits.maxUsd !== null || limits.maxTurns !== null;
  if (!budgeted || !synthesizer || synthesizer.pure) return [];
  const told = start.question.text.length + evidence.reduce((sum, item) => sum + item.text.length, 0);
  const size = told + answers * Math.min(limits.peerChars, usualAnswer);
  const seat = start.seats[0];
  assert(seat, "a panel has seats");
  const request = {
    system: "",
    user: " ".repeat(size),
    seat,
    act: "synthesis",
    round: 0,
    attempt: 1,
    reply: Synthesis,
  };
  return [{ type: "budget-reserved", aside: synthesizer.cap(request), turns: 1 }];
}
