/**
 * The status block: the only code that moves a cursor.
 *
 * It has a fixed number of lines at the foot of the terminal, is never taller than the terminal, and is redrawn at most ten times
 * a second. Everything that lasts is written above it, once, and then left alone: whole-screen redraws flicker and lose the scroll.
 */
import type { Output } from "./output.ts";

const redrawMs = 100;
const up = (lines: number): string => (lines > 0 ? `\x1b[${lines}A` : "");
const startOfLine = "\r";
const clearBelow = "\x1b[0J";
const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";

export type LiveBlock = {
  /** Something changed: the block will be drawn again soon. */
  changed(): void;
  /** Takes the block away for good. */
  close(): void;
};

/** Draws what `lines` returns at the foot of the terminal until it is closed. */
export function liveBlock(out: Output, lines: () => readonly string[]): LiveBlock {
  let drawn = 0;
  let open = true;
  let dirty = true;

  const erase = () => {
    if (drawn > 0) out.draw(`${startOfLine}${up(drawn)}${clearBelow}`);
    drawn = 0;
  };
  const draw = () => {
    if (!open) return;
    const shown = lines().slice(0, out.remarkHeight() - 1);
    const top = drawn > 0 ? `${startOfLine}${up(drawn)}${clearBelow}` : "";
    out.draw(`${hideCursor}${top}${shown.map((line) => `${line}\n`).join("")}${showCursor}`);
    drawn = shown.length;
    dirty = false;
  };

  // The seconds in the block move on even when nothing happens, so a still block is drawn again once a second.
  let ticks = 0;
  const timer = setInterval(() => {
    ticks++;
    if (dirty || ticks % (1000 / redrawMs) === 0) draw();
  }, redrawMs);
  timer.unref();
  out.around = { before: erase, after: () => (dirty = true) };

  return {
    changed: () => {
      dirty = true;
    },
    close: () => {
      if (!open) return;
      open = false;
      clearInterval(timer);
      out.around = null;
      erase();
    },
  };
}
