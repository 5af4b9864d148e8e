/**
 * The one question for rows: which rows of a campaign match a filter, in the order of the sheet. States are read from one string,
 * errors from the index of rows that failed or are in review, texts from the stored sheet.
 */

import { textOfCell } from '../../manifest/cells/formula-guard.ts';
import { creatorIn } from '../../manifest/cells/id.ts';
import { createImportedRowReader } from '../../manifest/reader.ts';
import type { RowIndex } from '../../manifest/row.ts';
import type { Step } from '../../manifest/steps.ts';
import { wordsTest } from '../../manifest/wording.ts';
import { type Campaign, isUnderWay } from '../campaigns/campaign.ts';
import { chunkSize } from '../keys.ts';
import { batches } from '../ledger-part.ts';
import { letterOfState, type RowState, rowStates } from '../states.ts';
import { type Delivery, type DeliveryRules, deliveryOf } from './results.ts';
import type { RowLedger } from './rows.ts';
import type { RowStore, StoredRow } from './stored-rows.ts';

/** A row must match every given field. */
export interface RowFilter {
  /** As people see them: see `shownState`. One, or any of several. */
  readonly state?: RowState | ReadonlySet<RowState> | undefined;
  /** What is known of its post, if that is accepted. */
  readonly delivery?: { readonly is: Delivery; readonly by: DeliveryRules } | undefined;
  /** Step at which the row failed or went to review. */
  readonly step?: Step | undefined;
  readonly error?: string | undefined;
  /** Creator, as written in the sheet. */
  readonly creator?: string | undefined;
  /** Words in any order and case, each a part of key, creator, caption or product. Plain text, no pattern; the first ten count. */
  readonly text?: string | undefined;
  readonly rows?: ReadonlySet<RowIndex> | undefined;
}

interface RowRange {
  /** The first row to look at; descending, the last. Default: all rows. */
  readonly from?: RowIndex | undefined;
  readonly descending?: boolean | undefined;
  /** Ends the search with the signal's reason, because the reader has left. */
  readonly left?: AbortSignal | undefined;
}

export interface MatchingRows {
  /** In the order of the query. */
  readonly rows: readonly RowIndex[];
  /** Where the next page begins; undefined if all rows were looked at. */
  readonly next: number | undefined;
}

/** Rows whose texts are read for one page. None of them may match although there is a next page. */
export const textsAtOnce = 20_000;
const statesAtOnce = 40 * chunkSize;
const rowsAtOnce = 500;

/** The state as people see it: in a campaign that does not run, begun rows wait. */
export function shownState(campaign: Pick<Campaign, 'state'>, state: RowState): RowState {
  return state === 'running' && !isUnderWay(campaign) ? 'waiting' : state;
}

