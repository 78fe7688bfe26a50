import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { oneLine, safe, safeJson } from "../../src/render/safe.ts";
import { width } from "../../src/render/wrap.ts";
import { acting, payload } from "./hostile.ts";

/** Strings of any code units, lone surrogates included, rich in the characters that matter here. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(
        "\x1b",
        "\r",
        "\n",
        "\t",
        "\u009b",
        "\u202e",
        "\u200d",
        "\u200c",
        "\u{e0041}",
        "a",
        "ع",
        "👩",
        "💻",
        "\\",
        "\ud800",
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

describe("safe", () => {
  test("What acts on a display is shown as an escape.", () => {
    expect(safe("a\x1b[2Jb")).toBe("a\\x1b[2Jb");
    expect(safe("\u009b31m\x7f\x07")).toBe("\\x9b31m\\x7f\\x07");
    expect(safe("ok\rFAKE")).toBe("ok\\rFAKE");
    expect(safe("\u202egpj\u2066\u061c\u200f")).toBe("\\u202egpj\\u2066\\u061c\\u200f");
  });

  test("What cannot be seen is shown too.", () => {
    expect(safe("a\u200bb\u2060\ufeff\u180e\u00ad")).toBe("a\\u200bb\\u2060\\ufeff\\u180e\\xad");
    expect(safe("\u{e0041}\u{e0100}\u2028\u3164\ud800")).toBe("\\u{e0041}\\u{e0100}\\u2028\\u3164\\ud800");
  });

  test("Joiners stay where a script or an emoji needs them, and are shown where they can only disguise a word.", () => {
    expect(safe("می\u200cخواهم 👩\u200d💻 ❤\ufe0f")).toBe("می\u200cخواهم 👩\u200d💻 ❤\ufe0f");
    expect(safe("ad\u200dmin")).toBe("ad\\u200dmin");
    expect(safe("ع\u200d\u200dع")).toBe("ع\\u200d\\u200dع");
    expect(safe("ع\u200d\u3164")).toBe("ع\\u200d\\u3164");
    expect(safe("❤\ufe0f\u200d🔥")).toBe("❤\ufe0f\u200d🔥");
  });

  test("Ordinary text of any script comes back as it is.", () => {
    const text = "Ordinary\ttext, naïve 日本語 العربية हिन्दी 🎉\nsecond line — “quoted” \\x1b";
    expect(safe(text)).toBe(text);
  });

  test("Newlines are kept unless told.", () => {
    expect(safe("a\nb")).toBe("a\nb");
    expect(safe("a\nb", { keepNewlines: false })).toBe("a\\nb");
  });

  test("No text comes through with a character that acts, and making it safe twice changes nothing.", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = safe(text);
        expect(shown).not.toMatch(acting);
        expect(safe(shown)).toBe(shown);
      }),
      { numRuns: 2_000 },
    );
  });

  test("Safe JSON parses to the exact strings.", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = safeJson(JSON.stringify({ [text]: [text] }));
        expect(json).not.toMatch(acting);
        expect(JSON.parse(json)).toEqual({ [text]: [text] });
      }),
    );
  });
});

describe("oneLine", () => {
  test("Lines are folded and what is too long is cut.", () => {
    expect(oneLine("  one\n\ttwo   three ", 40)).toBe("one two three");
    expect(oneLine("one two three", 8)).toBe("one two…");
    expect(oneLine("日本語日本語", 7)).toBe("日本語…");
  });

  test("Whatever the text, it is one safe line within its limit.", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constant(payload)), fc.integer({ min: 1, max: 60 }), (text, limit) => {
        const line = oneLine(text, limit);
        expect(line).not.toMatch(acting);
        expect(line).not.toMatch(/[\n\t]/);
        expect(width(line)).toBeLessThanOrEqual(limit);
      }),
    );
  });

  test("Marks without width do not let a text of any length through.", () => {
    expect(oneLine(`a${"\u0301".repeat(10_000)}`, 10).length).toBeLessThan(50);
  });
});
