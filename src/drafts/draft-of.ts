/** Finds the draft that became a campaign. It is kept as long as the campaign, because it has the rows that were left out. */
import type { Campaign } from '../ledger/campaigns/campaigns.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Draft } from './draft.ts';
import { listDrafts } from './drafts.ts';

/** @returns undefined if the campaign did not begin as a draft, or its draft is on another machine. */
export async function findDraftOf(
  runtime: Pick<Runtime, 'environment' | 'settings' | 'now' | 'ledger'>,
  { id }: Pick<Campaign, 'id'>,
): Promise<Draft | undefined> {
  const drafts = (await listDrafts(runtime)).filter(({ campaign }) => campaign === id);
  if (drafts.length === 0) return undefined;
  // Campaigns of other ledgers have the same ids.
  const ledger = await runtime.ledger.format.id();
  return drafts.find((draft) => draft.ledger === ledger);
}
