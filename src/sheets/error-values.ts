/** Errors of formulas: cells show them where a value is meant. */
import { showValue } from '../manifest/problems/problem.ts';
import type { CellFault } from './sheet.ts';

/** As spreadsheet programs write them into CSV: English, then German, French, Spanish and Portuguese. */
const errors: ReadonlySet<string> = new Set(
  (
    '#NAME? #N/A #REF! #VALUE! #DIV/0! #NULL! #NUM! #ERROR! #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! ' +
    '#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #NOM? #VALEUR! #NOMBRE! #NUL! #¿NOMBRE? #¡REF! #¡VALOR! #¡DIV/0! #¡NUM! ' +
    '#N/D #NOME? #VALOR! #NÚM! #NULO!'
  ).split(' '),
);

/** Whether a cell has an error, or the signs that a program shows where its column is too narrow. */
export function isErrorValue(cell: string): boolean {
  if (cell.charCodeAt(0) !== 0x23) return false;
  return errors.has(cell.trim()) || /^#{4,255}$/.test(cell);
}

/** @param value as in the cell. */
export function errorValue(value: string): Omit<CellFault, 'position'> {
  return {
    code: 'cell_error',
    value: showValue(value),
    problem: `the cell shows the error ${showValue(value)}`,
    fix: 'Fix the formula, or replace it with the value.',
  };
}

/** Faults of the cells of a row that have errors; usually none. */
export function findErrorValues(cells: readonly string[]): readonly CellFault[] | undefined {
  if (!cells.some(isErrorValue)) return undefined;
  return cells.flatMap((cell, position) => (isErrorValue(cell) ? [{ position, ...errorValue(cell) }] : []));
}
