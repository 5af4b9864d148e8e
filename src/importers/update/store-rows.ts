/** Writes the rows of an update into the campaign, one stored chunk at a time. */
import { isDeepStrictEqual } from 'node:util';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { CampaignExtension, CampaignUpdate, RedoneRow } from '../../ledger/imports/update.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RowPost } from '../../ledger/planned-posts.ts';
import type { PlacedRow, RowSheet, StoredRow } from '../../ledger/rows/stored-rows.ts';
import { createImportedRowReader, type RowReader } from '../../manifest/reader.ts';
import type { CheckedRow } from '../check/checked-row.ts';
import { type CampaignIndex, findOutdated, upToDate } from './campaign-index.ts';
import type { CellAlignment } from './cell-alignment.ts';

export interface UpdateOptions {
  readonly ledger: Ledger;
  readonly campaign: Campaign;
  readonly index: CampaignIndex;
  /** Takes failed rows that went back to waiting, with the revision whose jobs are now superseded. */
  readonly onRedone: (rows: readonly RedoneRow[]) => Promise<void>;
  /** Version of the index of planned posts that the rows are compared with; undefined if they go in whatever it has. */
  readonly postsVersion: string | undefined;
  /** Most bytes that the rows of the sheet may take, packed. */
  readonly mostBytes?: number | undefined;
}

/** A row of the sheet: its position in the campaign, and among the staged rows. */
interface Target {
  readonly row: number;
  readonly staged: number;
}

export class SheetUpdate {
  readonly #options: UpdateOptions;
  readonly #update: CampaignUpdate;
  /** Position in the campaign of each staged row; -1 for a new row. */
  readonly #rows: number[] = [];
  /** Staged rows that may be the same post as another row. */
  readonly #again = new Set<number>();
  #alignment: CellAlignment | undefined;

  constructor(options: UpdateOptions) {
    this.#options = options;
    this.#update = options.ledger.newUpdate(options.campaign, options.mostBytes);
    this.#update.postsVersion = options.postsVersion;
  }

  /** Stages accepted rows in order. */
  async add(rows: readonly CheckedRow[], alignment: CellAlignment): Promise<void> {
    this.#alignment = alignment;
    const { index, campaign } = this.#options;
    const staged = rows.map(({ line, worksheet, key, cells, post, again }) => {
      if (again) this.#again.add(this.#rows.length);
      const row = index.find(key) ?? -1;
      this.#rows.push(row);
      // Rows have keys, and need the number only as a place.
      const number = campaign.rows + this.#rows.length;
      return { number, line, worksheet, cells: alignment.align(cells), post };
    });
    await this.#update.staged.add(staged);
  }

  /**
   * Writes the staged rows into the campaign.
   * @returns how many rows were not updated because a worker started them meanwhile.
   * @throws {CampaignChangedError} if somebody else changes the campaign at the same time. The updated chunks are complete.
   */
  async apply(extension: Omit<CampaignExtension, 'header' | 'map'>): Promise<number> {
    const alignment = this.#alignment;
    if (!alignment) return 0;
    await this.#update.staged.flush();
    await this.#update.extend({ ...extension, header: alignment.header, map: alignment.map });
    const reader = this.#reader(alignment);
    const targets = this.#rows
      .map((row, staged) => ({ row, staged }))
      .filter(({ row }) => row >= 0)
      .sort((one, other) => one.row - other.row);
    let moved = 0;
    for (const [chunk, batch] of Map.groupBy(targets, ({ row }) => Math.floor(row / chunkSize))) {
      moved += await this.#mergeKnown(chunk, batch, { alignment, reader });
    }
    await this.#addNew();
    await this.#update.finish(extension.sha256);
    return moved;
  }

  get importId(): string {
    return this.#update.importId;
  }

  discard(): Promise<void> {
    return this.#update.discard();
  }

