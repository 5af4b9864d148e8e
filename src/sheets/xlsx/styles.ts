/** The number formats of a workbook, by cell style. */
import { builtInFormat, type NumberFormat, plainNumber, readFormatCode } from './number-format.ts';
import type { Package } from './package.ts';
import { tooLarge } from './workbook-error.ts';
import { readXml } from './xml.ts';

/** By style number. */
export type Styles = readonly NumberFormat[];

const stylesBytes = 32 * 1024 * 1024;
/** Limits of Excel: characters of a format code, and cell styles. */
const longestCode = 255;
const mostStyles = 65_490;

/** @param part `undefined`: the workbook has no styles. @throws {WorkbookError} */
export async function readStyles(parts: Package, part: string | undefined): Promise<Styles> {
  if (part === undefined) return [];
  const codes = new Map<string, string>();
  const ids: string[] = [];
  /** Other sections have formats too, but not for cells. */
  let section = '';
  await readXml(part, parts.read(part, stylesBytes), {
    open(element, attributes) {
      if (element === 'numFmts' || element === 'cellXfs') section = element;
      else if (element === 'numFmt' && section === 'numFmts') {
        const { numFmtId = '', formatCode = '' } = attributes;
        if (formatCode.length <= longestCode) codes.set(numFmtId, formatCode);
      } else if (element === 'xf' && section === 'cellXfs') {
        if (ids.length === mostStyles) throw tooLarge(`it has more than ${mostStyles} cell styles`);
        ids.push(attributes.numFmtId ?? '');
      }
    },
    close(element) {
      if (element === section) section = '';
    },
  });
  return ids.map((id) => {
    const code = codes.get(id);
    return code === undefined ? builtInFormat(Number(id)) : readFormatCode(code);
  });
}

export function formatOf(styles: Styles, style: string | undefined): NumberFormat {
  return style === undefined ? plainNumber : (styles[Number(style)] ?? plainNumber);
}
