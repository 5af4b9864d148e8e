/** The supported encodings of text manifests, and their names. */

/** Names for people. The first four are detected; the others must be named, because most bytes are valid in all of them. */
export const encodingTitles = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  gb18030: 'GB18030',
  big5: 'Big5',
  shift_jis: 'Shift_JIS',
  'euc-kr': 'EUC-KR',
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
  'windows-1252': 'Windows-1252',
  'windows-1253': 'Windows-1253',
  'windows-1254': 'Windows-1254',
  'windows-1255': 'Windows-1255',
  'windows-1256': 'Windows-1256',
  'windows-1257': 'Windows-1257',
  'windows-1258': 'Windows-1258',
  'windows-874': 'Windows-874',
  'iso-8859-2': 'ISO 8859-2',
  'iso-8859-15': 'ISO 8859-15',
  'koi8-r': 'KOI8-R',
  macintosh: 'Mac Roman',
} as const;

/** Encoding of a text file. */
export type Encoding = keyof typeof encodingTitles;

export const encodings = Object.keys(encodingTitles) as readonly Encoding[];

/** Names that `TextDecoder` does not know, and older subsets of GB18030. */
const otherNames: ReadonlyMap<string, Encoding> = new Map([
  ['utf16le', 'utf-16le'],
  ['utf16be', 'utf-16be'],
  ['gbk', 'gb18030'],
  ['cp936', 'gb18030'],
  ['cp932', 'shift_jis'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
]);

/**
 * Finds the encoding by name, in any case; `undefined` if it is unknown. `latin1` and `iso-8859-1` give Windows-1252, as on the web:
 * it extends them.
 */
export function parseEncoding(name: string): Encoding | undefined {
  const lower = name.trim().toLowerCase();
  const canonical = canonicalName(lower);
  return encodings.find((encoding) => encoding === canonical) ?? otherNames.get(canonical);
}

function canonicalName(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return label;
  }
}
