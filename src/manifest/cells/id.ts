/** Judges ids of the service: what else a text is, and which id it surely stands for. Keys, which identify rows for people and in sheets. */

import { hash } from 'node:crypto';
import { detached } from '../printable.ts';
import { maxIdLength } from '../sheet-bounds.ts';

/** Why a text cannot be kept as one word, such as a key. */
type WordFault = 'scientific' | 'invisible' | 'space' | 'too_long';
export type IdFault = WordFault | 'link' | 'number' | 'character';

/** Nearly all ids: no rule needs to look at them. */
const plainId = /^[A-Za-z0-9_@-]+$/;
const visible = /^[\x21-\x7e]+$/;
/** `1.72943E+18`. Some programs write no `+`: then only a fraction tells it from a word such as `4E7`. */
const scientific = /^\d{1,3}(?:[.,]\d{1,20}E\+?|E\+)\d{1,3}$/i;
/** Control and format characters (zero-width, direction of text), line separators, fillers and variation selectors. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\p{Variation_Selector}\ufffd]/u;

/** Programs turn long ids into `1.72943E+18`, which has lost digits; invisible characters make different ids look alike. */
export function findWordFault(text: string): WordFault | null {
  if (text.length > maxIdLength) return 'too_long';
  if (visible.test(text)) return scientific.test(text) ? 'scientific' : null;
  if (invisible.test(text)) return 'invisible';
  return /\s/.test(text) ? 'space' : null;
}

