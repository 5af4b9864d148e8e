/** Finds campaigns, and changes their states. */
import { creatorIn } from '../../manifest/cells/id.ts';
import type { Step } from '../../manifest/steps.ts';
import { LedgerPart } from '../ledger-part.ts';
import { isOfOtherType, readAllStored, UnreadableRecordError, unlessOfOtherType } from '../stored-json.ts';
import {
  type Campaign,
  type CampaignState,
  type CreatorRef,
  creatorRef,
  type PauseReason,
  parseCampaign,
  sheetIdOf,
} from './campaign.ts';

/** A campaign whose record the ledger did not write. */
export interface UnreadableCampaign {
  readonly id: string;
  readonly key: string;
}

const longestName = 200;

export class CampaignLedger extends LedgerPart {
  /** @throws {UnreadableRecordError} for a foreign record. As a missing one, its manifest could be imported again. */
  async find(id: string): Promise<Campaign | undefined> {
    const key = this.keys.campaign(id);
    const fields = await this.redis.hgetall(key).catch((error: unknown) => {
      throw isOfOtherType(error) ? new UnreadableRecordError(key) : error;
    });
    return fields.id === undefined ? undefined : parseCampaign(key, fields);
  }

  /** Only `Campaign.sheetVersion`; undefined when there is no such campaign. */
  async sheetVersion(id: string): Promise<string | undefined> {
    const fields = ['id', 'store', 'sheet', 'sheet_version'] as const;
    const [known, store, sheet, version] = await this.redis.hmget(this.keys.campaign(id), ...fields);
    return known ? `${sheetIdOf(store, sheet)} ${version ?? '0'}` : undefined;
  }

  /** All campaigns, newest first, except those that cannot be read: one damaged record must not keep the others from their work. */
  async list(): Promise<readonly Campaign[]> {
    return (await this.survey()).campaigns;
  }

  /** All campaigns, newest first, for removals of what any of them may need. @throws {UnreadableRecordError} */
  async listAll(): Promise<readonly Campaign[]> {
    const { campaigns, unreadable } = await this.survey();
    for (const { key } of unreadable) throw new UnreadableRecordError(key);
    return campaigns;
  }

  /** As `list`, with those that cannot be read. */
  async survey() {
    const ids = await this.ids();
    const reading = await Promise.allSettled(ids.map((id) => this.find(id)));
    const campaigns: Campaign[] = [];
    const unreadable: UnreadableCampaign[] = [];
    for (const [index, read] of reading.entries()) {
      if (read.status === 'fulfilled') campaigns.push(...(read.value ? [read.value] : []));
      else if (read.reason instanceof UnreadableRecordError)
        unreadable.push({ id: ids[index] ?? '', key: read.reason.key });
      else throw read.reason;
    }
    return { campaigns, unreadable };
  }

  /** Ids of all campaigns, newest first. */
  ids(): Promise<readonly string[]> {
    return this.redis.zrevrange(this.keys.campaigns, '0', '-1');
  }

  async count(): Promise<number> {
    return Number(await this.redis.zcard(this.keys.campaigns));
  }

  /** The newest campaign imported from a manifest with this SHA-256. */
  async findByManifest(sha256: string): Promise<Campaign | undefined> {
    const id = await this.redis.hget(this.keys.manifests, sha256);
    return id === null ? undefined : this.find(id);
  }

  /** The campaign that a request has made, as long as that is remembered. @param origin digest of the request. */
  async findByOrigin(origin: string): Promise<Campaign | undefined> {
    const id = await this.redis.get(this.keys.origin(origin));
    return id === null ? undefined : this.find(id);
  }

  /** Id of a deleted campaign that was imported from this manifest and had posts; undefined for none. */
  async findDeleted(sha256: string): Promise<string | undefined> {
    const id = await this.redis.hget(this.keys.manifests, sha256);
    return id !== null && (await this.find(id)) === undefined ? id : undefined;
  }

  /** By `Row.creator`. */
  async creators(id: string): Promise<ReadonlyMap<string, CreatorRef>> {
    const all = await this.redis.hgetall(this.keys.creators(id));
    // Earlier versions kept names with their `@`.
    const named = Object.entries(all).map(([name, text]) => [creatorIn(name), text] as const);
    return new Map(readAllStored(creatorRef, named));
  }

  creatorCount(id: string): Promise<number> {
    return this.redis.hlen(this.keys.creators(id));
  }

  /** Whether each campaign has rows of a creator. */
  async haveCreator(ids: readonly string[], name: string): Promise<readonly boolean[]> {
    const pipeline = this.redis.pipeline();
    const creator = creatorIn(name);
    for (const id of ids) pipeline.hmget(this.keys.creators(id), creator, `@${creator}`);
    const accounts = (await this.exec(pipeline)) as readonly (readonly (string | null)[])[];
    return accounts.map((found) => found.some((account) => account !== null));
  }

  /** Keys of a wrong type among those that these campaigns have exactly one of. */
  damagedKeys(ids: readonly string[]): Promise<readonly string[]> {
    return this.run('campaigns/damaged-keys', ids);
  }

  /** Rows that wait for a person, over all campaigns: in review, and for an approval. */
  async forPeople(): Promise<Readonly<Record<'review' | 'unapproved', number>>> {
    const keys = (await this.ids()).map((id) => this.keys.campaign(id));
    // Every page asks: it must be there also to name a damaged campaign.
    const reading = keys.map((key) => unlessOfOtherType(this.redis.hmget(key, 'review', 'unapproved'), []));
    const counts = await Promise.all(reading);
    const sum = (at: number) => counts.reduce((of, each) => of + Number(each[at] ?? 0), 0);
    return { review: sum(0), unapproved: sum(1) };
  }

  async underWay(): Promise<readonly { readonly id: string; readonly ended: number }[]> {
    const ids = await this.ids();
    const pipeline = this.redis.pipeline();
    for (const id of ids) pipeline.hmget(this.keys.campaign(id), 'state', 'rows', 'waiting', 'running');
    const replies = (await this.exec(pipeline)) as readonly (readonly (string | null)[])[];
    return replies.flatMap(([state, rows, waiting, running], index) => {
      const id = ids[index];
      if (id === undefined || (state !== 'running' && state !== 'cancelling')) return [];
      return [{ id, ended: Number(rows) - Number(waiting) - Number(running) }];
    });
  }

  /** Pauses a running campaign: its rows send nothing until it is resumed. @param by name of the person, if it is one. */
  async pause(id: string, reason: PauseReason, by = ''): Promise<CampaignState | undefined> {
    return this.#turn(id, 'pause', reason, by);
  }

  /** Resumes a paused campaign; the caller must add its admission job again. @param by name of the person, if it is one. */
  async resume(id: string, by = ''): Promise<CampaignState | undefined> {
    return this.#turn(id, 'resume', undefined, by);
  }

  /** @returns how many creators in a row lacked the permission for a step: no row passed it meanwhile, and nobody resumed the campaign. */
  countForbidden(id: string, step: Step, creatorId: string): Promise<number> {
    return this.run('campaigns/count-forbidden', [id, step, creatorId]);
  }

  async #turn(id: string, what: 'pause' | 'resume', reason: PauseReason | undefined, by: string) {
    const args = [id, what, reason ? JSON.stringify(reason) : '', this.clock, by.slice(0, longestName)];
    return (await this.run<CampaignState | null>('campaigns/pause', args)) ?? undefined;
  }
}
