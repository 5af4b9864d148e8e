/**
 * Finds rows of a campaign by what is asked of them, in steps: states are read from one string, errors from the index of rows that
 * ended badly, texts from the stored sheet. A step looks at a bounded number of rows, so that a page comes back soon; the next one
 * goes on where it stopped.
 */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { letterOfState, type RowState, rowStates, type Step } from '../../ledger/states.ts';
import { createImportedRowReader } from '../../manifest/imported-sheet.ts';
import { shownState } from '../shown-states.ts';
import { chunksABatch, type TextColumns, type TextSearch } from './text-search.ts';

/** A row must match every given field. */
export interface RowFilter {
  readonly state?: RowState | undefined;
  /** Step at which the row failed or got into review. */
  readonly step?: Step | undefined;
  /** Code of its error. */
  readonly code?: string | undefined;
  /** Creator, as written in the sheet. */
  readonly creator?: string | undefined;
  /** Part of the key, caption or product, in any case. */
  readonly text?: string | undefined;
}

export interface FindOptions {
  readonly filter: RowFilter;
  /** Position of the first row to look at; descending, of the last. */
  readonly from: number;
  readonly limit: number;
  readonly descending: boolean;
}

/** What a search takes. */
export interface RowSearch {
  readonly ledger: Ledger;
  readonly texts: TextSearch;
  /** Nobody waits for the answer any more: the search ends with its reason. */
  readonly left?: AbortSignal | undefined;
}

export interface FoundRows {
  /** Positions in the campaign, in the order that was asked for. */
  readonly rows: readonly number[];
  /** Where to go on; undefined when all rows were looked at. */
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
  const filtered = new FilteredRows(search, campaign, filter);
  const { readsTexts } = filtered;
  const rows: number[] = [];
  let chunks = 0;
  const place = { from, descending, byChunk: readsTexts };
  const parts = candidates(ledger, campaign, filter, place);
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
async function* inBatches(parts: AsyncIterable<readonly number[]>): AsyncGenerator<readonly number[]> {
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

/** Those of these rows that match. */
export async function matchingRows(
  search: RowSearch,
  campaign: Campaign,
  filter: RowFilter,
  rows: readonly number[],
): Promise<ReadonlySet<number>> {
  if (Object.values(filter).every((value) => value === undefined)) return new Set(rows);
  const bytes = await search.ledger.rows.stateBytes(campaign.id);
  const letters = lettersOf(campaign, filter);
  const right = rows.filter((row) => letters.has(bytes[row * 2] ?? 0));
  return new Set(await new FilteredRows(search, campaign, filter).fitting(right));
}

/** First bytes of the states that may match. */
function lettersOf(campaign: Campaign, { state, code, step }: RowFilter): ReadonlySet<number> {
  const endedBadly = code !== undefined || step !== undefined;
  const states = rowStates.filter((each) => {
    const shown = shownState(campaign, each);
    if (state !== undefined) return shown === state;
    return !endedBadly || shown === 'failed' || shown === 'review';
  });
  return new Set(states.map((each) => letterOfState(each).charCodeAt(0)));
}

/** Rows in the right state, in order, in parts. */
async function* candidates(
  ledger: Ledger,
  campaign: Campaign,
  filter: RowFilter,
  place: Place,
): AsyncGenerator<readonly number[]> {
  const { from, descending } = place;
  const { state, code, step } = filter;
  const isIndexed = state === 'failed' || state === 'review';
  if (isIndexed || (state === undefined && (code !== undefined || step !== undefined))) {
    yield* indexed(ledger, campaign, isIndexed ? [state] : ['failed', 'review'], place);
    return;
  }
  const letters = state === undefined ? undefined : lettersOf(campaign, filter);
  const chunks = Math.ceil(campaign.rows / chunkSize);
  const first = Math.floor(from / chunkSize);
  let stretch: { readonly number: number; readonly bytes: Buffer } | undefined;
  for (let at = 0; at < chunks; at += 1) {
    const chunk = descending ? first - at : first + at;
    if (chunk < 0 || chunk >= chunks) return;
    const number = Math.floor(chunk / chunksAtOnce);
    if (letters && stretch?.number !== number) {
      const rows = chunksAtOnce * chunkSize;
      stretch = { number, bytes: await ledger.rows.stateBytes(campaign.id, number * rows, rows) };
    }
    const begin = chunk * chunkSize;
    const end = Math.min(begin + chunkSize, campaign.rows);
    const part: number[] = [];
    for (let row = begin; row < end; row += 1) {
      if (descending ? row > from : row < from) continue;
      const letter = stretch?.bytes[(row - number * chunksAtOnce * chunkSize) * 2] ?? 0;
      if (letters === undefined || letters.has(letter)) part.push(row);
    }
    if (part.length > 0) yield descending ? part.reverse() : part;
  }
}

/** Chunks whose states are read at once. */
const chunksAtOnce = 40;
const indexAtOnce = 500;

type Place = Pick<FindOptions, 'from' | 'descending'> & {
  /** Whether each part must be of one chunk, because the sheet is read by chunk. */
  readonly byChunk: boolean;
};

/** Rows that failed or are in review, from their indexes. */
async function* indexed(
  ledger: Ledger,
  { id, rows }: Campaign,
  states: readonly ('failed' | 'review')[],
  { from, descending, byChunk }: Place,
): AsyncGenerator<readonly number[]> {
  for (let next = from; next >= 0 && next < rows; ) {
    const place = { from: next, limit: indexAtOnce, descending };
    const found = await Promise.all(states.map((state) => ledger.rows.nextInState(id, state, place)));
    const all = found.flat().sort((one, other) => (descending ? other - one : one - other));
    const some = all.slice(0, indexAtOnce);
    const last = some.at(-1);
    if (last === undefined) return;
    if (byChunk) yield* Map.groupBy(some, (row) => Math.floor(row / chunkSize)).values();
    else yield some;
    next = descending ? last - 1 : last + 1;
  }
}

class FilteredRows {
  readonly #search: RowSearch;
  readonly #campaign: Campaign;
  readonly #filter: RowFilter;
  readonly #columns: TextColumns;
  /** Whether the stored sheet must be read to tell which rows match. */
  readonly readsTexts: boolean;

  constructor(search: RowSearch, campaign: Campaign, filter: RowFilter) {
    this.#search = search;
    this.#campaign = campaign;
    this.#filter = filter;
    this.readsTexts = filter.creator !== undefined || filter.text !== undefined;
    this.#columns = createImportedRowReader(campaign).header.indexes;
  }

  /** Those of some rows that match, in their order. */
  async fitting(rows: readonly number[]): Promise<readonly number[]> {
    const { code, step } = this.#filter;
    const right = code === undefined && step === undefined ? rows : await this.#withError(rows);
    return this.readsTexts && right.length > 0 ? this.#withTexts(right) : right;
  }

  async #withError(part: readonly number[]): Promise<readonly number[]> {
    const { code, step } = this.#filter;
    const errors = await this.#search.ledger.rows.errors(this.#campaign.id, part);
    return part.filter((_row, index) => {
      const error = errors[index];
      return (
        error !== undefined && (code ?? error.code) === error.code && (step ?? error.step) === error.step
      );
    });
  }

  #withTexts(rows: readonly number[]): Promise<readonly number[]> {
    const { ledger, texts, left } = this.#search;
    const searched = { store: ledger.store, sheet: this.#campaign, columns: this.#columns, rows };
    const { creator, text } = this.#filter;
    return texts.matching(searched, { creator, text }, left);
  }
}
