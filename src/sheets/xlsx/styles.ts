/** The number formats of a workbook, by the style that a cell names. */
import { builtInFormat, type NumberFormat, plainNumber, readFormatCode } from './number-format.ts';
import type { Package } from './package.ts';
import { readXml } from './xml.ts';

/** By the number that a cell gives as its style. */
export type Styles = readonly NumberFormat[];

const stylesBytes = 32 * 1024 * 1024;

/** @param part `undefined`: the workbook has no styles. @throws {WorkbookError} */
export async function readStyles(parts: Package, part: string | undefined): Promise<Styles> {
  if (part === undefined) return [];
  const codes = new Map<string, string>();
  const ids: string[] = [];
  /** Formats stand in other places too, where they are those of no cell. */
  let section = '';
  await readXml(part, parts.read(part, stylesBytes), {
    open(element, attributes) {
      if (element === 'numFmts' || element === 'cellXfs') section = element;
      else if (element === 'numFmt' && section === 'numFmts') {
        codes.set(attributes.numFmtId ?? '', attributes.formatCode ?? '');
      } else if (element === 'xf' && section === 'cellXfs') ids.push(attributes.numFmtId ?? '');
    },
    close(element) {
      if (element === section) section = '';
    },
  });
  const formats = new Map<string, NumberFormat>();
  return ids.map((id) => {
    const known = formats.get(id);
    if (known !== undefined) return known;
    const code = codes.get(id);
    const format = code === undefined ? builtInFormat(Number(id)) : readFormatCode(code);
    formats.set(id, format);
    return format;
  });
}

export function formatOf(styles: Styles, style: string | undefined): NumberFormat {
  return style === undefined ? plainNumber : (styles[Number(style)] ?? plainNumber);
}
