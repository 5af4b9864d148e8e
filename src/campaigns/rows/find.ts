/**
 * Finds rows of a campaign by what is asked of them, in steps: states are read from one string, errors from the index of rows that
 * ended badly, texts from the stored sheet. A step looks at a bounded number of rows, so that a page comes back soon; the next one
 * goes on where it stopped.
 */
import type { Campaign } from '../../ledger/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RowState, RowStatus, Step } from '../../ledger/states.ts';
import type { StoredRow } from '../../ledger/stored-rows.ts';
import { createImportedRowReader } from '../../manifest/imported-sheet.ts';
import type { RowReader } from '../../manifest/reader.ts';
import { shownState } from '../shown-states.ts';

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

export interface FoundRows {
  /** Positions in the campaign, in the order that was asked for. */
  readonly rows: readonly number[];
  /** Where to go on; undefined when all rows were looked at. */
  readonly next: number | undefined;
}

/** Rows whose texts one step looks at. */
export const textsAtOnce = 20_000;

/** Finds the next rows that match. */
export async function findRows(ledger: Ledger, campaign: Campaign, options: FindOptions): Promise<FoundRows> {
  const { filter, limit, descending } = options;
  const search = new Search(ledger, campaign, filter);
  const rows: number[] = [];
  let looked = 0;
  for await (const part of candidates(ledger, campaign, options)) {
    const fitting = await search.fitting(part);
    for (const row of fitting) {
      if (rows.length === limit) return { rows, next: row };
      rows.push(row);
    }
    looked += part.length;
    const last = part.at(-1);
    if (search.readsTexts && looked >= textsAtOnce && last !== undefined) {
      const next = descending ? last - 1 : last + 1;
      return { rows, next: next >= 0 && next < campaign.rows ? next : undefined };
    }
  }
  return { rows, next: undefined };
}

/** Those of these rows that match. */
export async function matchingRows(
  ledger: Ledger,
  campaign: Campaign,
  filter: RowFilter,
  rows: readonly number[],
): Promise<ReadonlySet<number>> {
  const statuses = await ledger.rows.statusesOf(campaign.id, rows);
  const fits = stateFits(campaign, filter);
  const right = rows.filter((_row, index) => fits(statuses[index]));
  const search = new Search(ledger, campaign, filter);
  const matching = new Set<number>();
  for (const part of Map.groupBy(right, (row) => Math.floor(row / chunkSize)).values()) {
    for (const row of await search.fitting(part)) matching.add(row);
  }
  return matching;
}

/** @returns whether a row in a state may match. */
function stateFits(campaign: Campaign, { state, code, step }: RowFilter) {
  const endedBadly = code !== undefined || step !== undefined;
  return (status: RowStatus | undefined): boolean => {
    const now = status && shownState(campaign, status.state);
    if (state !== undefined) return now === state;
    return !endedBadly || now === 'failed' || now === 'review';
  };
}

/** Rows in the right state, in order, in parts of one chunk at most. */
async function* candidates(
  ledger: Ledger,
  campaign: Campaign,
  { filter, from, descending }: FindOptions,
): AsyncGenerator<readonly number[]> {
  const isFiltered = [filter.state, filter.code, filter.step].some((each) => each !== undefined);
  const statuses = isFiltered ? await ledger.rows.statuses(campaign.id, 0, campaign.rows) : undefined;
  const stateIsRight = stateFits(campaign, filter);
  const fits = (row: number) => stateIsRight(statuses?.[row]);
  const chunks = Math.ceil(campaign.rows / chunkSize);
  const first = Math.floor(from / chunkSize);
  for (let step = 0; step < chunks; step += 1) {
    const chunk = descending ? first - step : first + step;
    if (chunk < 0 || chunk >= chunks) return;
    const begin = chunk * chunkSize;
    const part = Array.from(
      { length: Math.min(chunkSize, campaign.rows - begin) },
      (_, index) => begin + index,
    ).filter((row) => (descending ? row <= from : row >= from) && fits(row));
    if (part.length > 0) yield descending ? part.reverse() : part;
  }
}

class Search {
  readonly #ledger: Ledger;
  readonly #campaign: Campaign;
  readonly #filter: RowFilter;
  readonly #reader: RowReader;
  /** Whether the stored sheet must be read to tell which rows match. */
  readonly readsTexts: boolean;

  constructor(ledger: Ledger, campaign: Campaign, filter: RowFilter) {
    this.#ledger = ledger;
    this.#campaign = campaign;
    this.#filter = filter;
    this.#reader = createImportedRowReader(campaign);
    this.readsTexts = filter.creator !== undefined || filter.text !== undefined;
  }

  /** The rows of a part that match. @param part of one chunk. */
  async fitting(part: readonly number[]): Promise<readonly number[]> {
    const { code, step } = this.#filter;
    const right = code === undefined && step === undefined ? part : await this.#withError(part);
    return this.readsTexts && right.length > 0 ? this.#withTexts(right) : right;
  }

  async #withError(part: readonly number[]): Promise<readonly number[]> {
    const { code, step } = this.#filter;
    const errors = await this.#ledger.rows.errors(this.#campaign.id, part);
    return part.filter((_row, index) => {
      const error = errors[index];
      return (
        error !== undefined && (code ?? error.code) === error.code && (step ?? error.step) === error.step
      );
    });
  }

  async #withTexts(part: readonly number[]): Promise<readonly number[]> {
    const chunk = Math.floor((part[0] ?? 0) / chunkSize);
    const fitting = new Set<number>();
    let row = chunk * chunkSize;
    for await (const rows of this.#ledger.store.parts(this.#campaign, chunk)) {
      for (const stored of rows) {
        if (this.#hasTexts(stored)) fitting.add(row);
        row += 1;
      }
    }
    return part.filter((each) => fitting.has(each));
  }

  #hasTexts({ cells, number }: StoredRow): boolean {
    const { key, creator, caption, product_id, product_title } = this.#reader.header.indexes;
    const cell = (index: number) => (index < 0 ? '' : (cells[index] ?? '').trim());
    if (this.#filter.creator !== undefined && cell(creator) !== this.#filter.creator) return false;
    const text = this.#filter.text?.toLowerCase();
    if (text === undefined) return true;
    const texts = [cell(key) || String(number), cell(caption), cell(product_id), cell(product_title)];
    return texts.some((each) => each.toLowerCase().includes(text));
  }
}
