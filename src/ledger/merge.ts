/**
 * Rows of another sheet on their way into a campaign that is there already. They are staged first; then each stored chunk of the
 * campaign takes its rows by one script, which happens or does not. An import that was killed in between is done again: what has
 * been taken is found as it is.
 */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { ColumnMap } from '../manifest/column-map.ts';
import type { RunScript, ScriptArgument } from '../redis/script.ts';
import type { Campaign, CreatorRef, SheetDelimiter } from './campaigns.ts';
import type { LedgerKeys } from './keys.ts';
import type { PlannedPosts } from './planned-posts.ts';
import { StagedRows, stagedForSeconds } from './staged-rows.ts';
import { encodeChunk, type StoredRow } from './stored-rows.ts';

/** What the campaign did not have before the sheet came. */
export interface CampaignExtension {
  /** SHA-256 of the sheet's bytes in lowercase hex. */
  readonly sha256: string;
  readonly header: readonly string[];
  readonly map: ColumnMap;
  /** Separator that its sheets are written with from now on; as before unless given. */
  readonly delimiter?: SheetDelimiter | undefined;
  readonly creators: ReadonlyMap<string, CreatorRef>;
}

/** What is known of a row that does not hold any more once its content has changed. */
export interface OutdatedProgress {
  readonly files: boolean;
  readonly cover: boolean;
  readonly references: boolean;
  readonly generations: boolean;
}

/** A failed or waiting row that goes back to waiting, in its next revision. */
export interface RedoneRow {
  readonly row: number;
  readonly revision: number;
  readonly outdated: OutdatedProgress;
}

export interface ChunkMerge {
  readonly chunk: number;
  /** The chunk as it is stored from now on; undefined where its rows stay as they are. */
  readonly rows: readonly StoredRow[] | undefined;
  readonly redone: readonly RedoneRow[];
  /** How many of `rows`, at its end, are new. */
  readonly added: number;
}

/** Somebody else has changed the campaign meanwhile, or deleted it. */
export class CampaignChangedError extends Error {
  override readonly name = 'CampaignChangedError';
}

export interface MergeTools {
  readonly extend: RunScript;
  readonly merge: RunScript;
  readonly end: RunScript;
  readonly posts: PlannedPosts;
}

export class CampaignMerge {
  readonly #redis: Redis;
  readonly #keys: LedgerKeys;
  readonly #tools: MergeTools;
  readonly #now: () => number;
  readonly #campaign: Campaign;
  /** The sheet's rows, in its order. */
  readonly staged: StagedRows;
  #sheetVersion: number;
  #rows: number;

  constructor(
    redis: Redis,
    keys: LedgerKeys,
    tools: MergeTools,
    run: { readonly campaign: Campaign; readonly now: () => number },
  ) {
    this.#redis = redis;
    this.#keys = keys;
    this.#tools = tools;
    this.#now = run.now;
    this.#campaign = run.campaign;
    this.staged = new StagedRows(redis, keys);
    this.#sheetVersion = run.campaign.sheetVersion;
    this.#rows = run.campaign.rows;
  }

  /** How often the campaign's sheet was changed, these changes included. */
  get sheetVersion(): number {
    return this.#sheetVersion;
  }

  /** Gives the campaign what the sheet's rows need. To be called first. @throws {CampaignChangedError} */
  async extend({ header, map, delimiter, creators }: Omit<CampaignExtension, 'sha256'>): Promise<void> {
    const sheetVersion = await this.#tools.extend([
      ...[this.#campaign.id, this.#sheetVersion, JSON.stringify(header), JSON.stringify([...map])],
      delimiter ?? '',
      ...[...creators].flatMap(([name, account]) => [name, JSON.stringify(account)]),
    ]);
    if (sheetVersion === null) throw this.#changed();
    this.#sheetVersion = Number(sheetVersion);
  }

  /**
   * Puts rows into one chunk of the campaign.
   * @returns rows that cannot go back to waiting, because they are neither waiting nor failed in their revision any more; then
   *   nothing was changed.
   * @throws {CampaignChangedError}
   */
  async mergeChunk({ chunk, rows, redone, added }: ChunkMerge): Promise<readonly number[]> {
    const staged = rows === undefined ? '' : await this.#stage(rows);
    const args: ScriptArgument[] = [
      this.#campaign.id,
      this.#now(),
      this.#sheetVersion,
      chunk,
      staged,
      this.#rows,
      added,
    ];
    for (const { row, revision, outdated } of redone) args.push(row, revision, letters(outdated));
    const [kind, ...rest] = (await this.#tools.merge(args)) as [string, ...number[]];
    if (kind === 'ok') {
      this.#sheetVersion = Number(rest[0]);
      this.#rows += added;
      return [];
    }
    if (staged !== '') await this.#redis.unlink(staged);
    if (kind === 'moved') return rest;
    throw this.#changed();
  }

  /** Remembers the sheet and the posts of the staged rows as the campaign's, and drops what was staged. */
  async finish(sha256: string): Promise<void> {
    const { account, id } = this.#campaign;
    await this.#tools.end([id, sha256]);
    await this.staged.rememberPosts(this.#tools.posts, account, id);
    await this.discard();
  }

  discard(): Promise<void> {
    return this.staged.discard();
  }

  async #stage(rows: readonly StoredRow[]): Promise<string> {
    const key = this.#keys.rows(randomUUID(), 0);
    await this.#redis.set(key, encodeChunk(rows), 'EX', stagedForSeconds);
    return key;
  }

  #changed(): CampaignChangedError {
    return new CampaignChangedError(`campaign ${this.#campaign.id} was changed by somebody else`);
  }
}

/** As `merge-rows.lua` takes them. A generation that is made anew has new assets, whose files are not uploaded yet. */
function letters({ files, cover, references, generations }: OutdatedProgress): string {
  return `${files || generations ? 'f' : ''}${cover ? 'c' : ''}${references ? 'r' : ''}${generations ? 'g' : ''}`;
}
