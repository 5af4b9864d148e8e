/** Reads cell references such as `AB12`, and ranges such as `A2:A6`. */

/** Columns count from 0, rows from 1. Both ends are included. */
export interface CellRange {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The column of a reference such as `AB12`, from 0; -1 if it has none. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let index = 0; index < reference.length; index += 1) {
    const letter = reference.charCodeAt(index) - 0x40;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}

/** @returns `undefined` unless the text is a range of cells. */
export function parseRange(text: string): CellRange | undefined {
  const { from = '', top = '', to = '', bottom = '' } = range.exec(text)?.groups ?? {};
  if (from === '') return undefined;
  return { left: columnOf(from), right: columnOf(to), top: Number(top), bottom: Number(bottom) };
}

const range = /^(?<from>[A-Z]{1,3})(?<top>\d{1,7}):(?<to>[A-Z]{1,3})(?<bottom>\d{1,7})$/;
