/** Seeded chance: the same seed and key give the same order on every machine, so a replay shows what the run showed. */

/** A generator of numbers in [0, 1) from a seed and a key (xmur3 to seed, then sfc32). */
export function chance(seed: string, key: string): () => number {
  let h = 1779033703 ^ (seed.length + key.length);
  const text = `${seed}\u0000${key}`;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 3432918353);
    h = (h << 13) | (h >>> 19);
  }
  const next = () => {
    h = Math.imul(h ^ (h >>> 16), 2246822507);
    h = Math.imul(h ^ (h >>> 13), 3266489909);
    h ^= h >>> 16;
    return h >>> 0;
  };
  let a = next();
  let b = next();
  let c = next();
  let d = next();
  return () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4294967296;
  };
}

/** A shuffled copy (Fisher and Yates), in an order that the seed and the key alone decide. */
export function shuffled<T>(items: readonly T[], seed: string, key: string): T[] {
  const result = [...items];
  const roll = chance(seed, key);
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(roll() * (i + 1));
    const held = result[i] as T;
    result[i] = result[j] as T;
    result[j] = held;
  }
  return result;
}
