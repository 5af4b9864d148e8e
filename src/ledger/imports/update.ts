/**
 * Imports rows of another sheet into an existing campaign. The rows are staged first; then one atomic script per stored chunk
 * takes its rows. An import that was killed in between can be repeated: chunks that are done stay as they are.
 */
import { randomUUID } from 'node:crypto';
import type { ColumnMap } from '../../manifest/headers/column-map.ts';
import type { RowVersion } from '../../manifest/row.ts';
import type { ScriptArgument } from '../../platform/redis/script.ts';
import { type Campaign, type CreatorRef, type SheetDelimiter, sheetIdOf } from '../campaigns/campaign.ts';
import { stagedForSeconds } from '../keys.ts';
import { type LedgerContext, LedgerPart } from '../ledger-part.ts';
import type { PlannedPosts, RowPost } from '../planned-posts.ts';
import type { StoredRow } from '../rows/stored-rows.ts';
import { ChunkWriter, StagedRows } from './staged-rows.ts';

/** Everything that the sheet adds to the campaign, apart from rows. */
export interface CampaignExtension {
  readonly sha256: string;
  readonly header: readonly string[];
  readonly map: ColumnMap;
  /** Delimiter of its sheets from now on; default: unchanged. */
  readonly delimiter?: SheetDelimiter | undefined;
  readonly creators: ReadonlyMap<string, CreatorRef>;
}

/** Progress of a row that is out of date, because its content has changed. */
export interface OutdatedProgress {
  readonly files: boolean;
  readonly cover: boolean;
  readonly references: boolean;
  readonly generations: boolean;
}

/** A failed or waiting row that goes back to waiting, in its next revision. */
export interface RedoneRow extends RowVersion {
  readonly outdated: OutdatedProgress;
  /** Whether it may be the same post as another row; default: as before. */
  readonly again?: boolean | undefined;
}

interface ChunkUpdate {
  readonly chunk: number;
  /** The new content of the chunk; undefined when its rows stay as they are. */
  readonly rows: AsyncIterable<StoredRow> | Iterable<StoredRow> | undefined;
  readonly redone: readonly RedoneRow[];
  /** How many of `rows` are new, counted from the end. */
  readonly added: number;
  /** For each new row, '1' if it may be the same post as another row, else '0'; default: none may. */
  readonly again?: string | undefined;
  readonly posts?: readonly RowPost[] | undefined;
}

/** Somebody else changed or deleted the campaign meanwhile, or imported posts of these rows into another one. */
export class CampaignChangedError extends Error {
  override readonly name = 'CampaignChangedError';
}

abstract class ChunkChanges extends LedgerPart {
  protected readonly posts: PlannedPosts;

  constructor(context: LedgerContext, posts: PlannedPosts) {
    super(context);
    this.posts = posts;
  }

  /** Writes a chunk under a temporary name, for a script to take. @returns its key. */
  protected async stage(rows: AsyncIterable<StoredRow> | Iterable<StoredRow>): Promise<string> {
    const key = this.keys.rows(randomUUID(), 0);
    const writer = new ChunkWriter({ redis: this.redis, keyOf: () => key, expiresAfter: stagedForSeconds });
    for await (const row of rows) await writer.add(row);
    await writer.end();
    return key;
  }
}

export class CampaignUpdate extends ChunkChanges {
  readonly #campaign: Campaign;
  readonly staged: StagedRows;
  #sheetVersion: string;
  /** One id for all chunks: jobs that run meanwhile read the campaign again only once. */
  readonly #change = randomUUID();
  #rows: number;
  /** Version of the index of planned posts that the rows were compared with; undefined if they are imported whatever it has. */
  postsVersion: string | undefined;

  /** @param most bytes that the sheet's rows may take, packed; default: any. */
  constructor(context: LedgerContext, posts: PlannedPosts, campaign: Campaign, most?: number) {
    super(context, posts);
    this.#campaign = campaign;
    this.staged = new StagedRows(context, most);
    this.#sheetVersion = campaign.sheetVersion;
    this.#rows = campaign.rows;
  }

