/** How deeply a JSON text is nested, told by one pass over its characters: text that is too deep must never reach a parser that recurses. */

export function jsonDepth(text: string): number {
  let level = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 92) i++;
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 123 || char === 91) deepest = Math.max(deepest, ++level);
    else if (char === 125 || char === 93) level--;
  }
  return deepest;
}
