/**
 * Imports rows of another sheet into an existing campaign. The rows are staged first; then one atomic script per stored chunk
 * takes its rows. An import that was killed in between can be repeated: chunks that are done stay as they are.
 */
import { randomUUID } from 'node:crypto';
import type { ColumnMap } from '../manifest/column-map.ts';
import type { ScriptArgument } from '../redis/script.ts';
import type { Campaign, CreatorRef, SheetDelimiter } from './campaigns.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { type LedgerContext, LedgerPart } from './part.ts';
import type { PlannedPosts } from './planned-posts.ts';
import { StagedRows, stagedForSeconds } from './staged-rows.ts';
import type { RowVersion } from './steps.ts';
import type { StoredRow } from './stored-rows.ts';

/** What the sheet adds to the campaign, apart from rows. */
export interface CampaignExtension {
  /** SHA-256 of the sheet's bytes in lowercase hex. */
  readonly sha256: string;
  readonly header: readonly string[];
  readonly map: ColumnMap;
  /** Separator that its sheets are written with from now on; as before unless given. */
  readonly delimiter?: SheetDelimiter | undefined;
  readonly creators: ReadonlyMap<string, CreatorRef>;
}

/** Which progress of a row is out of date, because its content has changed. */
export interface OutdatedProgress {
  readonly files: boolean;
  readonly cover: boolean;
  readonly references: boolean;
  readonly generations: boolean;
}

/** A failed or waiting row that goes back to waiting, in its next revision. */
export interface RedoneRow extends RowVersion {
  readonly outdated: OutdatedProgress;
}

export interface ChunkMerge {
  readonly chunk: number;
  /** The new content of the chunk; undefined when its rows stay as they are. */
  readonly rows: AsyncIterable<StoredRow> | Iterable<StoredRow> | undefined;
  readonly redone: readonly RedoneRow[];
  /** How many of `rows` are new, counted from the end. */
  readonly added: number;
}

/** Somebody else changed or deleted the campaign in the meantime. */
export class CampaignChangedError extends Error {
  override readonly name = 'CampaignChangedError';
}

export class CampaignMerge extends LedgerPart {
  readonly #posts: PlannedPosts;
  readonly #campaign: Campaign;
  /** The sheet's rows, in its order. */
  readonly staged: StagedRows;
  #sheetVersion: number;
  #rows: number;

  constructor(context: LedgerContext, posts: PlannedPosts, campaign: Campaign) {
    super(context);
    this.#posts = posts;
    this.#campaign = campaign;
    this.staged = new StagedRows(context);
    this.#sheetVersion = campaign.sheetVersion;
    this.#rows = campaign.rows;
  }

  /** How often the campaign's sheet was changed, including by this import. */
  get sheetVersion(): number {
    return this.#sheetVersion;
  }

  /** Adds columns and creators that the sheet's rows need. Call it first. @throws {CampaignChangedError} */
  async extend({ header, map, delimiter, creators }: Omit<CampaignExtension, 'sha256'>): Promise<void> {
    const sheetVersion = await this.run<string | null>('extend-campaign', [
      ...[this.#campaign.id, this.#sheetVersion, JSON.stringify(header), JSON.stringify([...map])],
      delimiter ?? '',
      ...[...creators].flatMap(([name, account]) => [name, JSON.stringify(account)]),
    ]);
    if (sheetVersion === null) throw this.#changed();
    this.#sheetVersion = Number(sheetVersion);
  }

  /**
   * Merges rows into one chunk of the campaign.
   * @returns rows that cannot go back to waiting, because they are no longer waiting or failed in their revision. If there are
   *   any, nothing was changed.
   * @throws {CampaignChangedError}
   */
  async mergeChunk({ chunk, rows, redone, added }: ChunkMerge): Promise<readonly number[]> {
    const staged = rows === undefined ? '' : await this.#stage(rows);
    const args: ScriptArgument[] = [this.#campaign.id, this.now(), this.#sheetVersion, chunk];
    args.push(staged, this.#rows, added);
    for (const { row, revision, outdated } of redone) args.push(row, revision, letters(outdated));
    const [kind, ...rest] = await this.run<[string, ...number[]]>('merge-rows', args);
    if (kind === 'ok') {
      this.#sheetVersion = Number(rest[0]);
      this.#rows += added;
      return [];
    }
    if (staged !== '') await this.redis.unlink(staged);
    if (kind === 'moved') return rest;
    throw this.#changed();
  }

  /** Records the sheet and its posts as the campaign's, and drops the staged rows. */
  async finish(sha256: string): Promise<void> {
    const { account, id } = this.#campaign;
    await this.run('end-merge', [id, sha256]);
    await this.staged.rememberPosts(this.#posts, account, id);
    await this.discard();
  }

  discard(): Promise<void> {
    return this.staged.discard();
  }

  async #stage(rows: AsyncIterable<StoredRow> | Iterable<StoredRow>): Promise<string> {
    const key = this.keys.rows(randomUUID(), 0);
    const writer = new ChunkWriter({
      redis: this.redis,
      keyOf: () => key,
      expiresAfter: stagedForSeconds,
    });
    for await (const row of rows) await writer.add(row);
    await writer.end();
    return key;
  }

  #changed(): CampaignChangedError {
    return new CampaignChangedError(`campaign ${this.#campaign.id} was changed or deleted by somebody else`);
  }
}

/** As `merge-rows.lua` takes them. A new generation has new assets, so its files must be uploaded again too. */
function letters({ files, cover, references, generations }: OutdatedProgress): string {
  return `${files || generations ? 'f' : ''}${cover ? 'c' : ''}${references ? 'r' : ''}${generations ? 'g' : ''}`;
}
