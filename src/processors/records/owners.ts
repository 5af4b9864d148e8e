/** Finds out which publishing records already belong to rows. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';

/** A row that has, or had, a post. */
export interface PostOwner {
  readonly campaign: string;
  readonly row: number;
}

/**
 * Finds the rows that have, or had, these posts, in all accounts: two keys may belong to one customer of the service. Results are
 * stored by row, so this reads the results of all campaigns that have run since `since`.
 * @param since earliest possible time of one of the posts (Unix epoch, milliseconds).
 * @returns by post id.
 */
export async function postOwners(
  ledger: Ledger,
  postIds: ReadonlySet<string>,
  since: number,
): Promise<ReadonlyMap<string, PostOwner>> {
  const owners = new Map<string, PostOwner>();
  if (postIds.size === 0) return owners;
  for (const campaign of await ledger.campaigns.list()) {
    if (!mayHavePostedSince(campaign, since)) continue;
    for await (const [row, postId] of postsOf(ledger, campaign)) {
      if (postIds.has(postId)) owners.set(postId, { campaign: campaign.id, row });
    }
  }
  return owners;
}

/** Posts of the rows, including earlier ones that were not published. */
async function* postsOf(ledger: Ledger, { id, rows, counts }: Campaign): AsyncGenerator<[number, string]> {
  for (const [row, posts] of await ledger.failedPosts.all(id)) {
    for (const { postId } of posts) yield [row, postId];
  }
  if (counts.posted === 0) return;
  for (let chunk = 0; chunk * chunkSize < rows; chunk++) {
    for (const [row, { postId }] of await ledger.publishing.posts(id, chunk)) yield [row, postId];
  }
}

function mayHavePostedSince({ endedAt }: Campaign, since: number): boolean {
  return endedAt === undefined || endedAt >= since;
}
