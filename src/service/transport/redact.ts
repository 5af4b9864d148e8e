/**
 * Finds the API key in texts of the service, before they reach a row, a log or a page. They may echo a request: plain, with backslashes or `\u` escapes, percent-encoded, as HTML
 * entities, in base64 (alone, or within a longer text such as `user:key`); in any case, mixed, and encoded several times.
 *
 * Every step reads a text once, from its start to its end: the text may be megabytes, and it may be made to be slow.
 */
import { EchoedKey } from '../contract/texts.ts';

const mark = '[key]';
/** A shorter key could be part of any word or id, and anybody can guess it. */
const shortestKey = 6;
/** Encodings within each other that are undone. Each step also undoes any number of encodings of one kind. */
const mostLayers = 4;

/** Characters that HTML has names for, but for letters and digits. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  bsol: '\\',
  plus: '+',
  equals: '=',
  colon: ':',
  semi: ';',
  comma: ',',
  period: '.',
  excl: '!',
  quest: '?',
  num: '#',
  dollar: '$',
  percnt: '%',
  ast: '*',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  lbrack: '[',
  rsqb: ']',
  rbrack: ']',
  lcub: '{',
  lbrace: '{',
  rcub: '}',
  rbrace: '}',
  commat: '@',
  hat: '^',
  lowbar: '_',
  grave: '`',
  verbar: '|',
  vert: '|',
  tilde: '~',
};

const names = Object.keys(named).join('|');

const mayBeEncoded = /[\\%&]/;
/** One encoded character: the groups are its code in hexadecimal digits, in decimal digits, and its name. */
const encoded = new RegExp(
  [
    /\\+(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2}))?/.source,
    /%(?:25)*([0-7][0-9a-f])/.source,
    `&(?:amp;)*(?:#x([0-9a-f]+)|#(\\d+)|(${names}));?`,
  ].join('|'),
  'gi',
);

export interface KeyRedactor {
  /** @returns undefined for a text that does not hold the key; other encodings in one that does may be undone, too. */
  find(text: string): string | undefined;
}

export function keyRedactor(key: string): KeyRedactor {
  if (key.length < shortestKey) return { find: () => undefined };
  const spellings = [
    new RegExp([...new Set([key, plainly(key)])].map(RegExp.escape).join('|'), 'gi'),
    new RegExp(base64Spellings(key).join('|'), 'g'),
  ];
  const replaceIn = (text: string) =>
    spellings.reduce((rest, spelling) => rest.replace(spelling, mark), text);

  return {
    find(text) {
      let found: string | undefined;
      let layer = text;
      for (let depth = 0; ; depth += 1) {
        const replaced = replaceIn(layer);
        if (replaced !== layer) found = replaced;
        if (depth === mostLayers || !mayBeEncoded.test(replaced)) return found;
        layer = decoded(replaced);
        if (layer === replaced) return found;
      }
    },
  };
}

/** The key as it comes out of `decoded`, which may take it for an encoded text. */
function plainly(key: string): string {
  let plain = key;
  for (let depth = 0; depth < mostLayers; depth += 1) plain = decoded(plain);
  return plain.length < shortestKey ? key : plain;
}

/** Undoes one layer of encodings. A backslash before anything else is dropped. */
function decoded(text: string): string {
  return text.replace(encoded, (whole: string, ...groups: readonly (string | undefined)[]) => {
    const [braced, unit, byte, percent, hex, decimal, name] = groups;
    if (name !== undefined) return named[name.toLowerCase()] ?? whole;
    const digits = braced ?? unit ?? byte ?? percent ?? hex;
    if (digits === undefined && decimal === undefined) return '';
    const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}

/** What the key alone decides, for each of the three places in a group of three bytes. For URLs, `-` and `_` stand for `+` and `/`. */
function base64Spellings(key: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const whole = Math.floor((bytes.length * 8) / 6);
    const own = bytes.toString('base64').slice(Math.ceil((before * 8) / 6), whole);
    return own.replaceAll(/[+/]/g, (sign) => (sign === '+' ? '[+-]' : '[/_]'));
  });
}

/** Nothing longer is taken whole, and what is shown of it is shorter (`contract/texts.ts`): its end is not looked at. */
const longestText = 32_768;

type Holder = unknown[] | Record<string, unknown>;

/** Redacts in place. @param content fresh from the parser: it may be nested deeply, so this does not recurse. */
export function markEchoes(content: unknown, redactor: KeyRedactor): unknown {
  const box = [content];
  const open: Holder[] = [box];
  const marked = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) open.push(value as Holder);
    if (typeof value !== 'string') return value;
    const text = value.length > longestText ? value.slice(0, longestText) : value;
    const redacted = redactor.find(text);
    return redacted === undefined ? text : new EchoedKey(redacted);
  };
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    if (Array.isArray(holder)) {
      for (let index = 0; index < holder.length; index += 1) holder[index] = marked(holder[index]);
    } else {
      for (const name of Object.keys(holder)) holder[name] = marked(holder[name]);
    }
  }
  return box[0];
}
