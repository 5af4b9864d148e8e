/**
 * Results in the planner's own sheet: our columns beside hers, and rows that it lacks at its end. All else stays as it was, byte by byte:
 * her cells, other worksheets, formats, formulas, skipped rows, quotes and line ends. What the campaign has instead of a cell of hers is
 * said in a column of ours; an update with the file compares her cells with those of the kept sheet (`carryOver`), so it needs no others.
 */
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { insteadColumn, noteColumn } from '../../../manifest/result-columns.ts';
import { openSheet } from '../../../sheets/open-sheet.ts';
import { canEncode, encodeMarked, encodeText, writeCsvCells } from '../../../sheets/own/csv-cells.ts';
import { writeIntoWorkbook } from '../../../sheets/own/workbook.ts';
import type { NewCell } from '../../../sheets/own/worksheet-cells.ts';
import { fileSource } from '../../../sheets/sheet.ts';
import { readUtf8 } from '../../../sheets/text/decoder.ts';
import { measure } from '../../../sheets/write/xlsx-sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { openMeanings } from '../import/aliases.ts';
import { deliveryRules } from '../post-status.ts';
import { ResultCells } from './own-cells.ts';
import { skippedByPerson, skippedLine } from './own-lines.ts';
import type { OwnSheet } from './own-sheet.ts';
import { firstLines, openResults } from './sheet.ts';

type OfRuntime = Pick<Runtime, 'ledger' | 'settings' | 'now' | 'environment'>;

/** Columns whose texts are known when they are written, and room for a usual one. */
const told = new Set([insteadColumn, noteColumn]);
const usualRemark = ' '.repeat(40);

/** Lines of skipped rows that decide the widths of columns, beside those of others. */
const mostMeasured = 500;

/** @throws {UnreadableSheetError} if the kept sheet cannot be read again. */
export async function* writeIntoOwnSheet(
  runtime: OfRuntime,
  campaign: Campaign,
  own: OwnSheet,
): AsyncGenerator<string | Buffer> {
  const lacking = own.rows.absent(campaign.rows);
  const hasNotes = lacking.length > 0 || own.notTaken.length > 0;
  const isWorkbook = own.kind === 'xlsx';
  const results = await openResults(runtime.ledger, campaign, deliveryRules(runtime), {
    isOwn: true,
    hasNotes,
    isWorkbook,
  });
  const isSame = await openMeanings(runtime);
  const source = { runtime, campaign, results, own, isSame, widths: [] };
  const { path, kind, encoding = 'utf-8', sheets } = own;
  await using opened = new AsyncDisposableStack();
  const open = async (names?: readonly string[]) => {
    const sheet = await openSheet(fileSource(path), { ...own, sheets: names, map: campaign.map });
    // Its last rows may not be read: the file would stay open.
    opened.defer(() => sheet.close());
    return sheet;
  };
  if (kind === 'csv') {
    const texts = async () => {
      const sheet = await open();
      const cells = new ResultCells(source, sheet, lacking);
      const { delimiter } = sheet.format as { readonly delimiter: NonNullable<OwnSheet['delimiter']> };
      return writeCsvCells(readUtf8(fileSource(path).bytes(), encoding), {
        delimiter,
        lastPosition: cells.lastPosition,
        of: async (line) => asTexts(await cells.of(line)),
        async *rest() {
          for await (const some of cells.rest()) yield asTexts(some) ?? new Map();
        },
      });
    };
    // A fix, or an answer of the service, may have characters that her encoding lacks.
    if (await canEncode(await texts(), encoding)) yield* encodeText(await texts(), encoding, path);
    else yield* encodeMarked(await texts());
    return;
  }
  const reasons = [...own.refused.values(), ...(own.skipped.size > 0 ? [skippedByPerson] : [])];
  const widths = measure([
    results.header,
    ...reasons.slice(-mostMeasured).map((why) => skippedLine(results, why)),
    ...(await firstLines(runtime.ledger, campaign, results)),
    results.header.map((name, column) => (column >= results.own.length && told.has(name) ? usualRemark : '')),
  ]);
  const worksheets = new Map<string, ResultCells>();
  for (const name of sheets ?? [undefined]) {
    const sheet = await open(name === undefined ? undefined : [name]);
    // Rows name their worksheet only where there are several.
    const ofSeveral = (sheets?.length ?? 1) > 1 ? name : undefined;
    const absent = name === sheets?.at(-1) ? lacking : [];
    const cells = new ResultCells({ ...source, widths }, sheet, absent, ofSeveral);
    worksheets.set(name ?? sheet.worksheets[0] ?? '', cells);
  }
  yield* writeIntoWorkbook(path, worksheets);
}

function asTexts(cells: ReadonlyMap<number, NewCell> | undefined): ReadonlyMap<number, string> | undefined {
  return cells && new Map([...cells].map(([position, cell]) => [position, String(cell)]));
}
