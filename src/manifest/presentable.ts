/** Makes text from outside fit to be shown: nothing in it is obeyed, and nothing is hidden. */

/** C0, DEL, C1, line separators, zero-width, direction of text, fillers: terminals obey some, others hide the true value. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
/** The same without TAB and line feed. */
const invisibleInLines = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** One line: shows invisible characters, line breaks too, as `\u200b`. */
export function presentable(text: string): string {
  return text.toWellFormed().replace(invisible, visible);
}

/** Several lines: as `presentable`, but keeps TAB and line feed. */
export function presentableLines(text: string): string {
  return text.toWellFormed().replace(invisibleInLines, visible);
}

/** JSON with the same meaning that is safe to show: it escapes what JSON allows to stand as it is. */
export function presentableJson(json: string): string {
  return json.replace(invisibleInLines, (character) =>
    [...Array(character.length).keys()].map((unit) => escaped(character.charCodeAt(unit))).join(''),
  );
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : escaped(code);
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** A size for people: `412 KB`, `1.5 MB`, `18.4 GB`. */
export function describeSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  const [unit, size] = bytes < 1e9 ? (['MB', 1e6] as const) : (['GB', 1e9] as const);
  return `${(Math.round((bytes / size) * 10) / 10).toLocaleString('en')} ${unit}`;
}

/** `The cover is 24 MB; the limit is 20 MB.`; without the size if that would look the same. */
export function describeExcess(what: string, bytes: number, most: number): string {
  const [size, limit] = [describeSize(bytes), describeSize(most)];
  return size === limit
    ? `${what} is over the limit of ${limit}.`
    : `${what} is ${size}; the limit is ${limit}.`;
}
