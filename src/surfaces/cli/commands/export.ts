/**
 * `parley export`: writes a run to files that can be read and verified anywhere, without this store.
 *
 * Names inside an export are the program's own, and the default folder is named after the run's id, so nothing a seat or a case says
 * can choose where a file goes.
 */
import { resolve } from "node:path";
import { ParleyError } from "../../../errors.ts";
import { bundleOf } from "../exports.ts";
import { checkFree, writeFolder } from "../files.ts";
import type { Call } from "../io.ts";
import { commandName } from "../io.ts";
import { readNamed } from "../records.ts";
import { headOf, type Target, writeAnswer } from "../writing.ts";

export async function exportRun(call: Call): Promise<number> {
  const name = call.args[0] ?? "";
  const { record, place, sound } = await readNamed(call, name);
  if (!sound) {
    // A new manifest would vouch for what the old one does not.
    throw new ParleyError("record-broken", `${name} does not verify, so it is not exported again.`, {
      hint: `See what is wrong with it: parley verify ${name}`,
    });
  }
  const run = record.view.run;
  const form = String(call.flags.format ?? "bundle");
  const ending = form === "bundle" ? "" : `.${form}`;
  const path = resolve(call.cwd, typeof call.flags.output === "string" ? call.flags.output : `parley-${run}${ending}`);
  await checkFree(path);
  const files = bundleOf(record);
  if (form === "bundle") await writeFolder(path, files);
  else await writeAnswer(call, { form: form as Target["form"], file: path, force: false, full: true }, record, place);
  if (call.flags.json === true)
    call.out.answerJson({ ok: true, run, path, format: form, events: record.lines.length, head: headOf(record) });
  else call.out.answer(`${path}\n`);
  if (form === "bundle") call.out.mention(`next    ${commandName(call.io)} verify ${path}`);
  return 0;
}
