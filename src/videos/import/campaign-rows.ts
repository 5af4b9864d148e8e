/** Links the videos of a sheet to rows of campaigns, and takes creator, product and account from the row. */
import { LRUCache } from 'lru-cache';
import { type HashWords, hashText } from '../../importers/check/distinct-count.ts';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { NewVideo } from '../../ledger/videos/watch-list.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import { createKeyReader, type KeyReader } from '../../manifest/cells/key.ts';
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
    return tied.map((each) => {
      const { video, campaign } = each;
      return this.#newVideo(each, campaign && facts.get(campaign.id)?.get(video.key));
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

/** Creator and product of a campaign's rows, by key. Up to 24 bytes a row are held; the facts are read when they are asked for. */
class CampaignFacts {
  readonly #ledger: Ledger;
  readonly #campaign: Campaign;
  readonly #indexes: ColumnIndexes;
  readonly #keys: KeyReader;
  /** A hash table of two words a slot: position of the row, from 1, and the second word of the hash of its key. */
  readonly #slots: Uint32Array;
  readonly #words: HashWords = new Uint32Array(2);

  private constructor(ledger: Ledger, campaign: Campaign) {
    this.#ledger = ledger;
    this.#campaign = campaign;
    const { header: cells, map } = campaign;
    const header = matchHeader(cells, { allowUnknownColumns: true, allowResultsSheet: true, map });
    this.#indexes = header.indexes;
    this.#keys = createKeyReader({ header });
    // A third of the slots stays empty at least.
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(campaign.rows * 1.5 + 1)) * 2);
  }

  /** Reads all rows of a campaign, chunk by chunk. */
  static async read(ledger: Ledger, campaign: Campaign): Promise<CampaignFacts> {
    const facts = new CampaignFacts(ledger, campaign);
    for (let first = 0; first < campaign.rows; first += chunkSize) {
      let row = first;
      for await (const part of ledger.store.parts(campaign, first / chunkSize)) {
        for (const { cells, number } of part) {
          if (row < campaign.rows) facts.#add(row, facts.#keys.read(cells, number));
          row += 1;
        }
      }
    }
    return facts;
  }

  /** Bytes that it holds. */
  get bytes(): number {
    return this.#slots.byteLength;
  }

  /** The facts of the rows that have these keys. */
  async find(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, RowFacts>> {
    const rows = new Set([...keys].flatMap((key) => this.#rowsOf(key)));
    const chunks = new Set([...rows].map((row) => Math.floor(row / chunkSize)));
    const found = new Map<string, RowFacts>();
    for (const chunk of [...chunks].sort((one, other) => one - other)) {
      let row = chunk * chunkSize;
      for await (const part of this.#ledger.store.parts(this.#campaign, chunk)) {
        for (const { cells, number } of part) {
          // Hashes may collide: the key itself decides.
          const key = rows.has(row) ? this.#keys.read(cells, number) : undefined;
          if (key !== undefined && keys.has(key)) found.set(key, this.#factsOf(cells));
          row += 1;
        }
      }
    }
    return found;
  }

  #factsOf(cells: readonly string[]): RowFacts {
    const text = (column: number) => textOfCell(cells, column);
    const { creator, product_id: product } = this.#indexes;
    return { creator: text(creator).replace(/^@/, ''), product: text(product) };
  }

  #add(row: number, key: string): void {
    let at = this.#firstSlot(key);
    while (this.#slots[at] !== 0) at = (at + 2) % this.#slots.length;
    this.#slots[at] = row + 1;
    this.#slots[at + 1] = this.#words[1] ?? 0;
  }

  /** Rows whose keys have the hash of this one. */
  #rowsOf(key: string): readonly number[] {
    const rows: number[] = [];
    for (let at = this.#firstSlot(key); this.#slots[at] !== 0; at = (at + 2) % this.#slots.length) {
      if (this.#slots[at + 1] === this.#words[1]) rows.push((this.#slots[at] ?? 0) - 1);
    }
    return rows;
  }

  #firstSlot(key: string): number {
    hashText(this.#words, key);
    return ((this.#words[0] ?? 0) * 2) % this.#slots.length;
  }
}
