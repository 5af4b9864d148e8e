/** Links the videos of a sheet to rows of campaigns, and takes creator, product and account from the row. */
import { LRUCache } from 'lru-cache';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { NewVideo } from '../../ledger/videos/watch-list.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import { createKeyReader, indexedKey, type KeyReader } from '../../manifest/cells/key.ts';
import { type ColumnIndexes, matchHeader } from '../../manifest/headers/header.ts';
import type { VideoColumn, VideoRow } from './video-sheet.ts';

/** A video with its campaign. */
interface Tied {
  readonly video: VideoRow;
  /** False: its campaign and key are those of another ledger. */
  readonly isOurs: boolean;
  /** Undefined if there is none of this id: it is a name of the planner's own. */
  readonly campaign: Campaign | undefined;
}

/** A sheet may name any number of them. */
const campaignsKept = 100;
/** Most memory for the rows of several campaigns, in bytes. A single campaign may exceed it. */
const mostHeld = 32 * 1024 * 1024;

export class CampaignRows {
  readonly #ledger: Ledger;
  readonly #account: { readonly name: string; readonly isGiven: boolean };
  readonly #campaigns = new LRUCache<string, { readonly found: Promise<Campaign | undefined> }>({
    max: campaignsKept,
  });
  /** By campaign, the last used at the end. Only campaigns of sheets that lack these columns are read. */
  readonly #facts = new Map<string, CampaignFacts>();

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
    const tied: Tied[] = [];
    for (const video of videos) {
      const isOurs = video.ledger === '' || video.ledger === own;
      const campaign = isOurs && video.campaign !== '' ? await this.#find(video.campaign) : undefined;
      tied.push({ video, isOurs, campaign });
    }
    const isComplete = has('creator') && has('product_id');
    const facts = isComplete ? new Map<string, never>() : await this.#factsOf(tied);
    return tied.map((entry) => {
      const { video, campaign } = entry;
      return this.#newVideo(entry, campaign && facts.get(campaign.id)?.get(video.key));
    });
  }

  #newVideo({ video, isOurs, campaign }: Tied, found: RowFacts | undefined): NewVideo {
    const { id, url, campaign: name, ...row } = video;
    return {
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
    };
  }

  #find(name: string): Promise<Campaign | undefined> {
    const { found } = this.#campaigns.get(name) ?? { found: this.#ledger.campaigns.find(name) };
    this.#campaigns.set(name, { found });
    return found;
  }

  /** Facts of the rows by campaign, then by key. */
  async #factsOf(tied: readonly Tied[]): Promise<ReadonlyMap<string, ReadonlyMap<string, RowFacts>>> {
    const asked = new Map<string, { readonly campaign: Campaign; readonly keys: Set<string> }>();
    for (const { campaign, video } of tied) {
      if (campaign === undefined || video.key === '') continue;
      const { keys } = asked.get(campaign.id) ?? { keys: new Set<string>() };
      asked.set(campaign.id, { campaign, keys: keys.add(video.key) });
    }
    const found = new Map<string, ReadonlyMap<string, RowFacts>>();
    for (const { campaign, keys } of asked.values()) {
      const facts = this.#facts.get(campaign.id) ?? (await CampaignFacts.read(this.#ledger, campaign));
      this.#facts.delete(campaign.id);
      this.#facts.set(campaign.id, facts);
      this.#forgetOld();
      found.set(campaign.id, await facts.find(keys));
    }
    return found;
  }

  #forgetOld(): void {
    let held = [...this.#facts.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [id, { bytes }] of this.#facts) {
      if (held <= mostHeld || this.#facts.size === 1) return;
      this.#facts.delete(id);
      held -= bytes;
    }
  }
}

interface RowFacts {
  readonly creator: string;
  readonly product: string;
}

/** Creator and product of a campaign's rows, by key. About 100 bytes a row are held; the facts are read when they are asked for. */
class CampaignFacts {
  readonly #ledger: Ledger;
  readonly #campaign: Campaign;
  readonly #indexes: ColumnIndexes;
  readonly #keys: KeyReader;
  readonly #rowByKey = new Map<string, number>();

  private constructor(ledger: Ledger, campaign: Campaign) {
    this.#ledger = ledger;
    this.#campaign = campaign;
    const { header: cells, map } = campaign;
    const header = matchHeader(cells, { allowUnknownColumns: true, allowResultsSheet: true, map });
    this.#indexes = header.indexes;
    this.#keys = createKeyReader({ header });
  }

  /** Reads all rows of a campaign, chunk by chunk. */
  static async read(ledger: Ledger, campaign: Campaign): Promise<CampaignFacts> {
    const facts = new CampaignFacts(ledger, campaign);
    for (let first = 0; first < campaign.rows; first += chunkSize) {
      for await (const { row, key } of facts.#rowsOf(first / chunkSize)) {
        if (row < campaign.rows) facts.#rowByKey.set(indexedKey(key), row);
      }
    }
    return facts;
  }

  /** Bytes that it holds. */
  get bytes(): number {
    return this.#rowByKey.size * 100;
  }

  /** The facts of the rows that have these keys. */
  async find(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, RowFacts>> {
    const rows = [...keys]
      .map((key) => this.#rowByKey.get(indexedKey(key)))
      .filter((row) => row !== undefined);
    const chunks = new Set(rows.map((row) => Math.floor(row / chunkSize)));
    const found = new Map<string, RowFacts>();
    for (const chunk of [...chunks].sort((one, other) => one - other)) {
      for await (const { key, cells } of this.#rowsOf(chunk)) {
        if (keys.has(key)) found.set(key, this.#factsOf(cells));
      }
    }
    return found;
  }

  async *#rowsOf(chunk: number) {
    let row = chunk * chunkSize;
    for await (const part of this.#ledger.store.parts(this.#campaign, chunk)) {
      for (const { cells, number } of part) {
        yield { row, key: this.#keys.read(cells, number), cells };
        row += 1;
      }
    }
  }

  #factsOf(cells: readonly string[]): RowFacts {
    const text = (column: number) => textOfCell(cells, column);
    const { creator, product_id: product } = this.#indexes;
    return { creator: text(creator).replace(/^@/, ''), product: text(product) };
  }
}
