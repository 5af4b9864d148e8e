/** Links the videos of a sheet to rows of campaigns, and takes creator, product and account from the row. */
import { LRUCache } from 'lru-cache';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { NewVideo } from '../../ledger/videos/watch-list.ts';
import { CampaignFacts, type RowFacts } from './row-facts.ts';
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
