/** Campaigns: their facts, counters and states. A campaign is one imported manifest with its rows, options and results. */
import type { Redis } from 'ioredis';
import type { ColumnMap } from '../manifest/column-map.ts';
import type { RunScript } from '../redis/script.ts';
import type { LedgerKeys } from './keys.ts';
import { type RowState, rowStates, type Step, steps } from './states.ts';

/** `cancelling`: it has been called off, and not all of its rows are cancelled yet. */
export type CampaignState = 'running' | 'paused' | 'cancelling' | 'ended';

/** Why a campaign is paused: `code` is stable (`paused`, `key_refused`, `canary`, `stop_after`). */
export interface PauseReason {
  readonly code: string;
  readonly message: string;
}

/** What was given to a campaign; only an import into it changes any of it. */
export interface CampaignFacts {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the manifest's bytes. */
  readonly sha256: string;
  /** Number of rows. */
  readonly rows: number;
  /** Where its rows are stored. */
  readonly store: string;
  /** How often an import into the campaign has changed its sheet: header, creators or rows. */
  readonly sheetVersion: number;
  readonly header: readonly string[];
  /** Columns that headers stand for, as they were mapped at import. */
  readonly map: ColumnMap;
  readonly account: string;
  /** Absolute path that local media are relative to. */
  readonly mediaRoot: string;
  /** Zone of times without one, as it was set at import. */
  readonly timezone: string | null;
  /** The manifest's path as it was given. */
  readonly source: string;
  /** Rows in flight at once. */
  readonly window: number;
  /** Rows of the manifest that had problems and were not imported. */
  readonly leftOut: number;
  /** It holds itself after so many rows, once; null for never. */
  readonly canary: number | null;
  /** It holds itself when more than this percentage of the rows that ended have failed or need a decision; null for never. */
  readonly stopAfter: number | null;
  /** Unix epoch, milliseconds. */
  readonly createdAt: number;
}

export interface Campaign extends CampaignFacts {
  readonly state: CampaignState;
  readonly pauseReason: PauseReason | undefined;
  readonly endedAt: number | undefined;
  /** When it was called off; undefined for a campaign that was not. */
  readonly cancelledAt: number | undefined;
  /** How many of its waiting rows may be admitted before its canary holds it; undefined where none does (any more). */
  readonly canaryRoom: number | undefined;
  /** When it was let go on last, after a pause. */
  readonly resumedAt: number | undefined;
  readonly counts: Readonly<Record<RowState, number>>;
  /** Running rows that wait for the time of their generation; they do not count against the window. */
  readonly asleep: number;
  /** Rows before this one have been admitted at least once. */
  readonly cursor: number;
  /** How many times rows were admitted. */
  readonly admissions: number;
  /** How many steps have ended well. */
  readonly done: Readonly<Record<Step, number>>;
}

/** Whether rows of it are, or may be, at work: it has neither ended nor been held. */
export function isUnderWay({ state }: Pick<Campaign, 'state'>): boolean {
  return state === 'running' || state === 'cancelling';
}

/** The account of one creator as the import found it. */
export interface CreatorRef {
  /** Account id: a number, or its digits beyond 2^53. */
  readonly id: number | string;
  readonly creatorId: string;
  readonly username: string;
  readonly oauthRegion?: string | undefined;
}

export class CampaignLedger {
  readonly #redis: Redis;
  readonly #keys: LedgerKeys;
  readonly #pause: RunScript;
  readonly #now: () => number;

  constructor(redis: Redis, keys: LedgerKeys, pause: RunScript, now: () => number) {
    this.#redis = redis;
    this.#keys = keys;
    this.#pause = pause;
    this.#now = now;
  }

  /** @returns undefined when there is no such campaign. */
  async find(id: string): Promise<Campaign | undefined> {
    const fields = await this.#redis.hgetall(this.#keys.campaign(id));
    return fields.id === undefined ? undefined : parseCampaign(fields);
  }

