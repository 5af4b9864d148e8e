/** What the format of a cell makes of its number: a date, a time of day, an id with leading zeros, or just the number. */

export type NumberFormat =
  | { readonly kind: 'number' }
  /** Padded with zeros to so many digits. */
  | { readonly kind: 'digits'; readonly width: number }
  /** `date` shows no time of day; `time` shows one, with or without a date; `elapsed` shows hours beyond 24. */
  | { readonly kind: 'date' | 'time' | 'elapsed' };

export const plainNumber: NumberFormat = { kind: 'number' };

/** The formats that a workbook need not define, by number: 27 to 36 and 50 to 58 are those of East Asia. */
export function builtInFormat(id: number): NumberFormat {
  if (id === 46) return { kind: 'elapsed' };
  if ((id >= 18 && id <= 22) || (id >= 32 && id <= 35) || id === 45 || id === 47) return { kind: 'time' };
  const isDate = (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return isDate ? { kind: 'date' } : plainNumber;
}

/** Text in quotes, an escaped character, a space as wide as one, a fill, and what stands in brackets: none is a token. */
const literals = /"[^"]*"?|[\\_*].|\[[^\]]*\]?/g;

/** Reads the code of a format, such as `yyyy/m/d h:mm;@`. */
export function readFormatCode(code: string): NumberFormat {
  if (/\[(h+|m+|s+)\]/i.test(code.replace(/"[^"]*"?|\\./g, ''))) return { kind: 'elapsed' };
  // The first section is that of numbers above zero, as all times are.
  const [tokens = ''] = code.replace(literals, '').split(';');
  if (/[hs]|上午/i.test(tokens)) return { kind: 'time' };
  if (/[ymd]/i.test(tokens)) return { kind: 'date' };
  return /^0{2,}$/.test(code) ? { kind: 'digits', width: code.length } : plainNumber;
}
