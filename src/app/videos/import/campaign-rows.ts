/** Links the videos of a sheet to rows of campaigns, and takes creator and product from the row. */

import { LRUCache } from 'lru-cache';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { remembered } from '../../../ledger/remembered.ts';
import type { StoredRow } from '../../../ledger/rows/stored-rows.ts';
import type { NewVideo } from '../../../ledger/videos/watch-list.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { creatorIn, indexedKey } from '../../../manifest/cells/id.ts';
import { type ColumnIndexes, matchHeader } from '../../../manifest/headers/header.ts';
import type { VideoColumn, VideoRow } from './video-sheet.ts';

/** A sheet may name any number of them. */
const campaignsKept = 100;
/** Most memory for the keys of several campaigns, in bytes. A single campaign may exceed it. */
const mostHeld = 32 * 1024 * 1024;
const bytesPerKey = 100;

interface RowIndex {
  /** By key. */
  readonly rows: ReadonlyMap<string, number>;
  readonly columns: ColumnIndexes;
}

interface RowFacts {
  readonly creator: string;
  readonly product: string;
}

export class CampaignRows {
  readonly #ledger: Ledger;
  readonly #campaigns = new LRUCache<string, Promise<Campaign | undefined>>({ max: campaignsKept });
  /** By campaign. Only those of sheets that lack columns are read. */
  readonly #indexes = new LRUCache<string, RowIndex>({
    maxSize: mostHeld,
    sizeCalculation: ({ rows }) => Math.min(mostHeld, 1 + rows.size * bytesPerKey),
  });

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** @param has returns whether the sheet has a column. */
  async link(
    videos: readonly VideoRow[],
    has: (column: VideoColumn) => boolean,
  ): Promise<readonly NewVideo[]> {
    const own = await this.#ledger.format.id();
    const isComplete = has('creator') && has('product_id');
    const linked: NewVideo[] = [];
    for (const video of videos) {
      const isOurs = video.ledger === '' || video.ledger === own;
      // Undefined if there is none of this id: it is a name of the planner's own.
      const campaign = isOurs && video.campaign !== '' ? await this.#find(video.campaign) : undefined;
      const facts = isComplete || !campaign ? undefined : await this.#factsOf(campaign, video.key);
      linked.push(this.#newVideo(video, isOurs, facts));
    }
    return linked;
  }

  /** @param isOurs whether its campaign and key are those of this ledger. */
  #newVideo(
    { id, url, campaign: name, ...row }: VideoRow,
    isOurs: boolean,
    facts: RowFacts | undefined,
  ): NewVideo {
    return {
      id,
      facts: {
        url,
        campaign: (isOurs && name) || undefined,
        // A key of another ledger would name a row of ours.
        key: (isOurs && row.key) || undefined,
        creator: row.creator || facts?.creator || undefined,
        product: row.product || facts?.product || undefined,
        label: row.label || undefined,
        tags: row.tags.length > 0 ? row.tags : undefined,
      },
    };
  }

  #find(name: string): Promise<Campaign | undefined> {
    return remembered(this.#campaigns, name, () => this.#ledger.campaigns.find(name));
  }

  async #factsOf(campaign: Campaign, key: string): Promise<RowFacts | undefined> {
    if (key === '') return undefined;
    const index = this.#indexes.get(campaign.id) ?? (await this.#readIndex(campaign));
    this.#indexes.set(campaign.id, index);
    const row = index.rows.get(indexedKey(key));
    if (row === undefined) return undefined;
    const { cells } = await this.#ledger.store.read(campaign, row);
    const { creator, product_id: product } = index.columns;
    return { creator: creatorIn(textOfCell(cells, creator)), product: textOfCell(cells, product) };
  }

  async #readIndex(campaign: Campaign): Promise<RowIndex> {
    const { header: cells, map } = campaign;
    const { indexes } = matchHeader(cells, { map });
    const keyOf = (row: StoredRow) => textOfCell(row.cells, indexes.key) || String(row.number);
    const rows = new Map<string, number>();
    for await (const part of this.#ledger.store.all(campaign)) {
      for (const [row, stored] of part) rows.set(indexedKey(keyOf(stored)), row);
    }
    return { rows, columns: indexes };
  }
}