  /** As `Campaign.sheetVersion`, by itself; undefined when there is no such campaign. */
  async sheetVersion(id: string): Promise<number | undefined> {
    const [known, sheetVersion] = await this.#redis.hmget(this.#keys.campaign(id), 'id', 'edits');
    return known ? Number(sheetVersion ?? 0) : undefined;
  }

  /** All campaigns, newest first. */
  async list(): Promise<readonly Campaign[]> {
    const ids = await this.#redis.zrevrange(this.#keys.campaigns, '0', '-1');
    const found = await Promise.all(ids.map((id) => this.find(id)));
    return found.filter((campaign) => campaign !== undefined);
  }

  /** The newest campaign made of a manifest with this SHA-256. */
  async findByManifest(sha256: string): Promise<Campaign | undefined> {
    const id = await this.#redis.hget(this.#keys.manifests, sha256);
    return id === null ? undefined : this.find(id);
  }

  /** The id of a deleted campaign with posts that was made of a manifest with this SHA-256; undefined where none was. */
  async findDeleted(sha256: string): Promise<string | undefined> {
    const id = await this.#redis.hget(this.#keys.manifests, sha256);
    return id !== null && (await this.find(id)) === undefined ? id : undefined;
  }

  /** Creators as the manifest writes them. */
  async creators(id: string): Promise<ReadonlyMap<string, CreatorRef>> {
    const all = await this.#redis.hgetall(this.#keys.creators(id));
    return new Map(Object.entries(all).map(([name, account]) => [name, JSON.parse(account) as CreatorRef]));
  }

  /** Holds a running campaign: its rows send nothing more until it is resumed. */
  async pause(id: string, reason: PauseReason): Promise<CampaignState | undefined> {
    return this.#turn(id, 'pause', reason);
  }

  /** Lets a paused campaign go on; its admission job has to be added again. */
  async resume(id: string): Promise<CampaignState | undefined> {
    return this.#turn(id, 'resume', undefined);
  }

  async #turn(id: string, what: 'pause' | 'resume', reason: PauseReason | undefined) {
    const state = await this.#pause([id, what, reason ? JSON.stringify(reason) : '', this.#now()]);
    return (state as CampaignState | null) ?? undefined;
  }
}

function parseCampaign(fields: Readonly<Record<string, string>>): Campaign {
  const number = (name: string) => Number(fields[name] ?? 0);
  const optional = (name: string) => (fields[name] ? Number(fields[name]) : undefined);
  const canary = optional('canary');
  const begun = number('rows') - number('waiting');
  return {
    id: fields.id ?? '',
    name: fields.name ?? '',
    sha256: fields.sha256 ?? '',
    rows: number('rows'),
    store: fields.store ?? '',
    // Stored as `edits`: the name of the field in ledgers that are in use.
    sheetVersion: number('edits'),
    header: JSON.parse(fields.header ?? '[]'),
    map: new Map(JSON.parse(fields.map ?? '[]')),
    account: fields.account ?? 'default',
    mediaRoot: fields.mediaRoot ?? '',
    timezone: fields.timezone || null,
    source: fields.source ?? '',
    window: number('window'),
    leftOut: number('leftOut'),
    canary: canary ?? null,
    stopAfter: optional('stop-after') ?? null,
    createdAt: number('created'),
    state: fields.state as CampaignState,
    pauseReason: fields.paused ? JSON.parse(fields.paused) : undefined,
    endedAt: optional('ended'),
    cancelledAt: optional('cancelled-at'),
    resumedAt: optional('resumed'),
    canaryRoom: canary === undefined || fields['canary-held'] ? undefined : Math.max(0, canary - begun),
    counts: Object.fromEntries(rowStates.map((state) => [state, number(state)])) as Record<RowState, number>,
    asleep: number('asleep'),
    cursor: number('cursor'),
    admissions: number('admissions'),
    done: Object.fromEntries(steps.map((step) => [step, number(`done:${step}`)])) as Record<Step, number>,
  };
}
