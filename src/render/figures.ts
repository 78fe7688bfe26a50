/** Figures as people read them: shares, counts, money, spans and times of day. All in one place, so that every view rounds alike. */

/** A share or a confidence: `.67`, `1.00`; a dash when there is none. */
export function share(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return "—";
  return value.toFixed(2).replace(/^(-?)0\./, "$1.");
}

/** A whole number with its thousands apart: `1,234`. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A number and its noun: `1 call`, `2 calls`. */
export function many(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** US dollars, with as many digits as a small amount needs. */
export function usd(value: number): string {
  if (value > 0 && value < 0.01)
    return `$${value.toPrecision(2).includes("e") ? value.toFixed(8) : value.toPrecision(2)}`;
  return `$${value.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",")}`;
}

/** A span of time: `840 ms`, `5.2 s`, `2m14s`, `1h02m`. */
export function span(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < 1000) return `${whole} ms`;
  if (whole < 9_950) return `${(whole / 1000).toFixed(1)} s`;
  const seconds = Math.round(whole / 1000);
  if (seconds < 60) return `${seconds} s`;
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  return `${count(Math.floor(seconds / 3600))}h${two(Math.floor((seconds % 3600) / 60))}m`;
}

/** The time of day in UTC: `14:02:11`. */
export function clock(at: number): string {
  return iso(at).slice(11, 19);
}

/** The day in UTC: `2026-11-15`. */
export function day(at: number): string {
  return iso(at).slice(0, 10);
}

/** Milliseconds since 1970 in UTC; a record can hold any number, so one beyond the calendar is shown as its beginning. */
export function iso(at: number): string {
  return new Date(Math.abs(at) <= 8.64e15 ? at : 0).toISOString();
}
