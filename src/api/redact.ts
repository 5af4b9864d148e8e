/** Takes the API key out of texts of the service, which may echo a request. */

const mark = '[key]';

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
 * entities; in any case, mixed, and encoded more than once.
 */
export function keyRedactor(key: string): (text: string) => string {
  const pattern = new RegExp([...key].map(spellings).join(''), 'giu');
  return (text) => text.replaceAll(pattern, mark);
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
    `\\\\*${escaped(character)}`,
    percent.join(''),
    units.map((unit) => `\\\\+u${unit}`).join(''),
    `\\\\+u\\{0*${hex}\\}`,
    `\\\\+x${hex.padStart(2, '0')}`,
    `&(?:amp;)*#0*${code};?`,
    `&(?:amp;)*#x0*${hex};?`,
    ...(htmlNames[character] ?? []).map((name) => `&(?:amp;)*${name};?`),
  ];
  return `(?:${forms.join('|')})`;
}

function escaped(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
}