/** Marks of texts and numbers in front, what addresses and lists are made of, and signs that look like one of ASCII. */
const foreign = /^['"#=]|[/:?&\\|,;]|[^\p{L}\p{M}\p{N}\x21-\x7e]/u;

/** Finds why a text is not an id of the service. */
export function findIdFault(text: string): IdFault | null {
  if (text.length <= maxIdLength && plainId.test(text)) return null;
  if (isLink(text)) return 'link';
  const fault = findWordFault(text);
  if (fault === 'too_long' || fault === 'scientific' || fault === 'invisible') return fault;
  if (readFormatted(text) !== null) return 'number';
  return fault ?? (foreign.test(text) ? 'character' : null);
}

/** The first character of a text that no id has. */
export function foreignCharacter(text: string): string {
  return foreign.exec(text)?.[0] ?? '';
}

/** The number behind marks that no id has, such as `#` or quotes; undefined if there is none. */
export function numberInMarks(text: string): string | undefined {
  return /^[#'"=]{1,3}(\d+)['"]?$/.exec(text)?.[1];
}

/** The id between invisible characters, which come along when it is copied; undefined if they stand within it, or it is none. */
export function withoutInvisibleEnds(text: string): string | undefined {
  const characters = [...text];
  const isHidden = (character: string) => /^[\p{Cf}\p{Variation_Selector}]$/u.test(character);
  const from = characters.findIndex((character) => !isHidden(character));
  const rest = characters.slice(from, characters.findLastIndex((character) => !isHidden(character)) + 1);
  const id = rest.join('').trim();
  return from >= 0 && findIdFault(id) === null ? id : undefined;
}

/** Between groups of digits, or before a fraction. */
const mark = /[.,'’\s]/g;

/** `7025.0`, `1,729,560`, `17,29,560`, other scripts. @returns `null` for none; `digits` only for one reading (`1.000`: two). */
export function readFormatted(text: string): { readonly digits: string | undefined } | null {
  const plain = visible.test(text) ? text : withPlainDigits(text.normalize('NFKC'));
  if (plain !== text && /^\d+$/.test(plain)) return { digits: plain };
  if (!/^\d[\d.,'’\s]*\d$/.test(plain)) return null;
  const parts = plain.split(mark);
  const marks = plain.match(mark) ?? [];
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  const isOneMark = new Set(marks).size === 1;
  if (marks.length === 1 && /[.,]/.test(plain)) {
    const isZero = /^0+$/.test(last);
    const isGroup = last.length === 3 && first.length <= 3 && first !== '0';
    if (isGroup) return { digits: isZero ? undefined : first + last };
    return { digits: isZero ? first : undefined };
  }
  if (isOneMark) return areGroups(parts) ? { digits: parts.join('') } : null;
  const [end = ''] = marks.slice(-1);
  const whole = parts.slice(0, -1);
  const isFraction = /[.,]/.test(end) && new Set(marks.slice(0, -1)).size === 1 && areGroups(whole);
  if (!isFraction || marks.slice(0, -1).includes(end)) return null;
  return { digits: /^0+$/.test(last) ? whole.join('') : undefined };
}

/** The text with digits of any script as ASCII digits. */
function withPlainDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    // The ten digits of a script follow each other.
    const code = digit.codePointAt(0) ?? 0;
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
    return String(value);
  });
}

/** Groups of three digits; in India, of two before the last three. */
function areGroups(parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.at(-1)?.length;
  const between = new Set(rest.slice(0, -1).map(({ length }) => length));
  if (last !== 3 || first.startsWith('0')) return false;
  if (between.size === 0) return first.length >= 1 && first.length <= 3;
  if (between.size > 1) return false;
  return between.has(3) ? first.length >= 1 && first.length <= 3 : between.has(2) && /^\d{1,2}$/.test(first);
}

const scheme = /^[a-z][a-z0-9+.-]{0,20}:\/\//i;
/** Longer texts are no address of a page. */
const longestLink = 4096;

/** Whether a text is the address of a page, with its scheme or without. */
export function isLink(text: string): boolean {
  if (text.length > longestLink) return false;
  if (scheme.test(text) || text.startsWith('//') || /^www\./i.test(text)) return true;
  const slash = text.indexOf('/');
  return slash > 0 && /^[a-z0-9.-]+\.[a-z]{2,20}$/i.test(text.slice(0, slash));
}

/** The parts of a link; `null` for a text of several links, or a broken one. */
function parseLink(text: string): URL | null {
  // URLs lose their line breaks when they are parsed.
  if (/\s/.test(text) || invisible.test(text)) return null;
  if (text.startsWith('//')) return URL.parse(`https:${text}`);
  return URL.parse(scheme.test(text) ? text : `https://${text}`);
}

/** The parts of a path, decoded; empty if they cannot be. */
function segmentsOf({ pathname }: URL): readonly string[] {
  try {
    return pathname.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** What stands before an id in an address. */
const kinds = /^(?:products?|items?|goods|pdp|dp|p|music)$/i;
const namedKeys = /^(?:product|item|goods|music)_?id$/i;
const longNumber = /^\d{6,30}$/;

/** The number at the end of a part of a path, such as `mug-1730000417.html`. */
function numberAtEnd(segment: string): string | undefined {
  const dot = segment.lastIndexOf('.');
  const name = dot >= segment.length - 6 && dot >= 0 ? segment.slice(0, dot) : segment;
  const end = name.slice(Math.max(name.lastIndexOf('-'), name.lastIndexOf('_')) + 1);
  return longNumber.test(end) ? end : undefined;
}

/** The number in a link that may be the id; undefined for none, or several candidates. */
export function numberInLink(text: string): string | undefined {
  const url = isLink(text) ? parseLink(text) : null;
  if (url === null) return undefined;
  const segments = segmentsOf(url);
  const inPath = segments.flatMap((segment, index) => {
    const number = numberAtEnd(segment);
    return number === undefined ? [] : [{ number, isNamed: kinds.test(segments[index - 1] ?? '') }];
  });
  const inQuery = [...url.searchParams].flatMap(([key, value]) => {
    const isNamed = namedKeys.test(key);
    return (isNamed || /^id$/i.test(key)) && longNumber.test(value) ? [{ number: value, isNamed }] : [];
  });
  const all = [...inPath, ...inQuery];
  const named = all.filter(({ isNamed }) => isNamed);
  const found = new Set((named.length > 0 ? named : all).map(({ number }) => number));
  return found.size === 1 ? [...found][0] : undefined;
}

interface LinkedName {
  /** The username with its `@`. */
  readonly name: string;
  /** Whether the link leads to the profile itself, not to one of its videos. */
  readonly isProfile: boolean;
}

/** The username in a link such as `https://www.tiktok.com/@mia?lang=en`, on any host; undefined if there is none. */
export function nameInLink(text: string): LinkedName | undefined {
  const url = isLink(text) ? parseLink(text) : null;
  if (url === null) return undefined;
  const segments = segmentsOf(url);
  const at = segments.findIndex((segment) => segment.startsWith('@'));
  const name = segments[at] ?? '';
  if (name.length < 2 || findIdFault(name) !== null) return undefined;
  return { name, isProfile: at === segments.length - 1 };
}

/** The creator that a text names, as the service has it: people write `@name` (Chinese keyboards a wide `@`) or the link of a profile for a username. */
export function creatorIn(text: string): string {
  const linked = text.includes('/') ? nameInLink(text) : undefined;
  return (linked?.isProfile ? linked.name : text).replace(/^[@＠](?=.)/, '');
}

/** Whether a text has the form that ids of products have, which no title has. */
export function isProductId(text: string): boolean {
  return /^\d{16,19}$/.test(text);
}

/** Usual keys are shorter. */
const longestIndexed = 40;

/** What stands for a key in an index of all rows: itself, or the digest of a long one, so that long keys do not fill the memory. */
export function indexedKey(key: string): string {
  return key.length <= longestIndexed ? detached(key) : `\0${hash('sha256', key, 'base64')}`;
}

/** Whether `foldKey` means something for it: it is indexed as written. */
export function isComparable(key: string): boolean {
  return key.length <= longestIndexed && !key.startsWith('\0');
}

/** What is left of a key if programs drop its leading zeros, and people write it in another case, or with other signs between. */
export function foldKey(key: string): string {
  const plain = key
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return plain.replace(/\d+/g, (digits) => digits.replace(/^0+/, '') || '0');
}
