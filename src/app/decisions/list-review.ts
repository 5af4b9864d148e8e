/** Rows in review of all campaigns, page by page. */

import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { batches } from '../../ledger/ledger-part.ts';
import type { RowIndex } from '../../manifest/row.ts';
import type { Decidable } from '../campaigns/repair.ts';
import {
  type ListedRow,
  ofCreator,
  type PageOptions,
  type RowsPage,
  readPage,
  rowsAtOnce,
} from '../campaigns/rows/pages.ts';
import {
  describeReviewRows,
  type FoundInRecords,
  type ReviewItem,
  type ReviewRow,
  type ReviewRuntime,
  readReviewRows,
} from './review-rows.ts';

/** `records`: a post with similar publishing records; `no-record`: a post without any. */
export const unknownKinds = ['records', 'no-record', 'generation'] as const;
export type UnknownKind = (typeof unknownKinds)[number];

/** A row must match every given field. */
export interface ReviewFilter {
  readonly campaign?: string | undefined;
  readonly kind?: UnknownKind | undefined;
  /** As written in the sheet. */
  readonly creator?: string | undefined;
  readonly keys?: ReadonlySet<string> | undefined;
}

export type ReviewPage = RowsPage<ReviewItem>;

export function listReview(
  runtime: ReviewRuntime,
  options: PageOptions<ReviewFilter> = {},
): Promise<ReviewPage> {
  const { ledger } = runtime;
  const list = {
    countOf: ({ counts }: Campaign) => counts.review,
    async *partsOf({ id }: Campaign, place = '0') {
      const inReview = await ledger.rows.inState(id, 'review');
      const rows = inReview.filter((row) => row >= Number(place)).map((row) => ({ row }));
      yield* batches(rows, rowsAtOnce);
    },
    fits: (campaign: Campaign, rows: readonly ListedRow[]) =>
      fits(runtime, campaign, rows, options.filter ?? {}),
    describe: (campaign: Campaign, rows: readonly ReviewRow[]) => describeReviewRows(runtime, campaign, rows),
    placeOf: ({ row }: ListedRow) => String(row),
  };
  return readPage(runtime, list, options);
}

async function fits(
  runtime: ReviewRuntime,
  campaign: Campaign,
  rows: readonly ListedRow[],
  { kind, creator, keys }: ReviewFilter,
): Promise<readonly ReviewRow[]> {
  const keyOf = (row: RowIndex) => runtime.ledger.rowKeys.of(campaign, row);
  const named: RowIndex[] = [];
  for (const { row } of rows) if (keys === undefined || keys.has(await keyOf(row))) named.push(row);
  const found = (await readReviewRows(runtime.ledger, campaign, named)).filter(
    (row) => kind === undefined || kindOf(row.about, row.error) === kind,
  );
  return ofCreator(runtime, campaign, found, creator);
}

export function kindOf(about: Decidable, found: FoundInRecords = {}): UnknownKind {
  if (about === 'generation') return 'generation';
  return (found.candidates?.length ?? 0) > 0 ? 'records' : 'no-record';
}
