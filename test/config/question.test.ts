/** The question: in words, from standard input, or from a case file. */

import { expect, test } from "vitest";
import type { Protocol } from "../../src/protocol.ts";
import { protocols } from "../../src/protocols/index.ts";
import { questionLimit } from "../../src/question.ts";
import { newDesk, refusal, two } from "./desk.ts";

test("Words are the question, and standard input is material for it.", async () => {
  const { input, source, title } = await newDesk().plan("  Which one? ", two, { stdin: "some notes\n" });
  expect(input.question).toEqual({
    text: "Which one?",
    options: [],
    context: [{ name: "stdin", text: "some notes\n" }],
  });
  expect([source, title]).toEqual([null, null]);
});

test("A dash reads the question from standard input.", async () => {
  expect((await newDesk().plan("-", two, { stdin: "Which one?\n" })).input.question).toEqual({
    text: "Which one?",
    options: [],
    context: [],
  });
});

test("--context adds files, and a case adds its own, relative to itself.", async () => {
  const desk = newDesk();
  desk.lay("notes.md", "from the flag");
  desk.lay("cases/notes.md", "from the case");
  desk.lay("cases/one.yml", "question: Q?\ncontext:\n  - notes.md\n  - {name: inline, text: here}\n");
  const { input } = await desk.plan("cases/one.yml", { ...two, context: ["notes.md"] });
  expect(input.question.context.map((one) => one.text)).toEqual(["from the case", "here", "from the flag"]);
});

test("Standard input is material for a case too, and blank input is none.", async () => {
  const desk = newDesk();
  desk.lay("case.yml", "question: Q?\n");
  expect((await desk.plan("case.yml", two, { stdin: "notes" })).input.question.context).toEqual([
    { name: "stdin", text: "notes" },
  ]);
  expect((await desk.plan("case.yml", two, { stdin: " \n" })).input.question.context).toEqual([]);
});

test("A sentence that ends in a file's name is a question.", async () => {
  const sentence = "Should we delete parley.yml";
  expect((await newDesk().plan(sentence, two)).input.question.text).toBe(sentence);
});

test.each([
  [undefined, null, "no question"],
  [undefined, "piped", "no question"],
  ["", null, "empty"],
  ["  \n ", null, "empty"],
  ["-", null, "standard input"],
  ["-", " \n", "standard input"],
  ["x".repeat(questionLimit + 1), null, `${questionLimit + 1} characters, and ${questionLimit} are allowed`],
])("%j with %j on standard input is no question.", async (target, stdin, why) => {
  await refusal(newDesk().plan(target, two, { stdin }), "bad-question", why);
});

test("An empty question in a case is refused with its line.", async () => {
  const desk = newDesk();
  desk.lay("case.yml", 'title: T\nquestion: ""\n');
  await refusal(desk.plan("case.yml", two), "bad-question", "case.yml:2", "empty");
});

test.each(["case.yml", "./my case.yaml", "../x/CASE.YML"])(
  "%s looks like a case file, and its absence is an error.",
  async (target) => {
    await refusal(newDesk().plan(target, two), "bad-usage", "no case file");
  },
);

test("A folder named like a case is refused.", async () => {
  const desk = newDesk();
  desk.lay("case.yml/x", "");
  await refusal(desk.plan("case.yml", two), "bad-config", "folder");
});

test.each([
  ['[Postgres, "postgres. "]', '"Postgres" and "postgres. "'],
  ['[a, "!!"]', "no words"],
  [`[a, ${"x".repeat(201)}]`, "201 characters"],
  [`[${Array.from({ length: 51 }, (_, i) => `o${i}`).join(", ")}]`, "51 options"],
])("Options %s cannot be told apart or counted.", async (options, why) => {
  const desk = newDesk();
  desk.lay("case.yml", `question: Q?\noptions: ${options}\n`);
  await refusal(desk.plan("case.yml", two), "bad-question", "case.yml:2", why);
});

test("A case for another protocol is refused, and both are named.", async () => {
  const desk = newDesk();
  desk.lay("case.yml", "question: Q?\nprotocol: tournament\n");
  const tournament = { ...protocols.debate, name: "tournament" } as Protocol;
  const both = { protocols: { ...protocols, tournament } };
  await refusal(desk.plan("case.yml", two, both), "bad-usage", "case.yml:2", "tournament", "debate");
  await refusal(desk.plan("case.yml", two), "unknown-protocol", "case.yml:2", "tournament");
});

test("A protocol that does not exist is refused with the nearest one.", async () => {
  await refusal(newDesk().plan("Q?", two, { protocol: "debat" }), "unknown-protocol", 'Did you mean "debate"?');
});

test("Context that cannot be read is refused.", async () => {
  const desk = newDesk();
  desk.lay("empty.md", "  ");
  desk.lay("big.md", "x".repeat(200_001));
  await refusal(
    desk.plan("Q?", { ...two, context: ["gone.md"] }),
    "bad-evidence",
    "gone.md",
    "--context",
    "no such file",
  );
  await refusal(desk.plan("Q?", { ...two, context: ["empty.md"] }), "bad-evidence", "empty");
  await refusal(desk.plan("Q?", { ...two, context: ["big.md"] }), "bad-question", "200001 characters");
});

test("The best answer must be one of the options, or none.", async () => {
  const desk = newDesk();
  const withBest = (best: string) => {
    desk.lay("case.yml", `question: Q?\noptions: [Alpha, Beta]\nbest: ${best}\n`);
    return desk.plan("case.yml", two);
  };
  expect((await withBest("alpha")).best).toBe("alpha");
  expect((await withBest("none")).best).toBe("none");
  await refusal(withBest("gamma"), "bad-config", "case.yml:3", "gamma");
});

test("The seed and the run id are taken over, and a bad id is refused.", async () => {
  const desk = newDesk();
  desk.lay("case.yml", "question: Q?\nseed: 7\n");
  const { input } = await desk.plan("case.yml", { ...two, id: "run-1" });
  expect([input.seed, input.id]).toEqual(["7", "run-1"]);
  desk.env.PARLEY_SEED = "eight";
  expect((await desk.plan("case.yml", two)).input.seed).toBe("eight");
  expect((await desk.plan("case.yml", { ...two, seed: "nine" })).input.seed).toBe("nine");
  await refusal(desk.plan("Q?", { ...two, id: "../../etc/passwd" }), "bad-name", "../../etc/passwd");
});
