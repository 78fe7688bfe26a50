/** `--dry-run`: who would sit, and how many calls would be made at most. It makes none and writes nothing. */
import type { plan } from "../../config/index.ts";
import { protocols } from "../../protocols/index.ts";
import { oneLine } from "../../render/safe.ts";
import type { Call } from "./io.ts";

type Planned = Awaited<ReturnType<typeof plan>>;

export function dryRun(call: Call, planned: Planned): number {
  const { input } = planned;
  const protocol = protocols[input.protocol];
  if (!protocol) return 2;
  const options = protocol.options.parse(input.options ?? {});
  const calls = protocol.calls(input.seats.length, options);
  const total = calls.seats + calls.judge + calls.synthesizer;
  if (call.out.json) {
    const seats = input.seats.map(({ id, role, occupant, scope }) => ({ id, role, occupant: occupant.name, lineage: occupant.lineage, scope }));
    const names = (specs: typeof input.judges) => specs.map((spec) => spec.name);
    const shared = { protocol: input.protocol, question: input.question.text, options, seats, limits: input.limits ?? {} };
    const evidence = input.evidence.map(({ ref, hash }) => ({ ref, hash }));
    call.out.answerJson({
      ok: true,
      dryRun: true,
      ...shared,
      judges: names(input.judges),
      synthesizers: names(input.synthesizers),
      evidence,
      calls: { ...calls, total },
      notes: planned.notes,
    });
    return 0;
  }
  const rows: [string, string][] = [
    ["question", input.question.text],
    ["protocol", input.protocol],
    ...input.seats.map((seat): [string, string] => [`seat`, `${seat.id}  ${seat.occupant.name}  (${seat.scope.length} items of evidence)`]),
    ...input.judges.map((spec): [string, string] => ["judge", spec.name]),
    ...input.synthesizers.map((spec): [string, string] => ["synthesis", spec.name]),
    ["evidence", `${input.evidence.length} items`],
    ["calls", `at most ${total}: ${calls.seats} by seats, ${calls.judge} by the judge, ${calls.synthesizer} by the synthesizer`],
    ["limits", Object.entries(input.limits ?? {}).map(([name, value]) => `${name} ${value}`).join(", ") || "none"],
  ];
  call.out.answer(rows.map(([label, text]) => `${label.padEnd(10)}${oneLine(text, 400)}`).join("\n"));
  call.out.mention("A dry run: no call was made and nothing was written.");
  return 0;
}
