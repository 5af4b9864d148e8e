/** Which publishing records already belong to rows. */
import type { Campaign } from '../../ledger/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';

/**
 * Finds which of the posts belong to a posted row of the account. Results are stored by row, so this reads the results of all
 * campaigns that have been at work since then.
 * @param since earliest time at which one of the posts can have been made (Unix epoch, milliseconds).
 */
export async function ownedPosts(
  ledger: Ledger,
  account: string,
  postIds: ReadonlySet<string>,
  since: number,
): Promise<ReadonlySet<string>> {
  const owned = new Set<string>();
  if (postIds.size === 0) return owned;
  for (const campaign of await ledger.campaigns.list()) {
    if (campaign.account !== account || !mayHavePostedSince(campaign, since)) continue;
    for (let chunk = 0; chunk * chunkSize < campaign.rows; chunk++) {
      for (const { postId } of (await ledger.publishing.posts(campaign.id, chunk)).values()) {
        if (postIds.has(postId)) owned.add(postId);
      }
    }
  }
  return owned;
}

function mayHavePostedSince({ counts, endedAt }: Campaign, since: number): boolean {
  return counts.posted > 0 && (endedAt === undefined || endedAt >= since);
}
