/**
 * What the user put before the panel: words, standard input, or a case file.
 *
 * A name that looks like a case file is never taken for a question. Nobody asks a panel "case.yml", and a missing file must not
 * cost a run.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { canonical } from "../answers.ts";
import { UsageError } from "../errors.ts";
import { contextLimit, type Question, questionLimit } from "../question.ts";
import { shaped } from "./file-shape.ts";
import { type Place, placeIn } from "./layers.ts";
import { refuseSecrets } from "./secrets.ts";
import { CaseFile } from "./shapes.ts";
import { readTextFile, reason } from "./text-file.ts";
import { readYamlFile, type YamlFile } from "./yaml-file.ts";

/** A case file as read. */
export type Case = { file: YamlFile; data: CaseFile };

/** What was asked, before the material is added. */
export type Asked = { text: string; where: string; stdin: string | null; case: Case | null };

const example =
  'Ask in words (parley debate "Which database?"), pass - to read the question from standard input, or name a case file (parley debate case.yml).';

/** Reads the target of the command line. */
export async function readTarget(target: string | undefined, stdin: string | null, cwd: string): Promise<Asked> {
  const piped = stdin !== null && stdin.trim() !== "" ? stdin : null;
  if (target === undefined) throw new UsageError("bad-question", "There is no question.", { hint: example });
  if (target === "-") return { text: piped ?? "", where: "standard input", stdin: null, case: null };
  if (!isCasePath(target, cwd)) return { text: target, where: "the question", stdin: piped, case: null };
  const file = await readYamlFile(resolve(cwd, target), "the case file");
  refuseSecrets(file);
  const data = shaped(file, CaseFile, "a case file");
  return { text: data.question, where: file.at(["question"]), stdin: piped, case: { file, data } };
}

/** The question with its options and everything everyone is shown. */
export async function questionFrom(asked: Asked, contextFlags: readonly string[], cwd: string): Promise<Question> {
  const text = asked.text.trim();
  if (text === "") throw new UsageError("bad-question", `The question is empty (${asked.where}).`, { hint: example });
  if (text.length > questionLimit) {
    throw new UsageError(
      "bad-question",
      `The question has ${text.length} characters, and ${questionLimit} are allowed (${asked.where}).`,
      {
        hint: "Ask in fewer words, and give the material with --context FILE.",
      },
    );
  }
  const options = checkedOptions(asked.case);
  const context = asked.stdin === null ? [] : [checkedContext("stdin", asked.stdin, "standard input")];
  for (const [index, entry] of (asked.case?.data.context ?? []).entries()) {
    const place = placeIn((asked.case as Case).file, ["context", index]);
    context.push(
      typeof entry === "string" ? await contextFile(entry, place) : checkedContext(entry.name, entry.text, place.where),
    );
  }
  for (const path of contextFlags)
    context.push(await contextFile(path, { where: "flag --context", folder: cwd, file: null }));
  if (context.length > 50) {
    throw new UsageError("bad-question", `There are ${context.length} pieces of context, and 50 are allowed.`, {
      hint: "Join some of them, or leave some out.",
    });
  }
  return { text, options, context };
}

function isCasePath(target: string, cwd: string): boolean {
  if (!/\.ya?ml$/iu.test(target) || target.includes("\n")) return false;
  const path = resolve(cwd, target);
  if (!target.includes("\0") && isThere(path)) return true;
  // A sentence may end in a file's name; a path has no blanks, or begins as paths do.
  if (/\s/u.test(target) && !/^(?:\.{0,2}\/|~)/u.test(target)) return false;
  throw new UsageError("bad-usage", `There is no case file ${path}.`, {
    hint: "Check the path; to ask about such a file, put the question in a sentence.",
  });
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new UsageError("bad-usage", `The case file ${path.slice(0, 200)} cannot be used: ${reason(error)}.`, {
      hint: "Check the path; to ask about such a file, put the question in a sentence.",
    });
  }
}

function checkedOptions(read: Case | null): string[] {
  const options = read?.data.options ?? [];
  const refuse = (index: number, problem: string, hint: string): never => {
    throw new UsageError("bad-question", `${read?.file.at(["options", index])}: ${problem}.`, { hint });
  };
  if (options.length > 50) refuse(50, `there are ${options.length} options, and 50 are allowed`, "Ask about fewer.");
  const seen = new Map<string, string>();
  for (const [index, option] of options.entries()) {
    const form = canonical(option);
    if (form === "")
      refuse(index, `the option ${JSON.stringify(option)} has no words`, "Write each option in letters or digits.");
    if (option.length > 200)
      refuse(
        index,
        `the option has ${option.length} characters, and 200 are allowed`,
        "Give options short names and explain them in the question.",
      );
    const twin = seen.get(form);
    if (twin !== undefined) {
      refuse(
        index,
        `the options ${JSON.stringify(twin)} and ${JSON.stringify(option)} cannot be told apart`,
        "Options must differ in more than case, blanks and punctuation.",
      );
    }
    seen.set(form, option);
  }
  return options;
}

async function contextFile(path: string, place: Place): Promise<{ name: string; text: string }> {
  const full = resolve(place.folder, path);
  const file = await readTextFile(full, contextLimit * 4);
  if (file.problem !== undefined) {
    throw new UsageError("bad-evidence", `The context file ${full} (${place.where}) cannot be used: ${file.problem}.`, {
      hint: "Name a text file (UTF-8); paths in a file are relative to that file.",
    });
  }
  return checkedContext(path.slice(-200), file.text, place.where);
}

function checkedContext(name: string, text: string, where: string): { name: string; text: string } {
  if (text.trim() === "")
    throw new UsageError("bad-evidence", `The context ${JSON.stringify(name)} (${where}) is empty.`, {
      hint: "Leave it out.",
    });
  if (text.length <= contextLimit) return { name, text };
  throw new UsageError(
    "bad-question",
    `The context ${JSON.stringify(name)} (${where}) has ${text.length} characters, and ${contextLimit} are allowed.`,
    {
      hint: "Shorten it, or give it as evidence in several items.",
    },
  );
}
