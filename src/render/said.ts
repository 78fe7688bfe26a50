/** Reading what a seat said without trusting its shape: a field is there with the right type, or it is not there. */

export function textOf(said: unknown, name: string): string | null {
  const value = fieldOf(said, name);
  return typeof value === "string" ? value : null;
}

export function numberOf(said: unknown, name: string): number | null {
  const value = fieldOf(said, name);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** A list of texts; anything else in it is left out. */
export function listOf(said: unknown, name: string): string[] {
  return itemsOf(said, name).filter((item) => typeof item === "string");
}

export function itemsOf(said: unknown, name: string): unknown[] {
  const value = fieldOf(said, name);
  return Array.isArray(value) ? value : [];
}

function fieldOf(said: unknown, name: string): unknown {
  return typeof said === "object" && said !== null && Object.hasOwn(said, name)
    ? (said as Record<string, unknown>)[name]
    : undefined;
}
