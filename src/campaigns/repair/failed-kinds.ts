/** What a campaign's failed rows have in common, for who asked for others than there are. */
import type { Campaign } from '../../ledger/campaigns.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { CampaignView } from '../../processors/frame/campaign-view.ts';

export interface FailedKinds {
  readonly codes: readonly string[];
  /** As the sheet writes them. */
  readonly creators: readonly string[];
}

/** More failed rows than these are not read. */
const mostRead = 1000;

/** Error codes and creators of failed rows, each once; of very many rows some are looked at. */
export async function failedKindsOf(
  ledger: Ledger,
  campaign: Campaign,
  view: CampaignView | undefined,
): Promise<FailedKinds> {
  const rows = await ledger.rows.someInState(campaign.id, 'failed', campaign.counts.failed, mostRead);
  const errors = await ledger.rows.errors(campaign.id, rows);
  const creators = new Set<string>();
  for (const row of rows) {
    const creator = view && (await view.readableRow(row))?.creator;
    if (creator !== undefined) creators.add(creator);
  }
  const codes = new Set(errors.flatMap((error) => error?.code ?? []));
  return { codes: [...codes].sort(), creators: [...creators].sort() };
}
