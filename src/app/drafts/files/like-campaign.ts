/** Reads the next version of a campaign's sheet as the last one was read: the same worksheets, or the same separator and encoding. */
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { createColumnMap } from '../../../manifest/headers/column-map.ts';
import { matchHeader } from '../../../manifest/headers/header.ts';
import { findPostSheet, openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource, type SheetOptions } from '../../../sheets/sheet.ts';
import { findPlan } from '../../campaigns/results/own-sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Draft, DraftReading } from '../draft.ts';
import { draftFiles } from '../folder.ts';

/** A wrong encoding shows within them. */
const mostRows = 10_000;

/** @returns nothing if a person chose another reading, or if the sheet has more of what it needs as it is found. */
export async function readingLikeCampaign(
  runtime: Runtime,
  { id, sheet, reading }: Draft,
  campaign: Campaign,
): Promise<Pick<DraftReading, 'sheet' | 'delimiter' | 'encoding'>> {
  const kept = sheet === undefined ? undefined : await findPlan(runtime, campaign);
  if (kept === undefined || reading.delimiter !== undefined || reading.encoding !== undefined) return {};
  const source = fileSource(draftFiles(runtime, id).sheet);
  const { sheets, delimiter, encoding } = kept;
  const { map = {} } = campaign;
  const lacking = (options: SheetOptions) =>
    countLacking(source, { ...options, map: createColumnMap(Object.entries(map)) });
  if (kept.kind === 'csv') {
    return (await lacking({ delimiter, encoding })) < (await lacking({})) ? { delimiter, encoding } : {};
  }
  const found = await findPostSheet(source).catch(() => undefined);
  if (sheets === undefined || (reading.sheet !== undefined && reading.sheet !== found)) return {};
  const itself = found === undefined ? {} : { sheets: [found] };
  const [only, ...others] = sheets;
  if (only === undefined || (await lacking({ sheets })) > (await lacking(itself))) return {};
  return { sheet: others.length === 0 ? only : [...sheets] };
}

/** How many columns are missing; infinitely many if the sheet cannot be read so. */
async function countLacking(
  source: ReturnType<typeof fileSource>,
  { map, ...options }: SheetOptions,
): Promise<number> {
  try {
    const sheet = await openSheet(source, { ...options, map });
    try {
      let rows = 0;
      for await (const part of sheet.rows) {
        rows += part.length;
        if (rows > mostRows) break;
      }
    } finally {
      await sheet.close();
    }
    const { problems } = matchHeader(sheet.header.cells, { map });
    return problems.filter(({ code }) => code === 'missing_column').length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
