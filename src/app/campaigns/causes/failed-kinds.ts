/** Error codes and creators of failed rows or rows in review, shown when a filter matches no row. */
import { z } from 'zod';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { CampaignView } from '../../../processors/runner/campaign-view.ts';
import type { Document } from '../../runtime/documents.ts';

/** Possible filters, if no row matches. Creators are as written in the sheet. */
export const failedKindsSchema = z.strictObject({
  codes: z.array(z.string()),
  creators: z.array(z.string()),
});
export type FailedKinds = Document<typeof failedKindsSchema>;

/** Only this many rows are read. */
const mostRead = 1000;

/** Each code and creator once. Of very many rows, only some are read. */
export async function failedKindsOf(
  ledger: Ledger,
  campaign: Campaign,
  view: CampaignView | undefined,
  state: 'failed' | 'review' = 'failed',
): Promise<FailedKinds> {
  const rows = await ledger.rows.someInState(campaign.id, state, campaign.counts[state], mostRead);
  const errors = await ledger.rows.errors(campaign.id, rows);
  const creators = new Set<string>();
  for (const row of rows) {
    const creator = view && (await view.readableRow(row))?.creator;
    if (creator !== undefined) creators.add(creator);
  }
  const codes = new Set(errors.flatMap((error) => error?.code ?? []));
  return { codes: [...codes].sort(), creators: [...creators].sort() };
}
