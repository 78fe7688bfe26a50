/** `parley show`: a run's decision, or its whole record, in any form. */
import type { Call } from "../io.ts";
import { readNamed } from "../records.ts";
import { targetOf, writeAnswer } from "../writing.ts";

export async function show(call: Call): Promise<number> {
  const target = await targetOf(call);
  const { record, place } = await readNamed(call, call.args[0] ?? "");
  await writeAnswer(call, target, record, place);
  return 0;
}
