/**
 * Prevents spreadsheet programs from running a cell as a formula.
 *
 * Writing adds `'` before a cell that begins with `=`, `+`, `-`, `@`, TAB or CR; reading removes it.
 * For every text, `unguardFormula(guardFormula(x)) === unguardFormula(x)`.
 */

const guard = "'";

/** Adds a leading `'` if a spreadsheet program would read the cell as a formula. */
export function guardFormula(cell: string): string {
  return beginsFormula(cell.charCodeAt(0)) ? guard + cell : cell;
}

/** Removes the leading `'` of `guardFormula`. A `'` before anything else is part of the text. */
export function unguardFormula(cell: string): string {
  return cell.charCodeAt(0) === 0x27 && beginsFormula(cell.charCodeAt(1)) ? cell.slice(1) : cell;
}

const formulaStarts = new Set(Array.from('=+-@\t\r', (character) => character.charCodeAt(0)));

function beginsFormula(code: number): boolean {
  return formulaStarts.has(code);
}
