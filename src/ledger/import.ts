/**
 * The import of a manifest: its rows are staged under a name of their own, and become a campaign by one script, which happens or does
 * not.
 */
import type { Redis } from 'ioredis';
import type { ColumnMap } from '../manifest/column-map.ts';
import type { RunScript } from '../redis/script.ts';
import type { CampaignFacts, CreatorRef, SheetDelimiter } from './campaigns.ts';
import type { LedgerKeys } from './keys.ts';
import type { PlannedPosts } from './planned-posts.ts';
import { type ImportedRow, StagedRows } from './staged-rows.ts';

export type NewCampaign = Omit<
  CampaignFacts,
  'id' | 'rows' | 'store' | 'sheetVersion' | 'createdAt' | 'map' | 'delimiter' | 'canary' | 'stopAfter'
> & {
  /** None unless given. */
  readonly map?: ColumnMap | undefined;
  /** A comma unless given. */
  readonly delimiter?: SheetDelimiter | undefined;
  readonly canary?: number | undefined;
  readonly stopAfter?: number | undefined;
  readonly creators: ReadonlyMap<string, CreatorRef>;
  /** Import the manifest although a campaign was made of it before. */
  readonly again: boolean;
};

export interface ImportedCampaign {
  readonly id: string;
  /** False: the same manifest was imported before, and that campaign is meant. */
  readonly created: boolean;
}

export class CampaignImport {
  readonly #staged: StagedRows;
  readonly #commit: RunScript;
  readonly #posts: PlannedPosts;
  readonly #now: () => number;

  constructor(
    redis: Redis,
    keys: LedgerKeys,
    { commit, posts }: { readonly commit: RunScript; readonly posts: PlannedPosts },
    now: () => number,
  ) {
    this.#staged = new StagedRows(redis, keys);
    this.#commit = commit;
    this.#posts = posts;
    this.#now = now;
  }

  /** Stages rows in their order. */
  add(rows: readonly ImportedRow[]): Promise<void> {
    return this.#staged.add(rows);
  }

  /** Makes the campaign. The staged rows belong to it from then on, or are dropped. */
  async commit(campaign: NewCampaign): Promise<ImportedCampaign> {
    await this.#staged.flush();
    const { store, chunks, rows } = this.#staged;
    const facts = [
      ...['name', campaign.name, 'header', JSON.stringify(campaign.header), 'account', campaign.account],
      ...['mediaRoot', campaign.mediaRoot, 'timezone', campaign.timezone ?? '', 'source', campaign.source],
      ...[
        'map',
        JSON.stringify([...(campaign.map ?? [])]),
        'window',
        String(campaign.window),
        'leftOut',
        String(campaign.leftOut),
      ],
      ...['delimiter', campaign.delimiter ?? ','],
      ...['canary', String(campaign.canary ?? ''), 'stop-after', String(campaign.stopAfter ?? '')],
    ];
    const creators = [...campaign.creators].flatMap(([name, account]) => [name, JSON.stringify(account)]);
    const [id, created] = (await this.#commit([
      ...[campaign.sha256, campaign.again ? '1' : '0', this.#now(), store, chunks, rows],
      ...[facts.length, ...facts, ...creators],
    ])) as [string, string];
    if (created === '0') await this.discard();
    else await this.#staged.rememberPosts(this.#posts, campaign.account, id);
    return { id, created: created === '1' };
  }

  /** Drops what was staged. */
  discard(): Promise<void> {
    return this.#staged.discard();
  }
}