  /** Updates existing rows and sends them back to waiting. @returns how many were started meanwhile. */
  async #mergeKnown(
    chunk: number,
    targets: readonly Target[],
    how: { readonly alignment: CellAlignment; readonly reader: RowReader },
  ): Promise<number> {
    const { index, onRedone } = this.#options;
    let left = targets;
    for (;;) {
      const { redone, posts, isChanged } = await this.#plan(left, how);
      const rows = isChanged ? this.#replaced(chunk, left, how.alignment) : undefined;
      const moved = new Set(await this.#update.updateChunk({ chunk, rows, redone, posts, added: 0 }));
      if (moved.size === 0) {
        await onRedone(redone.filter(({ row }) => index.stateOf(row) === 'failed'));
        return targets.length - left.length;
      }
      left = left.filter(({ row }) => !moved.has(row));
      if (left.length === 0) return targets.length;
    }
  }

  async #plan(
    targets: readonly Target[],
    { alignment, reader }: { readonly alignment: CellAlignment; readonly reader: RowReader },
  ) {
    const { index } = this.#options;
    const redone: RedoneRow[] = [];
    const posts: RowPost[] = [];
    let isChanged = false;
    for (const { row, staged } of targets) {
      const before = await this.#options.ledger.store.read(this.#sheet, row);
      const after = await this.#updated(before, staged, alignment);
      const wanted = reader.row(after);
      if (wanted?.key !== reader.key(before)) {
        throw new TypeError(`row ${row} has another key under the campaign's header`);
      }
      const isSame = index.isSame(row, wanted);
      const post = isSame ? undefined : this.#update.staged.posts.at(staged);
      if (post !== undefined) posts.push({ row, post });
      redone.push({
        row,
        revision: index.revisionOf(row),
        outdated: isSame ? upToDate : findOutdated(reader.row(before), wanted),
        again: this.#again.has(staged) || (isSame ? undefined : false),
      });
      isChanged ||= !isDeepStrictEqual(before.cells, after.cells);
    }
    return { redone, posts, isChanged };
  }

  /** The rows of a chunk, some of them with the cells of the sheet. One after another, because they may be long. */
  async *#replaced(
    chunk: number,
    targets: readonly Target[],
    alignment: CellAlignment,
  ): AsyncGenerator<StoredRow> {
    const stagedOf = new Map(targets.map(({ row, staged }) => [row, staged]));
    for await (const [row, before] of this.#stored(chunk)) {
      const staged = stagedOf.get(row);
      yield staged === undefined ? before : await this.#updated(before, staged, alignment);
    }
  }

  /** A row of the campaign with the cells of the sheet. */
  async #updated(before: StoredRow, staged: number, alignment: CellAlignment): Promise<StoredRow> {
    const { cells } = await this.#staged(staged);
    return { ...before, cells: alignment.withNotesOf(cells, before.cells) };
  }

  /** Appends new rows: first to the last chunk, if it has room, then to new chunks. */
  async #addNew(): Promise<void> {
    const fresh = this.#rows.flatMap((row, staged) => (row < 0 ? [staged] : []));
    let end = this.#options.campaign.rows;
    for (let start = 0; start < fresh.length; ) {
      const chunk = Math.floor(end / chunkSize);
      const batch = fresh.slice(start, start + chunkSize - (end % chunkSize));
      const rows = this.#extended(chunk, batch);
      const posts = batch.flatMap((staged, index) => {
        const post = this.#update.staged.posts.at(staged);
        return post === undefined ? [] : [{ row: end + index, post }];
      });
      const again = batch.map((staged) => (this.#again.has(staged) ? '1' : '0')).join('');
      await this.#update.updateChunk({ chunk, rows, redone: [], posts, added: batch.length, again });
      start += batch.length;
      end += batch.length;
    }
  }

  /** The rows of a chunk, followed by new ones. */
  async *#extended(chunk: number, added: readonly number[]): AsyncGenerator<StoredRow> {
    for await (const [, row] of this.#stored(chunk)) yield row;
    for (const staged of added) yield await this.#staged(staged);
  }

  async *#stored(chunk: number): AsyncGenerator<PlacedRow> {
    for await (const rows of this.#options.ledger.store.parts(this.#sheet, chunk)) yield* rows;
  }

  /** The campaign's rows as they are after the chunks written so far. */
  get #sheet(): RowSheet {
    return { store: this.#options.campaign.store, sheetVersion: this.#update.sheetVersion };
  }

  #staged(position: number): Promise<StoredRow> {
    return this.#options.ledger.store.read({ store: this.#update.staged.store, sheetVersion: '' }, position);
  }

  #reader({ header, map }: CellAlignment): RowReader {
    return createImportedRowReader({ header, map, timezone: this.#options.campaign.timezone });
  }
}
