/** Campaigns as processors see them: facts, creators and checked rows, cached per process for a while. */
import { LRUCache } from 'lru-cache';
import type { Campaign, CreatorRef } from '../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { StoredRow } from '../../ledger/rows/stored-rows.ts';
import { createImportedRowReader, type RowReader } from '../../manifest/reader.ts';
import type { Row, RowVersion } from '../../manifest/row.ts';
import { isDamage, isRedisFailure } from '../../platform/redis/refusal.ts';

/** A stored row that this version of the runner cannot read. */
export class UnreadableRowError extends Error {
  override readonly name = 'UnreadableRowError';
}

/** Size of a row in the cache beside its cells, in characters: names of fields and what is the same for all. */
const fixedSize = 300;

export class CampaignView {
  /** As last read: the facts are current, the counters are not. */
  readonly campaign: Campaign;
  readonly #creators: ReadonlyMap<string, CreatorRef>;
  readonly #ledger: Ledger;
  readonly #reader: RowReader;
  readonly #rows: RowCache;

  constructor(campaign: Campaign, creators: ReadonlyMap<string, CreatorRef>, ledger: Ledger, rows: RowCache) {
    this.campaign = campaign;
    this.#creators = creators;
    this.#ledger = ledger;
    this.#rows = rows;
    this.#reader = createImportedRowReader(campaign);
  }

  /** @throws {UnreadableRowError} when the stored cells do not form a valid row. */
  async row(index: number): Promise<Row> {
    const name = `${this.campaign.sheetVersion} ${index}`;
    const known = this.#rows.get(name);
    if (known) return known;
    const stored = await this.#stored(index);
    const row = this.#parse(stored);
    const size = stored.cells.reduce((sum, { length }) => sum + length, fixedSize);
    this.#rows.set(name, row, { size: Math.max(size, leastSize) });
    return row;
  }

  #parse(stored: StoredRow): Row {
    const read = this.#reader.read(stored);
    if (!('row' in read)) {
      const [first] = read.problems;
      throw new UnreadableRowError(`row ${stored.number}: ${first?.column}: ${first?.problem}`);
    }
    return read.row;
  }

  async #stored(index: number): Promise<StoredRow> {
    try {
      return await this.#ledger.store.read(this.campaign, index);
    } catch (error) {
      if (isRedisFailure(error) && !isDamage(error)) throw error;
      throw new UnreadableRowError(`row ${index + 1}: its stored cells are damaged: ${String(error)}`);
    }
  }

  /** As `row`; undefined for a row that cannot be read. */
  readableRow(index: number): Promise<Row | undefined> {
    return ifReadable(this.row(index));
  }

  /** As `readableRow`, with the account of the row's creator; also undefined if the import did not find the account. */
  readableWithCreator(
    index: number,
  ): Promise<{ readonly row: Row; readonly creator: CreatorRef } | undefined> {
    return ifReadable(this.row(index).then((row) => ({ row, creator: this.creator(row.creator) })));
  }

  /** As `readableRow`, but does not cache the row, because nobody works on it yet. */
  uncachedRow(index: number): Promise<Row | undefined> {
    return ifReadable(this.#stored(index).then((stored) => this.#parse(stored)));
  }

  /** The account of a row's creator. @throws {UnreadableRowError} when the import did not find it. */
  creator(name: string): CreatorRef {
    const account = this.#creators.get(name);
    if (!account) throw new UnreadableRowError(`campaign ${this.campaign.id} does not know creator ${name}`);
    return account;
  }
}

async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UnreadableRowError) return undefined;
    throw error;
  }
}

/** Rows of all campaigns, by version of the sheet and position. */
type RowCache = LRUCache<string, Row>;

/** Size of the cache in characters of rows; usually half of it is used. */
const mostKept = 16 * 1024 * 1024;
/** What a row counts for at least: a `max` of rows would take the room of all at once. */
const leastSize = Math.ceil(mostKept / (40 * chunkSize));

export class CampaignViews {
  readonly #ledger: Ledger;
  readonly #rows: RowCache = new LRUCache({ maxSize: mostKept });
  readonly #views = new LRUCache<string, Promise<CampaignView | undefined>>({
    max: 50,
    ttl: 60_000,
    // By default, the cache would read the clock every millisecond, with a timer each time.
    ttlResolution: 1000,
  });

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /**
   * @param sheetVersion the version of the campaign's sheet, as just read. Default: any view is good.
   * @returns undefined when there is no such campaign.
   */
  async open(id: string, sheetVersion?: string): Promise<CampaignView | undefined> {
    const view = await (this.#views.get(id) ?? this.#read(id));
    const isNew = sheetVersion === undefined || view?.campaign.sheetVersion === sheetVersion;
    return isNew ? view : this.#read(id);
  }

  /** Drops a campaign from the cache, so that it is read when next opened; all of them by default. */
  forget(id?: string): void {
    if (id !== undefined) return void this.#views.delete(id);
    this.#views.clear();
    this.#rows.clear();
  }

  /** A view that has these rows in their revision: a later import may have changed or added them. */
  async openFor(id: string, rows: readonly RowVersion[]): Promise<CampaignView | undefined> {
    const view = await this.open(id);
    // Every view has the rows of the first import.
    if (!view || rows.every(({ row, revision }) => revision === 0 && row < view.campaign.rows)) return view;
    return this.open(id, await this.#ledger.campaigns.sheetVersion(id));
  }

  #read(id: string): Promise<CampaignView | undefined> {
    const opening = this.#open(id);
    this.#views.set(id, opening);
    // Do not remember a failed read, or a campaign that does not exist yet.
    opening.then(
      (view) => view ?? this.#views.delete(id),
      () => this.#views.delete(id),
    );
    return opening;
  }

  async #open(id: string): Promise<CampaignView | undefined> {
    const [campaign, creators] = await Promise.all([
      this.#ledger.campaigns.find(id),
      this.#ledger.campaigns.creators(id),
    ]);
    return campaign && new CampaignView(campaign, creators, this.#ledger, this.#rows);
  }
}
