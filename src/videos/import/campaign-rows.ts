/** Links the videos of a sheet to rows of campaigns, and takes creator, product and account from the row. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { NewVideo } from '../../ledger/videos/watch-list.ts';
import { unguardFormula } from '../../manifest/cells/formula.ts';
import { createKeyReader } from '../../manifest/cells/key.ts';
import { matchHeader } from '../../manifest/headers/header.ts';
import type { VideoColumn, VideoRow } from './video-sheet.ts';

interface RowFacts {
  readonly creator: string;
  readonly product: string;
}

export class CampaignRows {
  readonly #ledger: Ledger;
  readonly #account: { readonly name: string; readonly isGiven: boolean };
  readonly #campaigns = new Map<string, Promise<Campaign | undefined>>();
  /** By campaign, then by key. Campaigns are read only for sheets without these columns. */
  readonly #rows = new Map<string, Promise<ReadonlyMap<string, RowFacts>>>();

  /** @param account of videos that belong to no campaign. Unless somebody has given it, it is for new videos only. */
  constructor(ledger: Ledger, account: { readonly name: string; readonly isGiven: boolean }) {
    this.#ledger = ledger;
    this.#account = account;
  }

  /** @param has returns whether the sheet has a column. */
  async tie(
    videos: readonly VideoRow[],
    has: (column: VideoColumn) => boolean,
  ): Promise<readonly NewVideo[]> {
    const own = await this.#ledger.format.id();
    const complete = has('creator') && has('product_id');
    const tied: NewVideo[] = [];
    for (const { id, url, ledger, campaign: name, ...row } of videos) {
      const isOurs = ledger === '' || ledger === own;
      const campaign = isOurs && name !== '' ? await this.#find(name) : undefined;
      const found = campaign && row.key !== '' && !complete ? await this.#row(campaign, row.key) : undefined;
      tied.push({
        id,
        facts: {
          url,
          campaign: (isOurs && name) || undefined,
          // A key of another ledger would name a row of ours.
          key: (isOurs && row.key) || undefined,
          creator: row.creator || found?.creator || undefined,
          product: row.product || found?.product || undefined,
          label: row.label || undefined,
          tags: row.tags.length > 0 ? row.tags : undefined,
          account: campaign?.account ?? this.#account.name,
        },
        keepsAccount: campaign === undefined && !this.#account.isGiven,
      });
    }
    return tied;
  }

  #find(name: string): Promise<Campaign | undefined> {
    const finding = this.#campaigns.get(name) ?? this.#ledger.campaigns.find(name);
    this.#campaigns.set(name, finding);
    return finding;
  }

  async #row(campaign: Campaign, key: string): Promise<RowFacts | undefined> {
    const reading = this.#rows.get(campaign.id) ?? readRows(this.#ledger, campaign);
    this.#rows.set(campaign.id, reading);
    return (await reading).get(key);
  }
}

async function readRows(ledger: Ledger, campaign: Campaign): Promise<ReadonlyMap<string, RowFacts>> {
  const { header: cells, map } = campaign;
  const header = matchHeader(cells, { allowUnknownColumns: true, allowResultsSheet: true, map });
  const keys = createKeyReader({ header });
  const { creator, product_id: product } = header.indexes;
  const rows = new Map<string, RowFacts>();
  for (let chunk = 0; chunk * chunkSize < campaign.rows; chunk++) {
    for await (const part of ledger.store.parts(campaign, chunk)) {
      for (const { cells, number } of part) {
        const facts = {
          creator: unguardFormula(cells[creator] ?? '')
            .trim()
            .replace(/^@/, ''),
          product: unguardFormula(cells[product] ?? '').trim(),
        };
        rows.set(keys.read(cells, number), facts);
      }
    }
  }
  return rows;
}
