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

const stagedForSeconds = 3600;

export type NewCampaign = Omit<CampaignFacts, 'id' | 'rows' | 'store' | 'createdAt' | 'map'> & {
  /** None unless given. */
  readonly map?: ColumnMap | undefined;
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
  readonly #redis: Redis | Cluster;
  readonly #keys: LedgerKeys;
  readonly #commit: RunScript;
  readonly #now: () => number;
  readonly #store = randomUUID();
  #pending: StoredRow[] = [];
  #chunks = 0;
  #rows = 0;

  constructor(redis: Redis | Cluster, keys: LedgerKeys, commit: RunScript, now: () => number) {
    this.#redis = redis;
    this.#keys = keys;
    this.#commit = commit;
    this.#now = now;
  }

  /** Stages rows in their order. */
  async add(rows: readonly StoredRow[]): Promise<void> {
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
    ];
    const creators = [...campaign.creators].flatMap(([name, account]) => [name, JSON.stringify(account)]);
    const [id, created] = (await this.#commit([
      ...[campaign.sha256, campaign.again ? '1' : '0', this.#now(), this.#store, this.#chunks, this.#rows],
      ...[facts.length, ...facts, ...creators],
    ])) as [string, string];
    if (created === '0') await this.discard();
    return { id, created: created === '1' };
  }

  /** Drops what was staged. */
  async discard(): Promise<void> {
    for (let chunk = 0; chunk < this.#chunks; chunk++)
      await this.#redis.unlink(this.#keys.rows(this.#store, chunk));
  }

  async #flush(): Promise<void> {
    const chunk = encodeChunk(this.#pending);
    this.#rows += this.#pending.length;
    this.#pending = [];
    await this.#redis.set(this.#keys.rows(this.#store, this.#chunks), chunk, 'EX', stagedForSeconds);
    this.#chunks += 1;
  }
}
