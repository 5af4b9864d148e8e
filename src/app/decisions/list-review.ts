/** Rows in review of all campaigns, page by page. */

import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { batches } from '../../ledger/ledger-part.ts';
import type { RowIndex } from '../../manifest/row.ts';
import type { Decidable } from '../campaigns/repair.ts';
import {
  campaignsFrom,
  type ListedRow,
  ofCreator,
  type RowsPart,
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

export interface ReviewPage {
  readonly items: readonly ReviewItem[];
  /** Rows in review, whatever the filter. */
  readonly total: number;
  /** Campaigns that have rows in review, newest first. */
  readonly campaigns: readonly Campaign[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
}

export interface ReviewPageOptions {
  readonly filter?: ReviewFilter;
  /** An earlier page's `next`. Default: the newest campaign. */
  readonly from?: string | undefined;
  /** Default 20. */
  readonly limit?: number;
}

export async function listReview(
  runtime: ReviewRuntime,
  { filter = {}, from, limit = 20 }: ReviewPageOptions = {},
): Promise<ReviewPage> {
  const all = await runtime.ledger.campaigns.list();
  const campaigns = all.filter(({ counts }) => counts.review > 0);
  const { items, next } = await readPage(rowsFrom(runtime, all, filter, from), {
    limit,
    fits: (campaign, rows) => fits(runtime, campaign, rows, filter),
    describe: (campaign, rows) => describeReviewRows(runtime, campaign, rows),
    placeOf: ({ row }) => String(row),
  });
  return { items, next, campaigns, total: campaigns.reduce((sum, { counts }) => sum + counts.review, 0) };
}

async function* rowsFrom(
  { ledger }: ReviewRuntime,
  all: readonly Campaign[],
  { campaign: only }: ReviewFilter,
  from: string | undefined,
): AsyncGenerator<RowsPart<ListedRow>> {
  for (const { campaign, place = '0' } of campaignsFrom(all, from)) {
    if (campaign.counts.review === 0 || (only !== undefined && campaign.id !== only)) continue;
    const inReview = await ledger.rows.inState(campaign.id, 'review');
    const rows = inReview.filter((row) => row >= Number(place)).map((row) => ({ row }));
    for (const some of batches(rows, rowsAtOnce)) yield { campaign, rows: some };
  }
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
