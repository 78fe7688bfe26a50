/**
 * Asking a person at a terminal, one line at a time.
 *
 * Lines are read as the terminal delivers them, without raw mode, so that interrupting works as everywhere else. Two seats that are
 * people take turns at the one keyboard: a second waits until the first is done.
 */
import { createInterface } from "node:readline";
import { SeatError } from "../../errors.ts";
import { safe } from "../../render/safe.ts";
import { abortedBy } from "./waiting.ts";

export type Streams = {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean };
};

/** How often a person is asked the same thing before the turn is given up. */
const tries = 5;
const linesLimit = 200;

/** A conversation with the person: everything shown is made safe here and nowhere else. */
export class Terminal {
  readonly #streams: Streams;
  readonly #next: () => Promise<string>;

  constructor(streams: Streams, next: () => Promise<string>) {
    this.#streams = streams;
    this.#next = next;
  }

  show(text: string): void {
    this.#streams.output.write(`${safe(text)}\n`);
  }

  /** One line, trimmed; it may be empty. */
  async line(prompt: string): Promise<string> {
    this.#streams.output.write(`${safe(prompt)} `);
    return (await this.#next()).trim();
  }

  /** One line that `read` can make something of; what it cannot use, it explains by throwing. */
  async read<Value>(prompt: string, read: (line: string) => Value): Promise<Value> {
    for (let attempt = 0; attempt < tries; attempt++) {
      const line = await this.line(prompt);
      try {
        return read(line);
      } catch (problem) {
        this.show(`  ${problem instanceof Error ? problem.message : String(problem)}`);
      }
    }
    throw new SeatError("malformed", `Asked ${tries} times, the person gave nothing that could be used for: ${prompt}`);
  }

  /** Lines up to the first empty one. */
  async lines(prompt: string): Promise<string[]> {
    const lines: string[] = [];
    while (lines.length < linesLimit) {
      const line = await this.line(lines.length === 0 ? prompt : "  …");
      if (line === "") break;
      lines.push(line);
    }
    return lines;
  }
}

let keyboard: Promise<unknown> = Promise.resolve();

/** Has the keyboard to itself for the length of a conversation; ends it at once when the call is aborted or the input closes. */
export function converse<Value>(
  streams: Streams,
  signal: AbortSignal,
  talk: (terminal: Terminal) => Promise<Value>,
): Promise<Value> {
  const turn = keyboard.then(() => hold(streams, signal, talk));
  keyboard = turn.catch(() => {});
  return turn;
}

async function hold<Value>(
  streams: Streams,
  signal: AbortSignal,
  talk: (terminal: Terminal) => Promise<Value>,
): Promise<Value> {
  if (signal.aborted) throw abortedBy(signal);
  const reader = createInterface({ input: streams.input, terminal: false });
  const waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];
  const typed: string[] = [];
  let over: Error | null = null;
  const end = (error: Error) => {
    over ??= error;
    for (const one of waiting.splice(0)) one.reject(over);
  };
  const stop = () => end(abortedBy(signal));
  reader.on("line", (line) => {
    const one = waiting.shift();
    if (one) one.resolve(line);
    else typed.push(line);
  });
  reader.on("close", () => end(new SeatError("refused", "The person closed the input without answering.")));
  signal.addEventListener("abort", stop, { once: true });
  const next = () =>
    new Promise<string>((resolve, reject) => {
      const line = typed.shift();
      if (line !== undefined) resolve(line);
      else if (over) reject(over);
      else waiting.push({ resolve, reject });
    });
  try {
    return await talk(new Terminal(streams, next));
  } finally {
    signal.removeEventListener("abort", stop);
    reader.close();
  }
}
