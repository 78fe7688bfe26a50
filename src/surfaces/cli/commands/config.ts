/** `parley config`: the config as it is resolved here, and where each value came from. */
import { resolveConfig } from "../../../config/index.ts";
import { oneLine } from "../../../render/safe.ts";
import { pad, width } from "../../../render/wrap.ts";
import type { Call } from "../io.ts";

export async function config(call: Call): Promise<number> {
  const given = call.flags.config;
  const resolved = await resolveConfig({ cwd: call.cwd, env: call.io.env, ...(given ? { config: given } : {}) });
  const { origins, files } = resolved;
  if (call.out.json) {
    call.out.answerJson({ ok: true, config: resolved.config, files, ...(call.flags.origin ? { origins } : {}) });
  } else if (call.flags.origin) {
    const rows = origins.map(
      ({ path, value, from }) => [path, oneLine(JSON.stringify(value) ?? "", 60), from] as const,
    );
    const [paths, values] = [0, 1].map((column) => Math.max(0, ...rows.map((row) => width(row[column] ?? "")))) as [
      number,
      number,
    ];
    call.out.answer(
      rows.map(([path, value, from]) => `${pad(path, paths)}  ${pad(value, values)}  ${from}`).join("\n"),
    );
  } else {
    const { stringify } = await import("yaml");
    call.out.answer(stringify(resolved.config));
  }
  if (files.length === 0) call.out.mention("No config file was found; these are the defaults. Write one: parley init");
  return 0;
}
