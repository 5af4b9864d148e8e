/** Makes text from outside fit to be shown: nothing in it is obeyed, and nothing is hidden. */
/** C0, DEL, C1, line separators, zero-width, direction of text, fillers: terminals obey some, others hide the true value. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
/** The same without TAB and line feed. */
const invisibleInLines = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** Joiners and tags that are a part of how a word or an emoji looks. Elsewhere they hide. */
const joiners = /\u200c|\u200d|[\u{e0020}-\u{e007f}]/u;
/** What may stand before and after a joiner: parts of an emoji, or letters of the scripts that are written with joiners. */
const emojiEnd = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;
const emojiStart = /^\p{Extended_Pictographic}/u;
const joining =
  /[\p{Script=Arabic}\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Khmer}\p{Script=Malayalam}\p{Script=Myanmar}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}]/u;
/** England, Scotland and Wales: a black flag, letters of a place, an end. */
const flagStart = /\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6}$/u;

/** One line: shows a line break as `↵`, and characters that hide or reverse text as `\u200b`. */
export function printable(text: string): string {
  return shown(text, invisible).replaceAll('\\u000d↵', '↵');
}

/** Several lines: as `printable`, but keeps TAB and line breaks, as line feeds. */
export function printableLines(text: string): string {
  return shown(text.replaceAll('\r\n', '\n'), invisibleInLines);
}

function shown(text: string, hidden: RegExp): string {
  return text.toWellFormed().replace(hidden, (character, at: number, whole: string) => {
    if (character === '\n') return '↵';
    return joiners.test(character) && belongs(character, at, whole) ? character : visible(character);
  });
}

/** @param at where the joiner stands, in UTF-16 units. */
function belongs(joiner: string, at: number, text: string): boolean {
  const before = text.slice(Math.max(0, at - 16), at);
  if (joiner.length > 1) return flagStart.test(before);
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  if (emojiStart.test(after)) return joiner === '\u200d' && emojiEnd.test(before);
  return joining.test(before.slice(-1)) && joining.test(after);
}

/** JSON with the same meaning that is safe to show: it escapes what JSON allows to stand as it is. */
export function printableJson(json: string): string {
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

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** More accents stand on no letter, in UTF-16 units. */
const longestGrapheme = 64;

/** Cuts a text after `most` UTF-16 units, or before the emoji or accented letter that stands there. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const { index = most } = graphemes.segment(text.slice(0, most + 2)).containing(most) ?? {};
  return `${text.slice(0, most - index < longestGrapheme ? index : most).toWellFormed()}…`;
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

/** Copies a text that is kept for long. A substring would keep the text of its whole row in memory. */
export function detached(text: string): string {
  return Buffer.from(text).toString();
}
