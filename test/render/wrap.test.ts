import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { count, share, span, usd } from "../../src/render/figures.ts";
import { cut, pad, width, wrap } from "../../src/render/wrap.ts";

describe("width", () => {
  test("Wide characters take two columns and marks none.", () => {
    expect(width("abc")).toBe(3);
    expect(width("日本")).toBe(4);
    expect(width("한글")).toBe(4);
    expect(width("e\u0301")).toBe(1);
    expect(width("🎉")).toBe(2);
    expect(width("⚠ ✓ … → │ ·")).toBe(11);
  });
});

describe("wrap", () => {
  test("Lines break at spaces, at their own newlines, and inside words too long for a line.", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("a\n\n\n\nb\n", 7)).toEqual(["a", "", "b"]);
    expect(wrap("abcdefghij kl", 4)).toEqual(["abcd", "efgh", "ij", "kl"]);
    expect(wrap("", 7)).toEqual([]);
  });

  test("No line is wider than asked, and no word is lost.", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 4, max: 40 }), (text, columns) => {
        const lines = wrap(text, columns);
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns);
        expect(lines.join("").replace(/[ \t\n]/g, "")).toBe(text.replace(/[ \t\n]/g, ""));
      }),
    );
  });

  test("Cutting and padding count columns.", () => {
    expect(cut("日本語", 5)).toBe("日本…");
    expect(cut("abc", 3)).toBe("abc");
    expect(cut("abc", 0)).toBe("");
    expect(pad("日", 4)).toBe("日  ");
  });
});

describe("figures", () => {
  test("Shares, counts, money and spans read as people write them.", () => {
    expect([share(0.671), share(1), share(0), share(null)]).toEqual([".67", "1.00", ".00", "—"]);
    expect([count(0), count(1_234), count(1_234_567)]).toEqual(["0", "1,234", "1,234,567"]);
    expect([usd(0), usd(0.42), usd(0.0004), usd(1_234.5)]).toEqual(["$0.00", "$0.42", "$0.00040", "$1,234.50"]);
    expect([span(840), span(5_200), span(42_000), span(134_000), span(3_720_000)]).toEqual([
      "840 ms",
      "5.2 s",
      "42 s",
      "2m14s",
      "1h02m",
    ]);
  });
});
