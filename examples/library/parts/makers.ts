/** Small makers that keep the library examples short: a seat, and an item of evidence with its hash. */
import { createHash } from "node:crypto";
import { EvidenceItem, type OccupantSpec, Seat } from "../../../src/index.ts";

export function seat(id: string, occupant: OccupantSpec, scope: string[] = []): Seat {
  return Seat.parse({ id, occupant, scope });
}

export function evidence(ref: string, text: string, weight: { supports: string; strength: number }): EvidenceItem {
  return EvidenceItem.parse({ ref, text, hash: createHash("sha256").update(text).digest("hex"), ...weight });
}
