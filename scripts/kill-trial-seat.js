/**
 * A seat for the kill trial: a program that notes every call it gets in a record of its own, thinks for a second, and answers.
 *
 * Its record is what the trial trusts: the engine cannot write it, so a call made twice is seen.
 */
import { appendFileSync, readFileSync } from "node:fs";

const request = JSON.parse(readFileSync(0, "utf8"));
const record = process.env.PARLEY_TRIAL_RECORD;
if (record)
  appendFileSync(record, `${JSON.stringify({ run: request.run, key: request.key, attempt: request.attempt })}\n`);
await new Promise((resolve) => setTimeout(resolve, Number(process.env.PARLEY_TRIAL_MS ?? 1000)));

const first = request.seat.id === "cautious" ? "wait" : "go";
const revision = {
  agreements: [],
  disagreements: [],
  changedBy:
    request.seat.id === "cautious" ? { argument: "the others checked the rollback", from: null, refs: [] } : null,
};
const reply = {
  position: `${request.seat.id} holds ${request.round === 0 ? first : "go"} in round ${request.round}.`,
  answer: request.round === 0 ? first : "go",
  claims: [],
  caveats: [],
  confidence: 0.8,
  wouldChange: ["a failed rehearsal"],
  verdict: null,
  ...(request.round === 0 ? {} : revision),
};
process.stdout.write(JSON.stringify({ reply, usage: { inputTokens: 100, outputTokens: 50 } }));
