/** Bounds of a manifest, the same in every format. `docs/internals/security.md` lists them with those of each format. */

/** UTF-16 units of a cell: Excel's own limit, so that every sheet can become a workbook. */
export const longestCell = 32_767;
/** UTF-16 units of an id; ids of the service are far shorter. */
export const maxIdLength = 256;
/** Columns of a sheet: many times the number of known ones. */
export const mostColumns = 1000;
/** UTF-8 bytes of a row: ten of the longest cells in any script, and far more than a post needs. */
export const longestRow = 1024 * 1024;
/** Problems of one row that are reported: a person fixes the first ones and checks again. */
export const mostProblemsOfRow = 100;
/** Items of a list in a cell: the contract allows 15 images, and names no limit for references. Each file is looked at, and uploaded. */
export const mostListItems = 100;

/** A cell takes memory and time even without text: about as much as this many characters. */
const cellSize = 8;

/** Characters of the cells of a row, and some for each cell. */
export function sizeOf(cells: readonly string[]): number {
  let size = cells.length * cellSize;
  for (const cell of cells) size += cell.length;
  return size;
}
