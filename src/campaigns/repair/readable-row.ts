/** Rows for planning: one that cannot be read any more is passed over. */
import type { Row } from '../../manifest/row.ts';
import { type CampaignView, UnreadableRowError } from '../../processors/frame/campaign-view.ts';

/** @returns undefined for a row that this version of the runner cannot read: it fails again without a call. */
export async function readableRow(view: CampaignView, row: number): Promise<Row | undefined> {
  try {
    return await view.row(row);
  } catch (error) {
    if (error instanceof UnreadableRowError) return undefined;
    throw error;
  }
}
