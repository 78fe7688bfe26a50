/** A seat: a place on the panel, and the occupant that fills it. */
import * as z from "zod";
import { Name } from "./names.ts";

/** What fills a seat, resolved so that a run can go on from its record alone: no file is read again on resume. */
export const OccupantSpec = z
  .object({
    name: z.string().min(1).max(500).describe("The occupant as it was named, such as `evidence:dossier.yml`."),
    kind: z.string().describe("The part before the first colon; it chooses the adapter."),
    lineage: z.string().describe("The family behind it: seats of one lineage share their blind spots."),
    settings: z.json().describe("What the adapter needs, with every file it named already read."),
  })
  .meta({ id: "OccupantSpec" });
export type OccupantSpec = z.infer<typeof OccupantSpec>;

export const Seat = z
  .object({
    id: Name.describe("The seat's name in flags, keys and pages."),
    role: z.string().max(200).default("").describe("What the seat looks after, in a word or two."),
    brief: z.string().max(20_000).default("").describe("What the seat is told about its role."),
    rubric: z.string().max(20_000).default("").describe("What the seat is told to judge by."),
    scope: z.array(z.string()).default([]).describe("The evidence refs this seat is shown from the start."),
    weight: z.number().positive().max(100).default(1).describe("The weight of its ballot; 1 unless told."),
    occupant: OccupantSpec,
  })
  .meta({ id: "Seat" });
export type Seat = z.infer<typeof Seat>;
