/**
 * Paint: how a renderer asks for emphasis without knowing about terminals.
 *
 * Renderers name a style and the surface decides what it means, so no file here ever holds an escape byte and a plain
 * rendering differs from a painted one in emphasis alone.
 */

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Gives a piece of text a style; text is painted after it was made safe, wrapped and cut. */
export type Paint = (style: Style, text: string) => string;

/** No emphasis at all: for pipes, files and tests. */
export const plainPaint: Paint = (_style, text) => text;
