/**
 * Finds rows of a campaign by a filter, in steps: states are read from one string, errors from the index of rows that ended
 * badly, texts from the stored sheet. A step examines a bounded number of rows, so that a page is fast; the next step continues
 * there.
 */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { createImportedRowReader } from '../../manifest/imported-sheet.ts';
import {
  asksForTexts,
  candidates,
  hasRightError,
  knownCandidates,
  lettersOf,
  type ReadAhead,
  type RowFilter,
} from './candidates.ts';
import { chunksABatch, type TextColumns, type TextSearch } from './text-search.ts';

export interface FindOptions {
  readonly filter: RowFilter;
  /** Position of the first row to look at; descending, of the last. */
  readonly from: number;
  readonly limit: number;
  readonly descending: boolean;
  /** Data that was read already, and is not read again. */
  readonly ahead?: ReadAhead | undefined;
}

/** Parameters of a search. */
export interface RowSearch {
  readonly ledger: Ledger;
  readonly texts: TextSearch;
  /** Ends the search with the signal's reason, because nobody waits for the answer any more. */
  readonly left?: AbortSignal | undefined;
}

export interface FoundRows {
  /** Positions in the campaign, in the order that was asked for. */
  readonly rows: readonly number[];
  /** Where the next step begins; undefined if all rows were examined. */
  readonly next: number | undefined;
}

/** Rows whose texts one step reads. */
export const textsAtOnce = 20_000;

/** Finds the next rows that match. */
export async function findRows(
  search: RowSearch,
  campaign: Campaign,
  options: FindOptions,
): Promise<FoundRows> {
  const { filter, from, limit, descending } = options;
  const { ledger, left } = search;
  const readsTexts = asksForTexts(filter);
  const place = { from, descending, byChunk: readsTexts };
  const known = knownCandidates(campaign, filter, place, options.ahead?.endedBadly);
  // Their errors are known to match.
  const rest = known ? { creator: filter.creator, text: filter.text } : filter;
  const parts = known ?? candidates(ledger, campaign, filter, place, options.ahead);
  const filtered = new FilteredRows(search, campaign, rest);
  const rows: number[] = [];
  let chunks = 0;
  for await (const some of readsTexts ? inBatches(parts) : parts) {
    left?.throwIfAborted();
    for (const row of await filtered.fitting(some)) {
      if (rows.length === limit) return { rows, next: row };
      rows.push(row);
    }
    chunks += new Set(some.map(chunkOf)).size;
    const last = some.at(-1);
    if (readsTexts && chunks * chunkSize >= textsAtOnce && last !== undefined) {
      const next = descending ? last - 1 : last + 1;
      return { rows, next: next >= 0 && next < campaign.rows ? next : undefined };
    }
  }
  return { rows, next: undefined };
}

/** Joins parts of one chunk each, so that several chunks are searched at once. */
async function* inBatches(
  parts: AsyncIterable<readonly number[]> | Iterable<readonly number[]>,
): AsyncGenerator<readonly number[]> {
  let batch: number[] = [];
  let chunks = 0;
  for await (const part of parts) {
    batch.push(...part);
    chunks += 1;
    if (chunks < chunksABatch) continue;
    yield batch;
    batch = [];
    chunks = 0;
  }
  if (chunks > 0) yield batch;
}

function chunkOf(row: number): number {
  return Math.floor(row / chunkSize);
}

/** Whether all rows match. */
export function isEverything(filter: RowFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/** The matching rows among the given ones. */
export async function matchingRows(
  search: RowSearch,
  campaign: Campaign,
  filter: RowFilter,
  rows: readonly number[],
): Promise<ReadonlySet<number>> {
  if (isEverything(filter)) return new Set(rows);
  const bytes = await search.ledger.rows.stateBytes(campaign.id);
  const letters = lettersOf(campaign, filter);
  const right = rows.filter((row) => letters.has(bytes[row * 2] ?? 0));
  return new Set(await new FilteredRows(search, campaign, filter).fitting(right));
}

class FilteredRows {
  readonly #search: RowSearch;
  readonly #campaign: Campaign;
  readonly #filter: RowFilter;
  readonly #columns: TextColumns;

  constructor(search: RowSearch, campaign: Campaign, filter: RowFilter) {
    this.#search = search;
    this.#campaign = campaign;
    this.#filter = filter;
    this.#columns = createImportedRowReader(campaign).header.indexes;
  }

  /** The matching rows among the given ones, in their order. */
  async fitting(rows: readonly number[]): Promise<readonly number[]> {
    const { code, step } = this.#filter;
    const right = code === undefined && step === undefined ? rows : await this.#withError(rows);
    return asksForTexts(this.#filter) && right.length > 0 ? this.#withTexts(right) : right;
  }

  async #withError(part: readonly number[]): Promise<readonly number[]> {
    const errors = await this.#search.ledger.rows.errors(this.#campaign.id, part);
    return part.filter((_row, index) => hasRightError(this.#filter, errors[index]));
  }

  #withTexts(rows: readonly number[]): Promise<readonly number[]> {
    const { ledger, texts, left } = this.#search;
    const searched = { store: ledger.store, sheet: this.#campaign, columns: this.#columns, rows };
    const { creator, text } = this.#filter;
    return texts.matching(searched, { creator, text }, left);
  }
}
