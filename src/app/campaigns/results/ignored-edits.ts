/** Edits that the last update ignored: kept with the sheet of the results until the next update, and told on the pages of the campaign and of its rows. */
import type { ChangedRow } from '../../../importers/update/update-pass.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { shortened } from '../../../manifest/printable.ts';
import { findRecord, type OfRuntime, type SheetRecord, writeRecord } from './own-record.ts';

type IgnoredEdits = SheetRecord['ignored'];

/** In UTF-16 units: a page shows no more of them. */
const longestText = 300;

/** Never throws. @param campaign as it is after the update. */
export async function keepIgnored(
  runtime: OfRuntime,
  campaign: Campaign,
  { rows, ...ignored }: Omit<IgnoredEdits, 'rows'> & { readonly rows: readonly ChangedRow[] },
): Promise<void> {
  try {
    const found = await findRecord(runtime, campaign);
    if (found === undefined) return;
    const cut = (text: string) => shortened(text, longestText);
    const kept = rows.map(({ cells, ...row }) => ({
      ...row,
      cells: cells.map(({ column, was, is }) => ({ column, was: cut(was), is: cut(is) })),
    }));
    await writeRecord(found.record, { ...found.read, ignored: { ...ignored, rows: kept } });
  } catch {
    // The results tell them all the same.
  }
}

/** None if this machine does not have the sheet with the results of the campaign. */
export async function findIgnored(
  runtime: OfRuntime,
  campaign: Pick<Campaign, 'id' | 'importId'>,
): Promise<IgnoredEdits> {
  const found = await findRecord(runtime, campaign).catch(() => undefined);
  return found?.read.ignored ?? { count: 0, isKeyless: false, rows: [] };
}
