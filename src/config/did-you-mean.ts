/**
 * The nearest known word to one that is not known, so that a slip of the finger is answered with the word that was meant.
 *
 * Only near words are offered: a wild guess sends the reader the wrong way.
 */

/** ` Did you mean "rounds"?`, or nothing when no known word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === null ? "" : ` Did you mean ${JSON.stringify(near)}?`;
}

/** The known word with the fewest slips from this one, if they are few. */
export function nearest(word: string, known: readonly string[]): string | null {
  if (word.length > 100) return null;
  const allowed = word.length <= 3 ? 1 : word.length <= 6 ? 2 : 3;
  let best: string | null = null;
  let least = allowed + 1;
  for (const candidate of known) {
    const slips = distance(word.toLowerCase(), candidate.toLowerCase(), least);
    if (slips < least) [best, least] = [candidate, slips];
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours between two words; any number at or above the limit means "too many". */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = cell(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? cell(before, j - 2) + 1 : limit;
      row.push(Math.min(replaced, swapped, cell(last, j) + 1, cell(row, j - 1) + 1));
    }
    [before, last] = [last, row];
  }
  return cell(last, b.length);
}

const cell = (row: readonly number[], index: number): number => row[index] ?? 0;
