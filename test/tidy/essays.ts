/** Essays and their code: the numbered steps, and the promises that tests keep. The essay is the source of truth. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isTestCall } from "./sizes.ts";
import type { Source } from "./source.ts";
import { plainText, root, walk } from "./source.ts";

export type Step = { number: number; text: string; line: number };

/** The numbered items under "## The steps". An item is its first paragraph; what is indented beneath explains it. */
export function essaySteps(path: string): Step[] {
  return items(path, "The steps", /^(\d+)\. (.*)$/).map(({ match, text, line }) => ({
    number: Number(match[1]),
    text,
    line,
  }));
}

/** The bullets under "## What it promises". */
export function essayPromises(path: string): { text: string; line: number }[] {
  return items(path, "What it promises", /^([-*]) (.*)$/).map(({ text, line }) => ({ text, line }));
}

function items(path: string, heading: string, shape: RegExp): { match: RegExpExecArray; text: string; line: number }[] {
  const lines = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8").split("\n") : [];
  const found: { match: RegExpExecArray; text: string; line: number }[] = [];
  let inside = false;
  let open = false;
  for (const [index, line] of lines.entries()) {
    if (/^#{1,2} /.test(line)) inside = line === `## ${heading}`;
    const match = inside ? shape.exec(line) : null;
    const last = found.at(-1);
    if (match) found.push({ match, text: match[2] ?? "", line: index + 1 });
    else if (open && last && /^\s+\S/.test(line)) last.text += ` ${line.trim()}`;
    open = inside && (match !== null || (open && /^\s+\S/.test(line)));
  }
  return found.map((item) => ({ ...item, text: oneLine(item.text) }));
}

/** The comments `// 3. …` of a protocol, joined with the comment lines that go on with them. */
export function codeSteps(file: Source): Step[] {
  const steps: Step[] = [];
  let lastLine = -1;
  for (const comment of file.comments.filter(({ type }) => type === "Line")) {
    const line = file.lineAt(comment.start);
    const match = /^ (\d+)\. (.*)$/.exec(comment.value);
    const last = steps.at(-1);
    if (match) steps.push({ number: Number(match[1]), text: oneLine(match[2] ?? ""), line });
    else if (last && line === lastLine + 1) last.text = oneLine(`${last.text} ${comment.value}`);
    else continue;
    lastLine = line;
  }
  return steps;
}

/** Where an essay and its code differ, one sentence for each step that does. */
export function stepDifferences(essay: string, file: Source): string[] {
  const [written, coded] = [essaySteps(essay), codeSteps(file)];
  if (written.length === 0) return [`${essay}:1  has no numbered steps under "## The steps"`];
  const found: string[] = [];
  for (let at = 0; at < Math.max(written.length, coded.length); at++) {
    const [said, done] = [written[at], coded[at]];
    if (said && said.number !== at + 1)
      found.push(`${essay}:${said.line}  step ${said.number} should be number ${at + 1}`);
    if (said?.number === done?.number && said?.text === done?.text) continue;
    const where = done
      ? `${file.path}:${done.line}  says "${done.number}. ${done.text}"`
      : `${file.path}:1  says nothing`;
    const other = said ? `${essay}:${said.line} says "${said.number}. ${said.text}"` : `${essay} has no such step`;
    found.push(`${where}\n    where ${other}`);
  }
  return found;
}

/** The titles of all tests, where they are plain text. */
export function testTitles(files: readonly Source[]): Set<string> {
  const titles = new Set<string>();
  for (const file of files) {
    walk(file.program, (node) => {
      const title = isTestCall(node) ? plainText((node.arguments as unknown[])[0]) : null;
      if (title !== null) titles.add(oneLine(title));
    });
  }
  return titles;
}

/** `src/protocols/debate.ts` and `docs/protocols/debate.md` are both `debate`. */
export function protocolName(path: string): string {
  return basename(path).replace(/\.(ts|md)$/, "");
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
