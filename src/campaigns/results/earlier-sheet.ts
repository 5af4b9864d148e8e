/** An earlier results sheet with the file name of a new one. */
import { extname } from 'node:path';
import { foldHeader, type ResultColumn } from '../../manifest/columns.ts';
import { openSheet } from '../../sheets/open-sheet.ts';
import { fileSource, UnreadableSheetError } from '../../sheets/sheet.ts';

/** Campaign of a results sheet, and id of its ledger. */
export interface SheetOwner {
  readonly campaign: string;
  readonly ledger: string;
}

/**
 * Reads a sheet that a new one would replace, once and as a stream. `free`: it does not exist, has no rows, or is this campaign's as it
 * was written. `foreign`: it is anything else than a sheet of this campaign. `filled-in`: a planner has filled in `video_url`, or it
 * cannot be read to its end. Never throws.
 */
export async function lookAtEarlierSheet(
  path: string,
  owner: SheetOwner,
): Promise<'free' | 'foreign' | 'filled-in'> {
  let isOwn = false;
  try {
    const { header, rows } = await openSheet(fileSource(path));
    const names = header.cells.map(foldHeader);
    const columnOf = (column: ResultColumn) => names.indexOf(foldHeader(column));
    const [campaign, ledger, videoUrl] = [columnOf('campaign'), columnOf('ledger'), columnOf('video_url')];
    for await (const some of rows) {
      for (const { cells } of some) {
        isOwn ||= cells[campaign] === owner.campaign && cells[ledger] === owner.ledger;
        if (!isOwn) return 'foreign';
        if ((cells[videoUrl] ?? '').trim() !== '') return 'filled-in';
      }
      if (isOwn && videoUrl < 0) break;
    }
    return 'free';
  } catch (error) {
    if (isOwn) return 'filled-in';
    const isEmpty =
      error instanceof UnreadableSheetError
        ? ['empty_file', 'no_rows'].includes(error.problem.code)
        : (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isEmpty ? 'free' : 'foreign';
  }
}

/** New name for a sheet that makes way: `posts.results.csv` becomes `posts.results.20260601T120000Z.csv`. */
export function keptName(path: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const ending = extname(path);
  return `${path.slice(0, path.length - ending.length)}.${time}${ending}`;
}
