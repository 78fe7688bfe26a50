/**
 * `parley verify`: checks a record, in the store or exported, and says what was proved and what was not.
 *
 * A chain shows every edit and shows no missing end by itself; the end is held against the manifest of an export or the store's own
 * count. Problems are named by file and line, one on each line of stdout.
 */
import { relative } from "node:path";
import { errorCodes } from "../../../errors.ts";
import { oneLine } from "../../../render/safe.ts";
import { verifyLines } from "../../../verify.ts";
import { version } from "../../../version.ts";
import { type FileProblem, fileProblems, isPath, readExport, recordOf } from "../exports.ts";
import type { Call } from "../io.ts";
import { findRun } from "../run-names.ts";
import { openStoreToRead } from "../state.ts";

type Findings = {
  what: string;
  run: string | null;
  events: number;
  head: string | null;
  problems: FileProblem[];
  proved: string[];
  notProved: string[];
};

export async function verify(call: Call): Promise<number> {
  const name = call.args[0] ?? "";
  const findings = isPath(name, call.cwd) ? await verifyExport(call, name) : await verifyStored(call, name);
  const ok = findings.problems.length === 0;
  if (call.out.json) call.out.answerJson(asJson(findings));
  else if (ok) call.out.answer(goodText(findings));
  else call.out.answer(findings.problems.map(problemLine).join("\n"));
  if (!ok) {
    const many = findings.problems.length;
    call.out.say(
      `error ${findings.what} does not verify: ${many === 1 ? "1 problem" : `${many} problems`}. (record-broken)`,
    );
  }
  return ok ? 0 : errorCodes["record-broken"].exit;
}

async function verifyStored(call: Call, name: string): Promise<Findings> {
  const { store } = await openStoreToRead(call, name);
  try {
    const row = await findRun(store, name);
    const lines = await store.read(row.id);
    const found = verifyLines(
      lines.map((line) => line.text),
      { events: row.events, head: row.head },
    );
    const problems = found.problems.map(({ line, problem }) => ({ file: row.id, line, problem }));
    return { what: `run ${row.id} in ${store.place}`, run: row.id, ...found, problems };
  } finally {
    await store.close();
  }
}

async function verifyExport(call: Call, name: string): Promise<Findings> {
  const found = await readExport(call.cwd, name);
  const file = relative(call.cwd, found.eventsPath) || found.eventsPath;
  const manifest = found.manifest && { events: found.manifest.events, head: found.manifest.head };
  const checked = verifyLines(found.texts, manifest);
  const chain = checked.problems.map(({ line, problem }) => ({ file, line, problem }));
  const bytes = found.unreadable.map((line) => ({ file, line, problem: "the line is not valid UTF-8" }));
  const record = checked.ok ? recordOf(found) : null;
  const beside = await fileProblems(found, record);
  const problems = [...chain, ...bytes.filter((entry) => !chain.some((other) => other.line === entry.line)), ...beside];
  const proved = [...checked.proved];
  if (found.manifest) proved.push("the other files of the export are the ones its manifest lists");
  if (found.manifest?.engine === version) proved.push("the decision files say what the events say");
  return {
    what: file,
    run: record?.view.run ?? null,
    events: checked.events,
    head: checked.head,
    problems,
    proved,
    notProved: checked.notProved,
  };
}

function asJson(findings: Findings) {
  const { what, problems, ...rest } = findings;
  if (problems.length === 0) return { ok: true, ...rest, problems };
  const message = `${what} does not verify: ${problemLine(problems[0] as FileProblem)}`;
  const hint = "Compare it with another copy of the export, or with the store it came from.";
  return { ok: false, error: { code: "record-broken", message, hint }, ...rest, proved: [], problems };
}

function goodText({ what, events, head, proved, notProved }: Findings): string {
  const lines = [`verified    ${what}`, `events      ${events}`, `head        ${head ?? "none"}`];
  const list = (label: string, texts: readonly string[]) =>
    texts.map((text, i) => `${(i === 0 ? label : "").padEnd(12)}${text}`);
  return [...lines, ...list("proved", proved), ...list("not proved", notProved)].join("\n");
}

function problemLine({ file, line, problem }: FileProblem): string {
  return `${oneLine(file)}${line === null ? "" : `:${line}`}: ${oneLine(problem)}`;
}
