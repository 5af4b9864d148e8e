/**
 * The import of a manifest: rows are staged chunk by chunk under a name of their own, and become a campaign by one script,
 * which happens or does not. What a killed import leaves behind expires by itself.
 */
import { randomUUID } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import type { ColumnMap } from '../manifest/column-map.ts';
import type { RunScript } from '../redis/script.ts';
import type { CampaignFacts, CreatorRef } from './campaigns.ts';
import { encodeChunk, type StoredRow } from './chunks.ts';
import { chunkSize, type LedgerKeys } from './keys.ts';
import type { PlannedPosts } from './planned-posts.ts';

const stagedForSeconds = 3600;

export type NewCampaign = Omit<
  CampaignFacts,
  'id' | 'rows' | 'store' | 'createdAt' | 'map' | 'canary' | 'stopAfter'
> & {
  /** None unless given. */
  readonly map?: ColumnMap | undefined;
  readonly canary?: number | undefined;
  readonly stopAfter?: number | undefined;
  readonly creators: ReadonlyMap<string, CreatorRef>;
  /** Import the manifest although a campaign was made of it before. */
  readonly again: boolean;
};

/** A row to be imported. */
export interface ImportedRow extends StoredRow {
  /** What makes its post what it is, 8 bytes: `PlannedPosts`. */
  readonly post?: Buffer | undefined;
}

export interface ImportedCampaign {
  readonly id: string;
  /** False: the same manifest was imported before, and that campaign is meant. */
  readonly created: boolean;
}

export class CampaignImport {
  readonly #redis: Redis | Cluster;
  readonly #keys: LedgerKeys;
  readonly #commit: RunScript;
  readonly #posts: PlannedPosts;
  readonly #now: () => number;
  readonly #store = randomUUID();
  #pending: ImportedRow[] = [];
  #chunks = 0;
  #rows = 0;

  constructor(
    redis: Redis | Cluster,
    keys: LedgerKeys,
    { commit, posts }: { readonly commit: RunScript; readonly posts: PlannedPosts },
    now: () => number,
  ) {
    this.#redis = redis;
    this.#keys = keys;
    this.#commit = commit;
    this.#posts = posts;
    this.#now = now;
  }

  /** Stages rows in their order. */
  async add(rows: readonly ImportedRow[]): Promise<void> {
    for (const row of rows) {
      this.#pending.push(row);
      if (this.#pending.length === chunkSize) await this.#flush();
    }
  }

  /** Makes the campaign. The staged rows belong to it from then on, or are dropped. */
  async commit(campaign: NewCampaign): Promise<ImportedCampaign> {
    if (this.#pending.length > 0) await this.#flush();
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
      ...['canary', String(campaign.canary ?? ''), 'stop-after', String(campaign.stopAfter ?? '')],
    ];
    const creators = [...campaign.creators].flatMap(([name, account]) => [name, JSON.stringify(account)]);
    const [id, created] = (await this.#commit([
      ...[campaign.sha256, campaign.again ? '1' : '0', this.#now(), this.#store, this.#chunks, this.#rows],
      ...[facts.length, ...facts, ...creators],
    ])) as [string, string];
    if (created === '0') await this.discard();
    else await this.#rememberPosts(campaign.account, id);
    return { id, created: created === '1' };
  }

  /** After the commit: posts of a campaign that does not come about are nobody's. A crash in between costs warnings, nothing else. */
  async #rememberPosts(account: string, id: string): Promise<void> {
    for (let chunk = 0; chunk < this.#chunks; chunk++) {
      const key = this.#keys.stagedPosts(this.#store, chunk);
      const identities = await this.#redis.getBuffer(key);
      if (identities === null) continue;
      await this.#posts.add(account, id, identities);
      await this.#redis.unlink(key);
    }
  }

  /** Drops what was staged. */
  async discard(): Promise<void> {
    for (let chunk = 0; chunk < this.#chunks; chunk++) {
      await this.#redis.unlink(this.#keys.rows(this.#store, chunk));
      await this.#redis.unlink(this.#keys.stagedPosts(this.#store, chunk));
    }
  }

  async #flush(): Promise<void> {
    const rows = this.#pending;
    const chunk = encodeChunk(rows);
    const posts = rows.flatMap(({ post }) => post ?? []);
    this.#rows += rows.length;
    this.#pending = [];
    await Promise.all([
      this.#redis.set(this.#keys.rows(this.#store, this.#chunks), chunk, 'EX', stagedForSeconds),
      posts.length === 0
        ? undefined
        : this.#redis.set(
            this.#keys.stagedPosts(this.#store, this.#chunks),
            Buffer.concat(posts),
            'EX',
            stagedForSeconds,
          ),
    ]);
    this.#chunks += 1;
  }
}