  /** `Campaign.importId` from `extend` on. */
  get importId(): string {
    return sheetIdOf(this.#campaign.store, this.#change);
  }

  /** The version of the campaign's sheet, as changed by this import. */
  get sheetVersion(): string {
    return this.#sheetVersion;
  }

  /** Adds columns and creators that the sheet's rows need. Call it first. @throws {CampaignChangedError} */
  async extend({ header, map, delimiter, creators }: Omit<CampaignExtension, 'sha256'>): Promise<void> {
    const sheetVersion = await this.run<string | null>('imports/extend-campaign', [
      ...[this.#campaign.id, this.#sheetVersion, JSON.stringify(header), JSON.stringify([...map])],
      ...[delimiter ?? '', this.#change],
      ...[...creators].flatMap(([name, account]) => [name, JSON.stringify(account)]),
    ]);
    if (sheetVersion === null) throw this.#changed();
    this.#sheetVersion = sheetVersion;
  }

  /** @returns rows that cannot go back to waiting; if there are any, nothing was changed. @throws {CampaignChangedError} */
  async updateChunk(update: ChunkUpdate): Promise<readonly number[]> {
    const { chunk, rows, redone, added, again = '', posts = [] } = update;
    const staged = rows === undefined ? '' : await this.stage(rows);
    const postArguments = await this.posts.chunkArguments(posts);
    for (;;) {
      const args: ScriptArgument[] = [this.#campaign.id, this.clock, this.#sheetVersion, this.#change, chunk];
      args.push(staged, this.#rows, added, this.postsVersion ?? '', again, redone.length);
      for (const each of redone) args.push(each.row, each.revision, letters(each));
      args.push(...postArguments);
      const [kind, ...rest] = await this.run<readonly (string | number)[]>('imports/update-rows', args);
      if (kind === 'ok') {
        this.#sheetVersion = String(rest[0]);
        this.#rows += added;
        if (this.postsVersion !== undefined) this.postsVersion = String(rest[1]);
        return [];
      }
      const isRepeated = kind === 'overtaken' && (await this.#isRepeated());
      if (kind === 'overtaken' && !isRepeated) continue;
      if (staged !== '') await this.redis.unlink(staged);
      if (kind === 'moved') return rest.map(Number);
      if (isRepeated)
        throw new CampaignChangedError('posts of the sheet were imported into another campaign');
      throw this.#changed();
    }
  }

  /** Whether another import has added posts of the sheet's rows since. */
  async #isRepeated(): Promise<boolean> {
    const since = this.postsVersion;
    const version = await this.posts.version();
    if (await this.posts.isRepeatedSince(since, this.staged.posts, this.#campaign.id)) return true;
    this.postsVersion = version;
    return false;
  }

  /** Records the sheet as the campaign's, and drops the staged rows. */
  async finish(sha256: string): Promise<void> {
    await this.run('imports/end-update', [this.#campaign.id, sha256]);
    await this.discard();
  }

  discard(): Promise<void> {
    return this.staged.discard();
  }

  #changed(): CampaignChangedError {
    return new CampaignChangedError(`campaign ${this.#campaign.id} was changed or deleted by someone else`);
  }
}

export interface EditedRow extends RedoneRow {
  /** Description of the change and its author, for the row's history. */
  readonly what: string;
  readonly chunk: number;
  /** The new content of the chunk; undefined when it stays as it is. */
  readonly rows: ChunkUpdate['rows'];
  readonly header: readonly string[];
  readonly map: ColumnMap;
  readonly creator: readonly [string, CreatorRef] | undefined;
  /** Identity of its post, if that has changed. */
  readonly post?: Buffer | undefined;
  readonly postsVersion?: string | undefined;
}

/** Another change of the sheet came first, an import runs, or the row has changed since it was read. */
export type EditRefusal = 'changed' | 'importing' | 'moved';

const importNoticeMs = 30_000;

/** Edits of single rows. They give way to imports into the campaign, which take longer. */
export class RowEdits extends ChunkChanges {
  /** Refuses edits until the returned value is disposed. After a kill, edits are refused for another half minute. */
  async announceImport(campaign: string): Promise<AsyncDisposable> {
    const key = this.keys.importing(campaign);
    const announce = () => this.redis.set(key, '1', 'PX', importNoticeMs);
    await announce();
    // If the notice expires during an outage of Redis, the import notices an edit by its sheet version.
    const timer = setInterval(() => void announce().catch(() => undefined), importNoticeMs / 3);
    timer.unref();
    return {
      [Symbol.asyncDispose]: async () => {
        clearInterval(timer);
        await this.redis.del(key);
      },
    };
  }

  async isImporting(campaign: string): Promise<boolean> {
    return (await this.redis.exists(this.keys.importing(campaign))) === 1;
  }

  /** Changes one row, by one script. @returns undefined when done, else the refusal. */
  async edit(campaign: Campaign, row: EditedRow): Promise<EditRefusal | undefined> {
    const { chunk, rows, header, map, creator, post } = row;
    const staged = rows === undefined ? '' : await this.stage(rows);
    const posts = post === undefined ? [] : [{ row: row.row, post }];
    const reply = await this.run<EditRefusal | 'expired' | 'ok'>('imports/edit-row', [
      ...[campaign.id, this.clock, campaign.sheetVersion, randomUUID(), row.row, row.revision],
      ...[letters(row), chunk, staged, row.what, JSON.stringify(header), JSON.stringify([...map])],
      ...(creator === undefined ? ['', ''] : [creator[0], JSON.stringify(creator[1])]),
      ...[row.postsVersion ?? '', ...(await this.posts.chunkArguments(posts))],
    ]);
    if (reply === 'ok') return undefined;
    if (staged !== '') await this.redis.unlink(staged);
    return reply === 'expired' ? 'changed' : reply;
  }
}

/** Outdated progress, and whether the row may repeat a post, as letters for `update-row.lua`. A new generation has new assets, so its files must be uploaded again too. */
function letters({ outdated, again }: Pick<RedoneRow, 'outdated' | 'again'>): string {
  const { files, cover, references, generations } = outdated;
  const marks = again === undefined ? '' : again ? 'a' : 'n';
  return `${marks}${files || generations ? 'f' : ''}${cover ? 'c' : ''}${references ? 'r' : ''}${generations ? 'g' : ''}`;
}
