/**
 * The only place that writes to stdout and stderr.
 *
 * stdout carries the answer and nothing else; everything for the person who waits goes to stderr. Text that a renderer did not
 * format is made safe here, and on a stream without colour everything is, so no escape byte reaches a pipe or a file unless
 * FORCE_COLOR asks for it.
 */
import { styleText } from "node:util";
import { type Paint, plainPaint } from "../../render/paint.ts";
import { safe, safeJson } from "../../render/safe.ts";
import type { Io, OutputStream } from "./io.ts";

/** What writes to the two streams, and how. */
export type Output = {
  readonly json: boolean;
  readonly quiet: boolean;
  /** How the answer may be emphasised. */
  readonly answerPaint: Paint;
  /** How remarks may be emphasised. */
  readonly remarkPaint: Paint;
  /** How wide a line on stdout and on stderr may be. */
  readonly answerWidth: number;
  remarkWidth(): number;
  remarkHeight(): number;
  /** True when stderr is a terminal whose cursor may be moved. */
  readonly liveTerminal: boolean;
  /** Writes the answer, as a renderer formatted it. */
  answer(text: string): void;
  /** Writes one JSON value as the whole answer. */
  answerJson(value: unknown): void;
  /** Writes a line of the record: its exact bytes, except on a terminal, where what acts on displays is escaped. */
  answerLine(text: string): void;
  /** Says something to the person: made safe, one paragraph. */
  say(text: string): void;
  /** Says something a renderer formatted. */
  remark(text: string): void;
  /** The same unless `--quiet`. */
  mention(text: string): void;
  /** Writes cursor codes and what lies between them; only `live.ts` may. */
  draw(codes: string): void;
  /** Runs before each remark, so that the status block can step aside and come back. */
  around: { before(): void; after(): void } | null;
};

type Choices = { json?: boolean | undefined; quiet?: boolean | undefined; color?: boolean | undefined };

/** Makes the output of one call; the choices are the global flags. */
export function createOutput(io: Io, choices: Choices): Output {
  const answers = writer(io.stdout);
  // On one terminal both streams share the screen, so the status block steps aside for the answer too.
  const stdout = (text: string) => {
    if (io.stdout.isTTY) output.around?.before();
    answers(text);
    if (io.stdout.isTTY) output.around?.after();
  };
  const stderr = writer(io.stderr);
  const answerColour = colourOf(io, io.stdout, choices.color);
  const remarkColour = colourOf(io, io.stderr, choices.color);
  const json = choices.json === true;
  const quiet = choices.quiet === true || isSet(io.env.AI_AGENT);
  const output: Output = {
    json,
    quiet,
    answerPaint: answerColour ? colours : plainPaint,
    remarkPaint: remarkColour ? colours : plainPaint,
    answerWidth: widthOf(io.stdout),
    remarkWidth: () => widthOf(io.stderr),
    remarkHeight: () => Math.max(2, io.stderr.rows ?? 24),
    liveTerminal: io.stderr.isTTY === true && !dumb(io) && !isSet(io.env.CI) && !isSet(io.env.ACCESSIBLE) && !quiet,
    around: null,
    answer: (text) => stdout(ended(answerColour ? text : safe(text))),
    answerJson: (value) => stdout(`${safeJson(JSON.stringify(value, null, io.stdout.isTTY ? 2 : undefined))}\n`),
    answerLine: (text) => stdout(`${io.stdout.isTTY ? safeJson(text) : text}\n`),
    say: (text) => output.remark(safe(text)),
    remark: (text) => {
      output.around?.before();
      stderr(ended(remarkColour ? text : safe(text)));
      output.around?.after();
    },
    mention: (text) => {
      if (!quiet) output.remark(text);
    },
    draw: (codes) => {
      if (output.liveTerminal) stderr(codes);
    },
  };
  return output;
}

/** The order is ours: an explicit no, then NO_COLOR, then FORCE_COLOR, and only then what the stream is. */
function colourOf(io: Io, stream: OutputStream, flag: boolean | undefined): boolean {
  if (flag === false || isSet(io.env.NO_COLOR)) return false;
  if (isSet(io.env.FORCE_COLOR)) return io.env.FORCE_COLOR !== "0" && io.env.FORCE_COLOR !== "false";
  return stream.isTTY === true && !dumb(io);
}

const colours: Paint = (style, text) => styleText(style, text, { validateStream: false });

const isSet = (value: string | undefined): boolean => value !== undefined && value !== "";

const dumb = (io: Io): boolean => io.env.TERM === "dumb";

const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

function widthOf(stream: OutputStream): number {
  return Math.min(120, Math.max(40, stream.isTTY ? (stream.columns ?? 80) : 100));
}

/** A reader that closed its end, as `head` does, is no failure: the rest is dropped in silence. */
function writer(stream: OutputStream): (text: string) => void {
  let closed = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    closed = true;
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") throw error;
  });
  return (text) => {
    if (!closed && text !== "") stream.write(text);
  };
}