export function isEverything(filter: RowFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

export class RowQuery {
  readonly #rows: RowLedger;
  readonly #store: RowStore;

  constructor(rows: RowLedger, store: RowStore) {
    this.#rows = rows;
    this.#store = store;
  }

  /** All matching rows, in parts of at most 500. */
  async *all(campaign: Campaign, filter: RowFilter, range: RowRange = {}): AsyncGenerator<readonly number[]> {
    for await (const piece of this.#search(campaign, filter, range)) {
      if (piece.matching.length > 0) yield piece.matching;
    }
  }

  /** The next matching rows. A search in texts ends after 20,000 rows: it may find none and still have a next page. */
  async page(
    campaign: Campaign,
    filter: RowFilter,
    { limit, ...range }: RowRange & { readonly limit: number },
  ): Promise<MatchingRows> {
    const rows: number[] = [];
    let chunks = 0;
    for await (const { matching, last } of this.#search(campaign, filter, range)) {
      for (const row of matching) {
        if (rows.length === limit) return { rows, next: row };
        rows.push(row);
      }
      chunks += 1;
      if (!asksForTexts(filter) || chunks * chunkSize < textsAtOnce) continue;
      const next = range.descending ? last - 1 : last + 1;
      return { rows, next: next >= 0 && next < campaign.rows ? next : undefined };
    }
    return { rows, next: undefined };
  }

  /** The matching rows among these, in their order. */
  async among(campaign: Campaign, filter: RowFilter, rows: readonly RowIndex[]): Promise<readonly number[]> {
    if (isEverything(filter)) return rows;
    const states = new Set(statesOf(campaign, filter));
    const statuses = await this.#rows.statusesOf(campaign.id, rows);
    const inState = rows.filter((_row, index) => {
      const status = statuses[index];
      return status !== undefined && states.has(status.state);
    });
    return this.#matching(campaign, filter)(inState);
  }

  /** Looks at candidates piece by piece. A piece is of one chunk if texts are read, because they are stored by chunk. */
  async *#search(
    campaign: Campaign,
    filter: RowFilter,
    range: RowRange,
  ): AsyncGenerator<{ readonly matching: readonly number[]; readonly last: number }> {
    const matching = this.#matching(campaign, filter);
    for await (const rows of this.#candidates(campaign, filter, range)) {
      const pieces = asksForTexts(filter)
        ? Map.groupBy(rows, (row) => Math.floor(row / chunkSize)).values()
        : batches(rows, rowsAtOnce);
      for (const piece of pieces) {
        range.left?.throwIfAborted();
        yield { matching: await matching(piece), last: piece.at(-1) ?? 0 };
      }
    }
  }

  /** Rows in the right state, found without the sheet. */
  async *#candidates(
    campaign: Campaign,
    filter: RowFilter,
    { from, descending = false }: RowRange,
  ): AsyncGenerator<readonly number[]> {
    const { id, rows } = campaign;
    const start = descending ? Math.min(from ?? rows, rows - 1) : Math.max(from ?? 0, 0);
    const states = statesOf(campaign, filter);
    const indexed = states.filter((state) => state === 'failed' || state === 'review');
    if (indexed.length === states.length) {
      for (let next = start; next >= 0 && next < rows; ) {
        const range = { from: next, limit: rowsAtOnce, descending };
        const found = await Promise.all(indexed.map((state) => this.#rows.nextInState(id, state, range)));
        const sorted = found.flat().sort((row, other) => (descending ? other - row : row - other));
        const part = sorted.slice(0, rowsAtOnce);
        const last = part.at(-1);
        if (last === undefined) return;
        yield part;
        if (sorted.length < rowsAtOnce) return;
        next = descending ? last - 1 : last + 1;
      }
      return;
    }
    const letters = states.length < rowStates.length ? lettersOf(states) : undefined;
    const step = descending ? -1 : 1;
    for (let at = Math.floor(start / statesAtOnce); at >= 0 && at * statesAtOnce < rows; at += step) {
      const first = at * statesAtOnce;
      const bytes = letters && (await this.#rows.stateBytes(id, first, statesAtOnce));
      const part: number[] = [];
      for (let row = first; row < Math.min(first + statesAtOnce, rows); row += 1) {
        const isAhead = descending ? row <= start : row >= start;
        if (isAhead && (letters?.has(bytes?.[(row - first) * 2] ?? 0) ?? true)) part.push(row);
      }
      if (part.length > 0) yield descending ? part.reverse() : part;
    }
  }

  /** @returns a function that finds the matching rows among those in the right state. */
  #matching(campaign: Campaign, filter: RowFilter) {
    const { error: code, step, delivery, rows: wanted } = filter;
    const test = asksForTexts(filter) ? textTest(campaign, filter) : undefined;
    return async (rows: readonly RowIndex[]): Promise<readonly number[]> => {
      let left = wanted ? rows.filter((row) => wanted.has(row)) : rows;
      if (code !== undefined || step !== undefined) {
        const errors = await this.#rows.errors(campaign.id, left);
        left = left.filter((_row, index) => {
          const error = errors[index];
          return error && (code ?? error.code) === error.code && (step ?? error.step) === error.step;
        });
      }
      if (delivery !== undefined) {
        const outcomes = await this.#rows.outcomesOf(campaign.id, left);
        left = left.filter((_row, index) => {
          const { state, result } = outcomes[index] ?? {};
          return state === 'posted' && result && deliveryOf(result, delivery.by) === delivery.is;
        });
      }
      return test ? this.#withTexts(campaign, left, test) : left;
    };
  }

  /** One part of the sheet after the other, because long rows do not fit into memory all at once. */
  async #withTexts(
    campaign: Campaign,
    rows: readonly RowIndex[],
    test: (stored: StoredRow) => boolean,
  ): Promise<readonly number[]> {
    const matching: number[] = [];
    let part: Awaited<ReturnType<RowStore['around']>> | undefined;
    for (const row of rows) {
      if (part === undefined || row < part.first || row >= part.end) {
        part = await this.#store.around(campaign, row);
      }
      const stored = part.rows[row - part.first];
      if (stored && test(stored)) matching.push(row);
    }
    return matching;
  }
}

/** Whether the filter needs the stored sheet. */
function asksForTexts({ creator, text }: RowFilter): boolean {
  return creator !== undefined || text !== undefined;
}

function statesOf(campaign: Campaign, { state, error, step, delivery }: RowFilter): readonly RowState[] {
  const wanted = typeof state === 'string' ? new Set([state]) : state;
  const hasError = error !== undefined || step !== undefined;
  return rowStates.filter((stored) => {
    if (delivery !== undefined && stored !== 'posted') return false;
    if (hasError && stored !== 'failed' && stored !== 'review') return false;
    return wanted === undefined || wanted.has(shownState(campaign, stored));
  });
}

/** First bytes of the stored states. */
function lettersOf(states: readonly RowState[]): ReadonlySet<number> {
  return new Set(states.map((state) => letterOfState(state).charCodeAt(0)));
}

function textTest(campaign: Campaign, filter: RowFilter): (stored: StoredRow) => boolean {
  const { key, creator, caption, product_id, product_title } =
    createImportedRowReader(campaign).header.indexes;
  const hasWords = wordsTest(filter.text ?? '');
  const wanted = filter.creator === undefined ? undefined : creatorIn(filter.creator);
  return ({ cells, number }) => {
    if (wanted !== undefined && creatorIn(textOfCell(cells, creator)) !== wanted) return false;
    if (filter.text === undefined) return true;
    const texts = [creator, caption, product_id, product_title].map((column) => textOfCell(cells, column));
    return hasWords([textOfCell(cells, key) || String(number), ...texts].join('\n'));
  };
}
