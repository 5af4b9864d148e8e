import type { Ledger } from '../../ledger/ledger.ts';
import type { RowVersion } from '../../ledger/transitions/steps.ts';
import type { Row } from '../../manifest/row.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import type { ShowcaseWish } from './showcase-groups.ts';

/** Rows whose product must be added to the showcase, except what is known to be added in the same way (by link, by id). */
export async function showcaseWishes(
  ledger: Ledger,
  view: CampaignView,
  rows: readonly (RowVersion & { readonly spec: Row | undefined })[],
): Promise<readonly ShowcaseWish[]> {
  const wishes: ShowcaseWish[] = [];
  for (const { row, revision, spec } of rows) {
    if (!spec?.showcase) continue;
    const { id, link } = spec.product;
    wishes.push({ row, revision, creator: spec.creator, productId: id, link });
  }
  const known = await ledger.creators.knownProducts(
    view.campaign.account,
    wishes.map(({ creator, ...wish }) => ({ ...wish, creatorId: view.creator(creator).creatorId })),
  );
  return wishes.filter((_wish, index) => known[index] !== 'added');
}
