/**
 * Adds campaigns of earlier versions, which had no index of planned posts. The first check after an upgrade does it, or after an import by a process
 * of an earlier version. If it is interrupted, the next check begins again with the campaign that it was at.
 */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RowPost } from '../../ledger/planned-posts/planned-posts.ts';
import { createImportedRowReader } from '../../manifest/imported-sheet.ts';
import { unlessUnreadable } from '../../redis/refusal.ts';
import { postIdentity, postMedia, postText } from './post-identity.ts';
import { creatorOf } from './stored-posts.ts';

/** @returns whether there are posts of such campaigns. Their media are known by name only. */
export async function fillEarlier(ledger: Ledger): Promise<boolean> {
  const { posts, campaigns } = ledger;
  const made = await posts.unfilled();
  if (made !== undefined) {
    const accounts = new Set<string>();
    for (const campaign of await campaigns.list()) {
      if (await posts.knows(campaign.id)) continue;
      // One whose data cannot be read must not stop the check of other sheets.
      await unlessUnreadable(fill(ledger, campaign));
      accounts.add(campaign.account);
    }
    for (const account of accounts) await posts.removeFormer(account);
    await posts.noteFilled(made);
  }
  return posts.hasEarlier();
}

async function fill(ledger: Ledger, campaign: Campaign): Promise<void> {
  const creators = await ledger.campaigns.creators(campaign.id);
  const reader = createImportedRowReader(campaign);
  for (let first = 0; first < campaign.rows; first += chunkSize) {
    const found: RowPost[] = [];
    let row = first;
    for await (const rows of ledger.store.parts(campaign, first / chunkSize)) {
      for (const { cells, number } of rows) {
        const reading = reader.read(cells, number);
        if ('row' in reading) {
          const text = postText(reading.row, campaign.account, creatorOf(reading.row, creators));
          const media = postMedia(reading.row, () => undefined);
          found.push({ row, post: postIdentity(text, media, reading.row.schedule?.at) });
        }
        row += 1;
      }
    }
    await ledger.posts.addEarlier(campaign.id, first / chunkSize, found);
  }
  await ledger.posts.noteKnown(campaign.id);
}
