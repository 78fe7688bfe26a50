/**
 * The hash chain: each stored line carries the hash of the line before it and its own.
 *
 * A hash is taken over the exact bytes of the line without its last field, not over a canonical form: what is hashed is what is
 * read, one byte flipped anywhere is found, and `sha256sum` can check it. See docs/decisions.
 */
import { hash } from "node:crypto";
import type { Event, EventBody } from "./events.ts";
import { eventVersion } from "./events.ts";

export const sha256 = (text: string): string => hash("sha256", text, "hex");

/** What the first line of a run names as the line before it. */
export const genesis = "0".repeat(64);

/** A stored event: its place, its hash, and the exact text of its line. */
export type Line = { seq: number; hash: string; text: string };

type Place = { run: string; seq: number; at: number; epoch: number; prev: string };

/** Gives an event its place in the run and seals it; returns the event as it will be read back, and its line. */
export function seal(body: EventBody, place: Place): { event: Event; line: Line } {
  const { run, seq, at, epoch, prev } = place;
  const event = { v: eventVersion, run, seq, at, epoch, ...body, prev } as Event & { prev: string };
  const json = JSON.stringify(event);
  const open = json.slice(0, -1);
  const own = sha256(open);
  return { event, line: { seq, hash: own, text: `${open},"hash":"${own}"}` } };
}

const tail = /,"prev":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"\}$/;
const tailLength = ',"prev":"","hash":""}'.length + 128;

/** Takes a line apart without trusting it; null when it does not end as a sealed line does. */
export function unseal(text: string): { prev: string; hash: string; own: string } | null {
  const match = tail.exec(text.length > tailLength ? text.slice(-tailLength) : text);
  if (!match?.[1] || !match[2]) return null;
  const end = ',"hash":""}'.length + 64;
  return { prev: match[1], hash: match[2], own: sha256(text.slice(0, -end)) };
}
