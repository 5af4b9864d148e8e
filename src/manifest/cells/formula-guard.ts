/**
 * Prevents spreadsheet programs from running a cell of a CSV file as a formula.
 *
 * Writing adds `'` before a cell that begins like a formula. It adds `''` within a cell, behind a separator that such a beginning
 * follows: a program of another region may split there. Reading removes both. The two marks differ because a planner's own text may
 * well have `'` behind a comma, but hardly `''`. A text that already has such marks gets one more, so that it keeps its own.
 *
 * For every text, `unguardFormula(guardFormula(x)) === x`. All cells of the runner are kept as CSV files have them: guarded or plain.
 */

const guard = "'";
const guardWithin = "''";

/** Full-width forms count: spreadsheet programs of East Asia take them for the plain ones. */
const signs = '=+\\-@＝＋－＠';
const starts = `${signs}\\t\\r\\n`;
/** A mark before a number is one that people type, so that a program takes the number for a text. */
const start = new RegExp(`^${guard}*[${starts}]|^${guard}+\\d+$`);
const guardedStart = new RegExp(`^${guard}+(?:[${starts}]|\\d+$)`);
/**
 * Behind a separator, a quote may open the new cell. After more quotes than these, its text begins with a quote. Some programs split at
 * each TAB as well; one TAB after another is only an empty cell.
 */
const own = `(?:${guardWithin})*"{0,3}`;
const startWithin = new RegExp(`[,;](?=${own}[${starts}])|\\t(?=${own}[${signs}])`, 'g');
const guardedStartWithin = new RegExp(
  `([,;])${guardWithin}(?=${own}[${starts}])|(\\t)${guardWithin}(?=${own}[${signs}])`,
  'g',
);

/** Guards a cell that a spreadsheet program would read as a formula, or as several cells with a formula. */
export function guardFormula(cell: string): string {
  // Most cells have no separator, and exports have millions of cells.
  const mayHold = cell.includes(',') || cell.includes(';') || cell.includes('\t');
  const text = mayHold ? cell.replace(startWithin, `$&${guardWithin}`) : cell;
  return start.test(text) ? guard + text : text;
}

/** The cell that `unguardFormula` reads as this text, with marks only if it would lose its own: for JSON, workbooks and typed cells. */
export function literalCell(text: string): string {
  return unguardFormula(text) === text ? text : guardFormula(text);
}

/** The trimmed text of a cell, without marks. @param column position of the cell; -1 for a column that the sheet lacks. */
export function textOfCell(cells: readonly string[], column: number): string {
  return column < 0 ? '' : unguardFormula(cells[column] ?? '').trim();
}

/** Removes the marks of `guardFormula`, and the form `="0042"` by which programs protect texts. A mark before anything else is text. */
export function unguardFormula(cell: string): string {
  if (cell.charCodeAt(0) === 0x3d && cell.startsWith('="')) return protectedText(cell) ?? cell;
  const text = cell.charCodeAt(0) === 0x27 && guardedStart.test(cell) ? cell.slice(1) : cell;
  return text.includes(guardWithin) ? text.replace(guardedStartWithin, '$1$2') : text;
}

/** The text of a formula that is nothing but a text; undefined for any other. */
function protectedText(formula: string): string | undefined {
  const text = formula.trimEnd();
  if (text.length < 3 || !text.endsWith('"')) return undefined;
  const parts = text.slice(2, -1).split('""');
  return parts.some((part) => part.includes('"')) ? undefined : parts.join('"');
}
