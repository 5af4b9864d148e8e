/** The kinds of number formats: a date, a time of day, an id with leading zeros, or a plain number. */

export type NumberFormat =
  | { readonly kind: 'number' }
  /** Padded with zeros to this many digits. */
  | { readonly kind: 'digits'; readonly width: number }
  /** `date`: no time of day. `time`: a time of day, with or without a date. `elapsed`: hours beyond 24. */
  | { readonly kind: 'date' | 'time' | 'elapsed' };

export const plainNumber: NumberFormat = { kind: 'number' };

/** The built-in formats, by number; 27 to 36 and 50 to 58 are those of East Asia. */
export function builtInFormat(id: number): NumberFormat {
  if (id === 46) return { kind: 'elapsed' };
  if ((id >= 18 && id <= 22) || (id >= 32 && id <= 35) || id === 45 || id === 47) return { kind: 'time' };
  const isDate = (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return isDate ? { kind: 'date' } : plainNumber;
}

/** Quoted text, escaped characters, spacing, fills and brackets: not date or number tokens. */
const literals = /"[^"]*"?|[\\_*].|\[[^\]]*\]?/g;

/** Reads a format code such as `yyyy/m/d h:mm;@`. */
export function readFormatCode(code: string): NumberFormat {
  if (/\[(h+|m+|s+)\]/i.test(code.replace(/"[^"]*"?|\\./g, ''))) return { kind: 'elapsed' };
  // The first section applies to numbers above zero, as all times are.
  const [tokens = ''] = code.replace(literals, '').split(';');
  if (/[hs]|上午/i.test(tokens)) return { kind: 'time' };
  if (/[ymd]/i.test(tokens)) return { kind: 'date' };
  return /^0{2,}$/.test(code) ? { kind: 'digits', width: code.length } : plainNumber;
}
