/**
 * Keeps a spreadsheet program from running a cell as a formula.
 *
 * The sheets that we write put `'` before a cell that begins with `=`, `+`, `-`, `@`, TAB or CR; what we read takes it off.
 * Reading is the same before and after: `unguardFormula(guardFormula(x)) === unguardFormula(x)` for every text.
 */

const guard = "'";

/** The cell as a sheet may hold it: with a leading `'` where a spreadsheet program would take it for a formula. */
export function guardFormula(cell: string): string {
  return beginsFormula(cell.charCodeAt(0)) ? guard + cell : cell;
}

/** The cell without the leading `'` that `guardFormula` put on. A `'` before anything else is part of the text. */
export function unguardFormula(cell: string): string {
  return cell.charCodeAt(0) === 0x27 && beginsFormula(cell.charCodeAt(1)) ? cell.slice(1) : cell;
}

const formulaStarts = new Set(Array.from('=+-@\t\r', (character) => character.charCodeAt(0)));

function beginsFormula(code: number): boolean {
  return formulaStarts.has(code);
}
