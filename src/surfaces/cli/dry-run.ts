/** `--dry-run`: who would sit, and how many calls would be made at most. It makes none and records no run. */
import type { Plan } from "../../config/index.ts";
import { protocols } from "../../protocols/index.ts";
import { oneLine } from "../../render/safe.ts";
import type { Call } from "./io.ts";

type Calls = { seats: number; judge: number; synthesizer: number; total: number };

/** Tells what a plan would do and returns the exit status. */
export function dryRun(call: Call, plan: Plan): number {
  const protocol = protocols[plan.input.protocol];
  if (!protocol) return 2;
  const { input } = plan;
  const options = protocol.options.parse(input.options ?? {});
  const counted = protocol.calls(input.seats.length, options);
  const calls = { ...counted, total: counted.seats + counted.judge + counted.synthesizer };
  if (call.out.json) call.out.answerJson({ ok: true, dryRun: true, ...asJson(plan, calls), options });
  else call.out.answer(asText(plan, calls));
  call.out.mention("A dry run: no call was made and no run was recorded.");
  return 0;
}

function asJson({ input, notes, title, best }: Plan, calls: Calls) {
  return {
    protocol: input.protocol,
    title,
    best,
    question: input.question.text,
    seats: input.seats.map(({ id, role, occupant, scope }) => {
      return { id, role, occupant: occupant.name, lineage: occupant.lineage, scope };
    }),
    judges: input.judges.map((spec) => spec.name),
    synthesizers: input.synthesizers.map((spec) => spec.name),
    evidence: input.evidence.map(({ ref, hash }) => ({ ref, hash })),
    limits: input.limits ?? {},
    calls,
    notes,
  };
}

function asText({ input }: Plan, calls: Calls): string {
  const { seats, judge, synthesizer, total } = calls;
  const limits = Object.entries(input.limits ?? {}).map(([name, value]) => `${name} ${value}`);
  const rows: [string, string][] = [
    ["question", input.question.text],
    ["protocol", input.protocol],
    ...input.seats.map(({ id, occupant, scope }): [string, string] => {
      return ["seat", `${id}: ${occupant.name}, ${scope.length} ${scope.length === 1 ? "item" : "items"} of evidence`];
    }),
    ...input.judges.map((spec): [string, string] => ["judge", spec.name]),
    ...input.synthesizers.map((spec): [string, string] => ["synthesis", spec.name]),
    ["evidence", `${input.evidence.length} items in all`],
    ["calls", `at most ${total}: ${seats} by seats, ${judge} by the judge, ${synthesizer} by the synthesizer`],
    ["limits", limits.join(", ") || "none"],
  ];
  return rows.map(([label, text]) => `${label.padEnd(10)}${oneLine(text, 400)}`).join("\n");
}
