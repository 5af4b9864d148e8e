/** Ids that lost digits in a list of products, because a program took them for numbers: the link in the same line may have the whole id. */
import { mayLackDigits } from '../../../importers/check/lost-digits.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { findIdFault, numberInLink } from '../../../manifest/cells/id.ts';
import type { SheetRow } from '../../../sheets/sheet.ts';
import type { ListColumns } from './list-columns.ts';
import { agree } from './products.ts';

const mostLinks = 2;

export interface ListedRow extends SheetRow {
  /** Positions of ids that are those of a link of the row. */
  readonly ofLink?: readonly number[];
}

/** Puts the ids of links in place of those that lost digits. */
export function withWholeIds(row: SheetRow, { values }: ListColumns): ListedRow {
  const numbers = new Set(linksIn(row).map(numberInLink));
  const ofLink = values.filter((position) => hasLostDigits(row, position));
  if (numbers.size === 0 || ofLink.length === 0) return row;
  const cells = [...row.cells];
  const mended = ofLink.filter((position) => {
    const lost = textOfCell(row.cells, position);
    const [whole, ...others] = [...numbers].filter((number) => number !== undefined && agree(lost, number));
    if (whole === undefined || others.length > 0) return false;
    cells[position] = whole;
    return true;
  });
  const cellFaults = (row.cellFaults ?? []).filter(({ position }) => !mended.includes(position));
  return { ...row, cells, cellFaults, ofLink: mended };
}

export function hasLostDigits({ cells, cellFaults = [] }: SheetRow, position: number): boolean {
  const id = textOfCell(cells, position);
  const isNumber = cellFaults.some((fault) => fault.position === position && fault.code === 'digits_lost');
  return isNumber || mayLackDigits(id) || findIdFault(id) === 'scientific';
}

export function linksIn({ cells }: SheetRow): readonly string[] {
  return cells.filter((cell) => /^https?:/i.test(cell)).slice(0, mostLinks);
}
