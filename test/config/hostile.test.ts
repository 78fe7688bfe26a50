/** Hostile files: whatever stands in a case, intake gives a plan or a refusal, and never anything else. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { plan } from "../../src/config/index.ts";
import { ParleyError } from "../../src/errors.ts";
import { debate, newDesk } from "./desk.ts";

const sound = `title: T
question: Which one?
options: [alpha, beta]
with: {rounds: 2}
evidence:
  - {ref: e1, text: &t Some words, supports: alpha, strength: 2}
  - ref: e2
    text: *t
panel:
  seats:
    - {id: ann, role: guard, occupant: person, evidence: [e1], weight: 2}
    - id: bob
      occupant: {name: "person:Bob", lineage: kin}
  judge: [code:judge]
budget: {maxTime: 5m, quorum: 2}
seed: 7
best: alpha
`;
const scraps = [
  "\n",
  "  ",
  ": ",
  "- ",
  "[",
  "]",
  "{",
  "}",
  "&t ",
  "*t",
  "!!",
  "|",
  ">",
  "#",
  "null",
  "~",
  "-1",
  "1e999",
  "'",
  '"',
  "\t",
  "\u202e",
  "__proto__: ",
  "<<: *t",
  "0x",
  "%",
  "@",
  "`",
  "? ",
];
const edit = fc.record({ at: fc.nat(sound.length), cut: fc.nat(12), put: fc.constantFrom(...scraps) });

test("A case with any edits is planned or refused with a code and a next step.", async () => {
  const desk = newDesk();
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 4 }), async (edits) => {
      const text = edits.reduce((now, { at, cut, put }) => now.slice(0, at) + put + now.slice(at + cut), sound);
      desk.lay("case.yml", text);
      const args = {
        cwd: desk.cwd,
        env: desk.env,
        protocol: "debate",
        protocols: { debate },
        target: "case.yml",
        stdin: null,
      };
      const outcome: unknown = await plan({ ...args, flags: {}, confirm: null }).catch((thrown: unknown) => thrown);
      if (outcome instanceof Error) {
        expect(
          ParleyError.is(outcome) && outcome.code !== "internal" && outcome.hint,
          String(outcome.stack),
        ).toBeTruthy();
        outcomes.add((outcome as ParleyError).code);
      } else outcomes.add("planned");
    }),
    { numRuns: 400, examples: [[[]]] },
  );
  expect(outcomes).toContain("planned");
  expect(outcomes).toContain("bad-config");
});
