/** The number formats of a workbook, and which texts are struck through, by cell style. */
import type { Package } from './workbook.ts';
import { tooLarge } from './workbook-error.ts';
import { readXml } from './xml.ts';

const stylesBytes = 32 * 1024 * 1024;
/** Limits of Excel: characters of a format code, and cell styles. */
const longestCode = 255;
const mostStyles = 65_490;

export interface CellStyle {
  readonly format: NumberFormat;
  readonly isStruck: boolean;
}

/** @param part `undefined`: the workbook has no styles. @returns the styles by number. @throws {WorkbookError} */
export async function readStyles(parts: Package, part: string | undefined): Promise<readonly CellStyle[]> {
  if (part === undefined) return [];
  const codes = new Map<string, string>();
  const used: { readonly format: string; readonly font: number }[] = [];
  const struck = new Set<number>();
  let fonts = 0;
  /** Other sections have formats too, but not for cells. */
  let section = '';
  await readXml(part, parts.read(part, stylesBytes), {
    open(element, attributes) {
      if (element === 'numFmts' || element === 'cellXfs' || element === 'fonts') section = element;
      else if (section === 'fonts') {
        if (element === 'font') fonts += 1;
        else if (element === 'strike' && isOn(attributes.val) && struck.size < mostStyles)
          struck.add(fonts - 1);
      } else if (element === 'numFmt' && section === 'numFmts') {
        const { numFmtId = '', formatCode = '' } = attributes;
        if (formatCode.length <= longestCode) codes.set(numFmtId, formatCode);
      } else if (element === 'xf' && section === 'cellXfs') {
        if (used.length === mostStyles) throw tooLarge(`it has more than ${mostStyles} cell styles`);
        used.push({ format: attributes.numFmtId ?? '', font: Number(attributes.fontId ?? -1) });
      }
    },
    close(element) {
      if (element === section) section = '';
    },
  });
  return used.map(({ format, font }) => {
    const code = codes.get(format);
    return {
      format: code === undefined ? builtInFormat(Number(format)) : readFormatCode(code),
      isStruck: struck.has(font),
    };
  });
}

/** @param style number of it; undefined: the cell has none. */
export function styleOf(styles: readonly CellStyle[], style: string | undefined): CellStyle {
  return style === undefined ? plainStyle : (styles[Number(style)] ?? plainStyle);
}

/** Whether an attribute of a switch, which is on if it stands alone, is on. */
export function isOn(val = '1'): boolean {
  return val !== '0' && val !== 'false';
}

export type NumberFormat =
  | { readonly kind: 'number' }
  /** Padded with zeros to this many digits. */
  | { readonly kind: 'digits'; readonly width: number }
  /** `date`: no time of day. `time`: both. `clock`: a time of day alone. `elapsed`: hours beyond 24. */
  | { readonly kind: 'date' | 'time' | 'clock' | 'elapsed' };

const plainNumber: NumberFormat = { kind: 'number' };
const plainStyle: CellStyle = { format: plainNumber, isStruck: false };

/** The built-in formats, by number; 27 to 36 and 50 to 58 are those of East Asia. */
function builtInFormat(id: number): NumberFormat {
  if (id === 46) return { kind: 'elapsed' };
  if (id === 22) return { kind: 'time' };
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47) return { kind: 'clock' };
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
  if (/[hs]|上午/i.test(tokens)) return { kind: /[yd]/i.test(tokens) ? 'time' : 'clock' };
  if (/[ymd]/i.test(tokens)) return { kind: 'date' };
  return /^0{2,}$/.test(code) ? { kind: 'digits', width: code.length } : plainNumber;
}
