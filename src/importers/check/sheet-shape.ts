/** Tells why the headers of a sheet may say nothing: they are a title, days of a calendar, or in the first column. */
import { readWritten } from '../../manifest/cells/written-time.ts';
import { foldHeader } from '../../manifest/columns.ts';
import { countNamed, namedColumn } from '../../manifest/headers/header.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { type Problem, placeProblem } from '../../manifest/problems/problem.ts';
import { findWiderRow } from '../../sheets/header-line.ts';
import type { OpenSheet } from '../../sheets/open-sheet.ts';

/** @param named line of the headers that a person named. @returns undefined for a sheet that is a list of rows, as far as it tells. */
export function noteShape(sheet: OpenSheet, named: number | undefined): Problem | undefined {
  return noteTransposed(sheet) ?? noteCalendar(sheet) ?? noteTitleAsHeaders(sheet, named);
}

/** Fewer headers in the first column, or days among the headers, are chance. */
const leastNames = 4;
const leastDays = 3;
/** Reading a time takes long. */
const mostRead = 100;

function noteTransposed({ header, first }: OpenSheet): Problem | undefined {
  const column = [header, ...first].map(({ cells }) => cells[0] ?? '');
  const names = new Set(column.map((cell) => namedColumn(foldHeader(cell))));
  names.delete(undefined);
  if (names.size < leastNames || countNamed(header.cells) >= leastNames) return undefined;
  return placeProblem(header, null, {
    column: null,
    code: 'posts_in_columns',
    value: '',
    problem: 'the headers are in the first column, so each column is a post',
    fix: 'Copy the table, and paste it transposed (Paste special, Transpose): each row must be a post.',
  });
}

function noteCalendar({ header }: OpenSheet): Problem | undefined {
  const read = header.cells.slice(0, mostRead);
  if (read.filter((cell) => readWritten(cell).length > 0).length < leastDays) return undefined;
  return placeProblem(header, null, {
    column: null,
    code: 'days_in_columns',
    value: '',
    problem: 'the columns are days, as in a calendar',
    fix: 'Write one row for each post, and put its date in a single column.',
  });
}

/** The row of the headers is so narrow that it may be a title; undefined if it is not, or a person named its line. */
function noteTitleAsHeaders(
  { header, headerLine, first }: OpenSheet,
  named: number | undefined,
): Problem | undefined {
  if (named !== undefined || headerLine === null) return undefined;
  const line = findWiderRow(header, first);
  if (line === undefined) return undefined;
  return placeProblem(header, null, {
    column: null,
    code: 'title_as_headers',
    value: '',
    problem: `line ${headerLine} was read as the headers, but it has far fewer cells than line ${line}, so it may be a title`,
    fix: [hint('headerLine', { line })],
  });
}
