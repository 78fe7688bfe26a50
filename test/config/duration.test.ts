/** Durations as people write them. */
import { expect, test } from "vitest";
import { parseDuration } from "../../src/config/index.ts";
import { refusal } from "./desk.ts";

test.each([
  ["90s", 90_000],
  ["5m", 300_000],
  ["1h30m", 5_400_000],
  ["250ms", 250],
  ["1.5h", 5_400_000],
  ["30", 30_000],
  ["0.5", 500],
  ["1m250ms", 60_250],
  [" 2d ", 172_800_000],
])("%s is a duration.", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(["", "abc", "-5s", "5 m", "1h30", "0s", "0", "31d", "1e3", "5mm", "NaN", "Infinity", "٣s"])(
  "%j is not.",
  async (text) => {
    await refusal(
      Promise.resolve().then(() => parseDuration(text)),
      "bad-usage",
      JSON.stringify(text),
      "is not a duration",
    );
  },
);
