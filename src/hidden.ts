/** Characters that cannot be seen or that act on a display: one class for prompts, answers, trust and everything that is shown. */

/** Controls, format characters, lone surrogates, separators of lines and paragraphs, fillers, selectors and tags. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/v;
const everyHidden = new RegExp(hidden.source, "gv");

/** Most text is plain ASCII, and this tells so sooner than the classes of Unicode do. */
const beyondAscii = /[^\x20-\x7e]/;

/** JSON that parses to the same value and in which everything can be seen. */
export function visibleJson(json: string): string {
  if (!beyondAscii.test(json)) return json;
  return json.replace(everyHidden, (character) => {
    let escaped = "";
    for (let i = 0; i < character.length; i++) escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
    return escaped;
  });
}

/** The text without them: what two answers are compared by. */
export function withoutHidden(text: string): string {
  return beyondAscii.test(text) ? text.replace(everyHidden, (character) => (/\s/.test(character) ? " " : "")) : text;
}
