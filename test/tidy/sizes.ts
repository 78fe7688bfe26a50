/** How long files and functions may be, and how they open. A file that fits on few screens is read whole; a long one is searched. */
import type { Finding, Node, Source } from "./source.ts";
import { rootName, walk } from "./source.ts";

export const protocolLines = 150;
export const fileLines = 300;
export const functionLines = 60;

export function longFiles(files: readonly Source[]): Finding[] {
  const limitOf = (path: string) => (path.startsWith("src/protocols/") ? protocolLines : fileLines);
  return files
    .filter((file) => file.lines > limitOf(file.path))
    .map(({ path, lines }) => ({
      path,
      line: 1,
      problem: `${lines} lines, and ${limitOf(path)} are allowed: split it`,
    }));
}

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** Lines of a test belong to the test and not to the function that registers it, so a suite may hold many short tests. */
export function longFunctions(files: readonly Source[]): Finding[] {
  const found: Finding[] = [];
  for (const file of files) {
    const spanOf = (node: Node) => file.lineAt(node.end) - file.lineAt(node.start) + 1;
    walk(file.program, (node) => {
      if (!functions.has(node.type)) return;
      const inTests = testCalls(node).reduce((sum, call) => sum + spanOf(call), 0);
      const own = spanOf(node) - inTests;
      if (own <= functionLines) return;
      const problem = `a function of ${own} lines, and ${functionLines} are allowed: split it`;
      found.push({ path: file.path, line: file.lineAt(node.start), problem });
    });
  }
  return found;
}

/** The outermost `test`, `it` and `describe` calls inside a function. */
function testCalls(outer: Node): Node[] {
  const calls: Node[] = [];
  walk(outer, (node) => {
    if (node === outer || !isTestCall(node)) return;
    if (!calls.some((call) => call.start <= node.start && node.end <= call.end)) calls.push(node);
  });
  return calls;
}

/** Whether a node is a call such as `test("…", …)` or `test.each(…)("…", …)`. */
export function isTestCall(node: Node): boolean {
  return node.type === "CallExpression" && ["test", "it", "describe"].includes(rootName(node.callee) ?? "");
}

export function withoutOpening(files: readonly Source[]): Finding[] {
  const opens = (text: string) => /^(#!.*\n)?\/\*\*\s[\s\S]*?[.!?][\s\S]*?\*\//.test(text);
  return files
    .filter((file) => !opens(file.text))
    .map(({ path }) => ({ path, line: 1, problem: "does not open with a doc comment that says what it is" }));
}
