/** Takes the API key out of texts of the service, which may echo a request. */

const mark = '[key]';
/** Bounds the time that a text takes: nobody is shown more of it. */
const longestText = 20_000;
/** Escaped five times, a character has 31 backslashes. An unbounded number would take quadratic time. */
const backslashes = '\\\\{1,32}';

/** Characters that HTML knows by name. */
const htmlNames: Readonly<Record<string, readonly string[]>> = {
  '&': ['amp'],
  '<': ['lt'],
  '>': ['gt'],
  '"': ['quot'],
  "'": ['apos'],
};

/**
 * Makes a function that replaces the key in every spelling: plain, with backslashes or `\u` escapes, percent-encoded, as HTML
 * entities; in any case, mixed, and encoded more than once. A long text is cut.
 */
export function keyRedactor(key: string): (text: string) => string {
  const pattern = new RegExp([...key].map(spellings).join(''), 'giu');
  return (text) => {
    if (text.length <= longestText) return text.replaceAll(pattern, mark);
    // The cut may leave a part of the key at its end.
    return text
      .slice(0, longestText)
      .replaceAll(pattern, mark)
      .slice(0, longestText / 2);
  };
}

/** A pattern for every spelling of one character. */
function spellings(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const percent = [...Buffer.from(character)].map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`);
  const units = [...Array(character.length).keys()].map((index) =>
    character.charCodeAt(index).toString(16).padStart(4, '0'),
  );
  const forms = [
    `(?:${backslashes})?${escaped(character)}`,
    percent.join(''),
    units.map((unit) => `${backslashes}u${unit}`).join(''),
    `${backslashes}u\\{0*${hex}\\}`,
    `${backslashes}x${hex.padStart(2, '0')}`,
    `&(?:amp;)*#0*${code};?`,
    `&(?:amp;)*#x0*${hex};?`,
    ...(htmlNames[character] ?? []).map((name) => `&(?:amp;)*${name};?`),
  ];
  return `(?:${forms.join('|')})`;
}

function escaped(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
}
