/** Keys of stored rows: which key a row has, and which row has a key. */

import { LRUCache } from 'lru-cache';
import { createImportedRowReader, type ImportedSheet, type RowReader } from '../../manifest/reader.ts';
import type { RowIndex } from '../../manifest/row.ts';
import { chunkSize } from '../keys.ts';
import { placeIfKeyless, type RowSheet, type RowStore } from './stored-rows.ts';

/** The sheet of a campaign: how its rows are read, and where they are stored. */
type StoredSheet = ImportedSheet & RowSheet & { readonly rows: number };

/** Keys of neighbouring rows, from `first` on. */
interface KeysOfPart {
  readonly first: RowIndex;
  readonly keys: readonly string[];
}

const placesKept = 20_000;

export class RowKeys {
  readonly #store: RowStore;
  readonly #readers = new WeakMap<ImportedSheet, RowReader>();
  /** Rows by store and key. They never change unless Redis loses data. A `max` would take the room of all at once. */
  readonly #places = new LRUCache<string, RowIndex>({ maxSize: placesKept, sizeCalculation: () => 1 });

  constructor(store: RowStore) {
    this.#store = store;
  }

  /** @throws {RangeError} when the campaign has no such row. */
  async of(sheet: StoredSheet, row: RowIndex): Promise<string> {
    return this.#reader(sheet).key(await this.#store.read(sheet, row));
  }

  /** @returns undefined for a row with a key of its own. @throws {RangeError} when the campaign has no such row. */
  async placeOf(sheet: StoredSheet, row: RowIndex): Promise<string | undefined> {
    return placeIfKeyless(this.#reader(sheet).header, await this.#store.read(sheet, row));
  }

  async find(sheet: StoredSheet, key: string): Promise<RowIndex | undefined> {
    return (await this.findAll(sheet, [key])).get(key);
  }

  /** With one search for all keys that are not known. @returns in their order. */
  async findAll(
    sheet: StoredSheet,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, RowIndex | undefined>> {
    const found = new Map(keys.map((key) => [key, this.#places.get(`${sheet.store} ${key}`)]));
    const missing = new Set(keys.filter((key) => found.get(key) === undefined));
    if (missing.size === 0) return found;
    for await (const part of this.all(sheet)) {
      for (const [index, key] of part.keys.entries()) {
        if (!missing.delete(key)) continue;
        found.set(key, part.first + index);
        this.remember(sheet, key, part.first + index);
      }
      if (missing.size === 0) break;
    }
    return found;
  }

  /** Spares the search for this key. */
  remember({ store }: StoredSheet, key: string, row: RowIndex): void {
    this.#places.set(`${store} ${key}`, row);
  }

  /** The keys of all rows in order, in parts of at most one chunk. */
  async *all(sheet: StoredSheet): AsyncGenerator<KeysOfPart> {
    for (let chunk = 0; chunk * chunkSize < sheet.rows; chunk += 1) yield* this.ofChunk(sheet, chunk);
  }

  /** As `all`, of one chunk. */
  async *ofChunk(sheet: StoredSheet, chunk: number): AsyncGenerator<KeysOfPart> {
    const reader = this.#reader(sheet);
    for await (const rows of this.#store.parts(sheet, chunk)) {
      yield { first: rows[0]?.[0] ?? 0, keys: rows.map(([, stored]) => reader.key(stored)) };
    }
  }

  forget(): void {
    this.#places.clear();
  }

  #reader(sheet: ImportedSheet): RowReader {
    const known = this.#readers.get(sheet);
    if (known) return known;
    const reader = createImportedRowReader(sheet);
    this.#readers.set(sheet, reader);
    return reader;
  }
}
