/**
 * Products that waiting rows of a campaign will need in a creator's showcase. They are added by calls that are made anyway, so
 * that fewer calls are needed. The rows themselves keep waiting.
 */
import { LRUCache } from 'lru-cache';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { remembered } from '../../ledger/remembered.ts';
import type { CampaignView, CampaignViews } from '../frame/campaign-view.ts';

/** Rows after the cursor to examine. */
const rowsAhead = 10_000;

interface Wish {
  readonly row: number;
  readonly productId: string;
}

/** The wishes in one chunk of rows, by creator. */
type ChunkWishes = ReadonlyMap<string, readonly Wish[]>;

export class ShowcaseOutlook {
  readonly #ledger: Ledger;
  readonly #views: CampaignViews;
  /** Sized for twenty campaigns. */
  readonly #chunks = new LRUCache<string, Promise<ChunkWishes>>({ max: (20 * rowsAhead) / chunkSize });

  constructor(ledger: Ledger, views: CampaignViews) {
    this.#ledger = ledger;
    this.#views = views;
  }

  /**
   * @param creator as written in the sheet.
   * @param most largest number of products.
   * @param isWelcome returns false for products to leave out.
   * @returns products of which the ledger knows no addition, by id or for a link, nearest rows first. Empty while the canary may
   *   exclude some of the rows.
   */
  async productsAhead(
    id: string,
    creator: string,
    { most, isWelcome }: { readonly most: number; readonly isWelcome: (productId: string) => boolean },
  ): Promise<readonly string[]> {
    if (most <= 0) return [];
    const { campaigns, creators, rows } = this.#ledger;
    const campaign = await campaigns.find(id);
    if (campaign?.state !== 'running' || campaign.counts.waiting === 0) return [];
    if (campaign.canaryRoom !== undefined && campaign.canaryRoom < campaign.counts.waiting) return [];
    const view = await this.#views.open(id, campaign.sheetVersion);
    if (!view) return [];
    const { creatorId } = view.creator(creator);
    const end = Math.min(campaign.rows, campaign.cursor + rowsAhead);
    const found = new Set<string>();
    for (let chunk = Math.floor(campaign.cursor / chunkSize); chunk * chunkSize < end; chunk++) {
      const all = (await this.#wishesOf(view, chunk)).get(creator) ?? [];
      const wanted = all.filter(
        ({ row, productId }) =>
          row >= campaign.cursor && row < end && !found.has(productId) && isWelcome(productId),
      );
      if (wanted.length === 0) continue;
      const entries = wanted.map(({ productId }) => ({ creatorId, productId }));
      const [statuses, known] = await Promise.all([
        rows.statuses(id, chunk * chunkSize, chunkSize),
        creators.knownProducts(campaign.account, entries),
      ]);
      for (const [index, { row, productId }] of wanted.entries()) {
        if (known[index] || statuses[row % chunkSize]?.state !== 'waiting') continue;
        found.add(productId);
        if (found.size === most) return [...found];
      }
    }
    return [...found];
  }

  #wishesOf(view: CampaignView, chunk: number): Promise<ChunkWishes> {
    return remembered(this.#chunks, `${view.campaign.sheetVersion} ${chunk}`, () => readWishes(view, chunk));
  }
}

/** Leaves out products that are added by link, because each needs a call of its own. */
async function readWishes(view: CampaignView, chunk: number): Promise<ChunkWishes> {
  const wishes = new Map<string, Wish[]>();
  const first = chunk * chunkSize;
  for (let row = first; row < Math.min(first + chunkSize, view.campaign.rows); row++) {
    const spec = await view.glance(row);
    if (!spec?.showcase || spec.product.link !== undefined) continue;
    const ofCreator = wishes.get(spec.creator) ?? [];
    ofCreator.push({ row, productId: spec.product.id });
    wishes.set(spec.creator, ofCreator);
  }
  return wishes;
}
