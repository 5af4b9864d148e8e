/**
 * Remembers the positions of rows by key, so that they need not be searched again. Keys and positions of rows never change
 * unless Redis loses data.
 */
import { LRUCache } from 'lru-cache';
import type { RowSheet } from './stored-rows.ts';

const placesKept = 20_000;

export class RowPlaces {
  readonly #places = new LRUCache<string, number>({ max: placesKept });

  remember({ store }: Pick<RowSheet, 'store'>, key: string, row: number): void {
    this.#places.set(`${store} ${key}`, row);
  }

  forget(): void {
    this.#places.clear();
  }

  /** @returns the position of the row, from 0; undefined if it must be searched. */
  find({ store }: Pick<RowSheet, 'store'>, key: string): number | undefined {
    return this.#places.get(`${store} ${key}`);
  }
}
