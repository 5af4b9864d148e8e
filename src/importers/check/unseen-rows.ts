/** What a planner does not see in her window, or has crossed out: hidden and struck rows, struck texts, hidden columns. */
import { noteMark } from '../../manifest/headers/column-map.ts';
import type { Header } from '../../manifest/headers/header.ts';
import { meaningsOf } from '../../manifest/headers/header.ts';
import { mapHint } from '../../manifest/headers/header-problems.ts';
import { hint } from '../../manifest/problems/hint.ts';
import {
  type CellProblem,
  isShownWhole,
  type Problem,
  placeProblem,
  showValue,
} from '../../manifest/problems/problem.ts';
import type { OpenSheet } from '../../sheets/open-sheet.ts';
import { columnLetters, mostWorksheets, type SheetHeader, type SheetRow } from '../../sheets/sheet.ts';

/** Why a row may not be meant; undefined for any other. It is struck through if half of its filled cells are. */
export function unseenAs({ isHidden, struck = none, cells }: SheetRow): 'hidden' | 'struck' | undefined {
  if (isHidden) return 'hidden';
  if (struck.length === 0) return undefined;
  const filled = cells.filter((cell) => cell.trim() !== '').length;
  return struck.length * 2 >= filled ? 'struck' : undefined;
}

const none: readonly number[] = [];

const descriptions = {
  hidden: { code: 'row_hidden', problem: 'this row is hidden in the workbook, by a filter or by hand' },
  struck: { code: 'row_struck', problem: 'this row is struck through in the workbook' },
} as const;

/** The problem of a hidden row, or of one that is crossed out. */
export function describeUnseen(unseen: 'hidden' | 'struck'): CellProblem {
  const fix = ['Skip it, or post it anyway.', hint('rowsInDoubt', { option: 'hidden' })];
  return { column: null, value: '', ...descriptions[unseen], fix };
}

/** The warnings of a row: of the whole row, or of each text that is read. */
export function warnOfUnseen(row: SheetRow, header: Header): readonly CellProblem[] {
  const unseen = unseenAs(row);
  if (unseen !== undefined)
    return [
      { ...describeUnseen(unseen), fix: 'It will be posted. If you do not want that, remove the row.' },
    ];
  const meanings = meaningsOf(header);
  return (row.struck ?? none).flatMap((position) => {
    const column = meanings.get(position);
    if (column === undefined) return [];
    return {
      column,
      code: 'text_struck',
      value: showValue(row.cells[position] ?? ''),
      problem: 'this text, or a part of it, is struck through in the workbook',
      fix: 'Remove what should not be posted.',
    };
  });
}

/** The notice of hidden columns that are read; undefined if there are none. */
export function noteHiddenColumns(sheetHeader: SheetHeader, header: Header): Problem | undefined {
  const { hiddenColumns = none, cells } = sheetHeader;
  const meanings = meaningsOf(header);
  const used = hiddenColumns.filter((position) => meanings.has(position));
  const [first] = used;
  if (first === undefined) return undefined;
  const names = used.map((position) => `${showValue(cells[position] ?? '')} (${columnLetters(position)})`);
  const are =
    used.length === 1
      ? 'column is hidden in the workbook, and is'
      : 'columns are hidden in the workbook, and are';
  return placeProblem(sheetHeader, null, {
    column: showValue(cells[first] ?? ''),
    code: 'columns_hidden',
    value: '',
    problem: `${used.length} ${are} used: ${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? ', ...' : ''}`,
    fix: ['Check the hidden cells.', ...mapHint(cells[first] ?? '', noteMark)],
  });
}

const mostNames = 10;

/** The sheet lacks the ids of products, and another one of the workbook has them. @param proposed header of the column that may be for them. */
export function noteProductSheet(
  { ofProducts, header }: OpenSheet,
  proposed: string | undefined,
): Problem | undefined {
  const [found] = ofProducts ?? [];
  if (found === undefined) return undefined;
  const column = showValue(found.column);
  return placeProblem(header, null, {
    column: 'product_id',
    code: 'ids_in_other_sheet',
    value: column,
    problem: `the product ids are in the worksheet "${showValue(found.name)}", column ${column}`,
    fix:
      proposed === undefined
        ? 'Add a column product_id to this worksheet. Fill it with a look-up formula, or leave it empty: the draft page then offers the ids.'
        : `Say that ${showValue(proposed)} is product_id: the draft page then offers the id of each name.`,
  });
}

/** The notice of other worksheets that a planner may mean, too; undefined if there are none. */
export function noteAlikeSheets({
  worksheets,
  alike,
  header,
}: Pick<OpenSheet, 'worksheets' | 'alike' | 'header'>): Problem | undefined {
  const [first] = alike;
  if (first === undefined) return undefined;
  const names = alike.slice(0, mostNames).map(({ name }) => `"${showValue(name)}"`);
  const others = alike.length > mostNames ? `${names.join(', ')}, ...` : names.join(', ');
  const [have, them] =
    alike.length === 1 ? ['has posts, too, and is', 'it'] : ['have posts, too, and are', 'them'];
  const same = alike.filter((each) => each.hasSameHeaders && isShownWhole(each.name)).map(({ name }) => name);
  const one = isShownWhole(first.name) ? [hint('otherSheet', { sheet: first.name })] : [];
  const way =
    same.length > 0
      ? [hint('readSheets', { sheets: [...worksheets, ...same].slice(0, mostWorksheets), more: same })]
      : one;
  return placeProblem(header, null, {
    column: null,
    code: 'sheets_not_read',
    value: '',
    problem: `${others} of the same workbook ${have} not read`,
    fix: [`If you want ${them} posted, import ${them} too.`, ...way],
  });
}

/** Numbers of rows that are skipped as asked, by the option that asks it. */
export type SkippedRows = Readonly<Record<'hidden' | 'ownStatus', number>>;

const whySkipped: Readonly<Record<keyof SkippedRows, string>> = {
  hidden: 'hidden or struck through in the workbook',
  ownStatus: 'the status in the sheet says that they should not be posted',
};

export function noteSkipped(skipped: SkippedRows): readonly Problem[] {
  return (['hidden', 'ownStatus'] as const).flatMap((option) => {
    const rows = skipped[option];
    if (rows === 0) return [];
    return placeProblem({ line: 1 }, null, {
      column: null,
      code: 'rows_skipped',
      value: '',
      problem: `${rows === 1 ? '1 row was' : `${rows.toLocaleString('en')} rows were`} skipped: ${whySkipped[option]}`,
      fix: '',
    });
  });
}
