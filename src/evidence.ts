/**
 * Evidence: items with a ref, hashed at intake and kept in the record, so a citation can be checked by code for as long as the
 * record lives. A citation is `ref` or `ref#quote`; a quote must match byte for byte.
 */
import * as z from "zod";

/** Largest single item, in characters; larger material belongs in several items that can be cited apart. */
export const evidenceLimit = 256_000;

export const EvidenceItem = z
  .object({
    ref: z.string().min(1).max(64).describe("The name it is cited by."),
    text: z.string().min(1).max(evidenceLimit).describe("What it says, word for word."),
    hash: z.string().describe("SHA-256 of the text."),
    supports: z.string().nullable().default(null).describe("The answer it speaks for, where its reader knows."),
    against: z.string().nullable().default(null).describe("The answer it speaks against."),
    strength: z.number().min(0).max(10).default(1).describe("How strongly it speaks, 0 to 10."),
    criterion: z.string().nullable().default(null).describe("What it bears on: cost, safety, speed …"),
    source: z
      .object({ path: z.string(), hash: z.string() })
      .nullable()
      .default(null)
      .describe("The file it was read from, and that file's SHA-256."),
  })
  .meta({ id: "EvidenceItem" });
export type EvidenceItem = z.infer<typeof EvidenceItem>;

/** A citation as code sees it: usable, or with the reason why it does not count. */
export type Citation = { cite: string; ref: string; why: string | null };

/** Checks that a cited ref exists, was visible to the citer, and that its quote matches byte for byte. */
export function checkCitation(
  cite: string,
  evidence: ReadonlyMap<string, EvidenceItem>,
  visible: ReadonlySet<string>,
): Citation {
  const at = cite.indexOf("#");
  const ref = at < 0 ? cite : cite.slice(0, at);
  const quote = at < 0 ? null : cite.slice(at + 1);
  const item = evidence.get(ref);
  if (!item) return { cite, ref, why: "no such evidence" };
  if (!visible.has(ref)) return { cite, ref, why: "not visible to the citer" };
  if (quote !== null && !item.text.includes(quote)) return { cite, ref, why: "the quote is not in the text" };
  return { cite, ref, why: null };
}
