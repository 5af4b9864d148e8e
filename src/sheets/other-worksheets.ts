/** What the other worksheets of a workbook are: more posts, a list of products, or the sheet of posts itself behind a cover. */
import { requiredColumns } from '../manifest/columns.ts';
import { matchHeader } from '../manifest/headers/header.ts';
import { hasProductIds } from '../manifest/headers/name-parts.ts';
import { hint } from '../manifest/problems/hint.ts';
import { isShownWhole, showValue } from '../manifest/problems/problem.ts';
import { isWorkbook, readHead } from './format.ts';
import { matchColumns } from './join-worksheets.ts';
import { type ManifestSource, type SheetOptions, type UnreadableSheetError, unreadable } from './sheet.ts';
import type { WorkbookSurvey } from './xlsx/read-xlsx.ts';

/** Most sheets are no workbooks, and need nothing of this. */
export const workbooks = () => import('./xlsx/read-xlsx.ts');

export const mostSheetsLookedAt = 20;

/** @param header of the first sheet; may be empty. @returns an error that names the likely sheet, if another one is. */
export async function findCoverFault(
  source: ManifestSource,
  visible: WorkbookSurvey['visible'],
  header: readonly string[],
  options: SheetOptions,
): Promise<UnreadableSheetError | undefined> {
  if (options.sheets !== undefined || lackedColumns(header, options) <= requiredColumns.length / 2)
    return undefined;
  const found = await findPostSheet(source);
  if (found === undefined) return undefined;
  return unreadable(
    1,
    'cover_sheet',
    `the first sheet, "${showValue(visible[0] ?? '')}", does not look like a sheet of posts; "${showValue(found)}" looks like one`,
    [
      `The workbook has ${visible.length} visible sheets.`,
      hint('chooseSheet', { sheet: isShownWhole(found) ? found : null }),
    ],
  );
}

/** The worksheet whose headers say the most of posts. @returns undefined for the first visible one, and for a file that is no workbook. */
export async function findPostSheet(source: ManifestSource): Promise<string | undefined> {
  if (source.path === undefined || !isWorkbook(await readHead(source))) return undefined;
  const { readVisibleHeaders } = await workbooks();
  const sheets = (await readVisibleHeaders(source.path, mostSheetsLookedAt)).map((sheet) => {
    const { indexes } = matchHeader(sheet.cells, {});
    const known = Object.values(indexes).filter((position) => position >= 0).length;
    const isOfPosts = Math.max(indexes.creator, indexes.caption, indexes.media) >= 0;
    return { ...sheet, known: isOfPosts ? known : 0, lacking: lackedColumns(sheet.cells, {}) };
  });
  const [first] = sheets;
  if (first === undefined || first.lacking <= requiredColumns.length / 2) return undefined;
  const [best] = sheets.sort(
    (one, other) => other.known - one.known || Number(other.isActive) - Number(one.isActive),
  );
  return best === undefined || best.known <= Math.max(2, first.known) ? undefined : best.name;
}

/** A planner may mean these sheets, too: they have the headers of this one, or all that a sheet of posts needs. */
export function alikeSheets(
  others: WorkbookSurvey['others'],
  header: readonly string[],
  options: SheetOptions,
): readonly AlikeSheet[] {
  return others.flatMap(({ name, cells }) => {
    if (cells.every((cell) => cell.trim() === '')) return [];
    const { lacking, extra } = matchColumns(header, cells);
    const hasSameHeaders = lacking.length + extra.length === 0;
    return hasSameHeaders || lackedColumns(cells, options) === 0 ? [{ name, hasSameHeaders }] : [];
  });
}

function lackedColumns(header: readonly string[], { map }: SheetOptions): number {
  const { problems } = matchHeader(header, { map });
  return problems.filter(({ code }) => code === 'missing_column').length;
}

/** A sheet of the workbook that is not read. */
export interface AlikeSheet {
  readonly name: string;
  /** Whether it can be read together with those that are. */
  readonly hasSameHeaders: boolean;
}

/** A sheet of the workbook with product ids. */
export interface ProductSheet {
  readonly name: string;
  /** Header of the ids. */
  readonly column: string;
}

export function productSheets(others: WorkbookSurvey['others']): readonly ProductSheet[] {
  return others.flatMap(({ name, cells }) => {
    const told = cells.filter((cell) => hasProductIds(cell, name));
    // Beside ids of the service, article numbers are the shop's own.
    const column = told.find((cell) => !/sku/i.test(cell)) ?? told[0];
    // Another sheet of posts needs ids itself.
    const isOfPosts = matchHeader(cells, {}).indexes.creator >= 0;
    return column === undefined || isOfPosts ? [] : [{ name, column }];
  });
}
