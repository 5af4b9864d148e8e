/** An earlier results sheet with the file name of a new one: its campaign, and whether somebody has filled it in. */
import { extname } from 'node:path';
import { foldHeader, type ResultColumn } from '../../manifest/columns.ts';
import { type OpenSheet, openSheet } from '../../sheets/open-sheet.ts';
import { fileSource, UnreadableSheetError } from '../../sheets/sheet.ts';

/**
 * Whether a sheet may be replaced: it does not exist, has no rows, or is of this campaign. Never throws.
 * @param ledger id of the campaign's ledger. Sheets of earlier versions do not name it.
 */
export async function mayReplace(path: string, campaign: string, ledger?: string): Promise<boolean> {
  try {
    const sheet = await openSheet(fileSource(path));
    const column = findColumn(sheet, 'campaign');
    const ledgerColumn = findColumn(sheet, 'ledger');
    for await (const [row] of sheet.rows) {
      if (row === undefined) continue;
      return (
        row.cells[column] === campaign &&
        (ledger === undefined || (row.cells[ledgerColumn] || ledger) === ledger)
      );
    }
    return true;
  } catch (error) {
    if (error instanceof UnreadableSheetError) return ['empty_file', 'no_rows'].includes(error.problem.code);
    return isMissing(error);
  }
}

/**
 * Whether a planner has filled in `video_url`, which a new sheet would lose. Reads any format, as a stream. A sheet that cannot be
 * read counts as filled in. Never throws.
 */
export async function isFilledIn(path: string): Promise<boolean> {
  try {
    const sheet = await openSheet(fileSource(path));
    const column = findColumn(sheet, 'video_url');
    if (column < 0) {
      await sheet.close();
      return false;
    }
    for await (const rows of sheet.rows) {
      if (rows.some(({ cells }) => (cells[column] ?? '').trim() !== '')) return true;
    }
    return false;
  } catch (error) {
    return !isMissing(error);
  }
}

/** New name for a sheet that makes way: `posts.results.csv` becomes `posts.results.20260601T120000Z.csv`. */
export function keptName(path: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const ending = extname(path);
  return `${path.slice(0, path.length - ending.length)}.${time}${ending}`;
}

/** Position of a column; -1 for none. */
function findColumn({ header }: OpenSheet, column: ResultColumn): number {
  return header.cells.findIndex((name) => foldHeader(name) === foldHeader(column));
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
