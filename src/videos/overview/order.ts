/** The order of the matching videos, by any column. Keeps only the id and one number per column of each video. */
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import type { VideoGains } from './gains.ts';

export const sortColumns = ['released', 'plays', 'gained', 'likes', 'comments', 'shares', 'saves'] as const;
export type SortColumn = (typeof sortColumns)[number];

export interface Sort {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** A `VideoOrder` that can be stored. */
export interface PackedOrder {
  /** Separated by blanks. */
  readonly ids: string;
  /** In the order of `sortColumns`. */
  readonly columns: readonly Float64Array[];
}

export class VideoOrder {
  readonly #ids: string[] = [];
  readonly #columns = new Map<SortColumn, number[]>(sortColumns.map((column) => [column, []]));
  readonly #sorted = new Map<string, Uint32Array>();

  static unpack({ ids, columns }: PackedOrder): VideoOrder {
    const order = new VideoOrder();
    for (const id of ids.split(' ')) if (id !== '') order.#ids.push(id);
    sortColumns.forEach((column, index) => {
      order.#columns.set(column, Array.from(columns[index] ?? []));
    });
    return order;
  }

  pack(): PackedOrder {
    const columns = sortColumns.map((column) => Float64Array.from(this.#columns.get(column) ?? []));
    return { ids: this.#ids.join(' '), columns };
  }

  get size(): number {
    return this.#ids.length;
  }

  add({ id, rawSummary }: WatchedVideo, { gained }: VideoGains): void {
    this.#ids.push(id);
    const [plays, likes, comments, shares, saves] = rawSummary?.latest.counts ?? [];
    const values = {
      released: rawSummary?.releasedAt,
      plays,
      gained: gained[0],
      likes,
      comments,
      shares,
      saves,
    };
    // Numbers beyond 2^53 lose digits, but are exact enough for sorting.
    for (const column of sortColumns) this.#columns.get(column)?.push(Number(values[column] ?? Number.NaN));
  }

  /** Ids of a part of the list. Videos without the figure come last, equal ones in the order of addition. */
  part({ column, descending }: Sort, from: number, count: number): readonly string[] {
    const key = `${descending ? '-' : ''}${column}`;
    const sorted = this.#sorted.get(key) ?? this.#sort(column, descending);
    this.#sorted.set(key, sorted);
    return Array.from(sorted.subarray(from, from + count), (place) => this.#ids[place] ?? '');
  }

  #sort(column: SortColumn, descending: boolean): Uint32Array {
    const values = Float64Array.from(this.#columns.get(column) ?? [], (value) => {
      if (Number.isNaN(value)) return Number.POSITIVE_INFINITY;
      return descending ? -value : value;
    });
    return Uint32Array.from(values.keys()).sort((one, other) => {
      const [first = 0, second = 0] = [values[one], values[other]];
      return first < second ? -1 : first > second ? 1 : one - other;
    });
  }
}
