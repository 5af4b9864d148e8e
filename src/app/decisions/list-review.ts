/** Rows in review of all campaigns, page by page. */

import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { parts } from '../../ledger/parts.ts';
import { creatorIn } from '../../manifest/cells/creator.ts';
import type { Decidable } from '../campaigns/causes/repair.ts';
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
  /** Only rows with one of these keys. */
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
  /** Where to begin, from an earlier page: campaign and position. Default: the newest campaign. */
  readonly from?: string | undefined;
  /** Default 20. */
  readonly limit?: number;
}

const rowsAtOnce = 200;
/** Most rows to examine for one page. None of them may match the filter although there is a next page. */
const mostLooked = 5000;

export async function listReview(
  runtime: ReviewRuntime,
  { filter = {}, from, limit = 20 }: ReviewPageOptions = {},
): Promise<ReviewPage> {
  const waiting = (await runtime.ledger.campaigns.list()).filter(({ counts }) => counts.review > 0);
  const total = waiting.reduce((sum, { counts }) => sum + counts.review, 0);
  const items: ReviewItem[] = [];
  let looked = 0;
  const page = (next?: string): ReviewPage => ({ items, total, campaigns: waiting, next });
  for await (const { campaign, rows } of sought(runtime, waiting, filter, from)) {
    const fitting = await fits(runtime, campaign, rows, filter);
    const room = limit - items.length;
    items.push(...(await describeReviewRows(runtime, campaign, fitting.slice(0, room))));
    const over = fitting[room];
    if (over) return page(placeOf(campaign, over.row));
    looked += rows.length;
    const last = rows.at(-1);
    if (looked >= mostLooked && last !== undefined) return page(placeOf(campaign, last + 1));
  }
  return page();
}

/** Rows in review from a place on, in parts. */
async function* sought(
  { ledger }: ReviewRuntime,
  waiting: readonly Campaign[],
  { campaign: only }: ReviewFilter,
  from: string | undefined,
): AsyncGenerator<{ readonly campaign: Campaign; readonly rows: readonly number[] }> {
  const [, id, position] = /^(.+)\.(\d{1,9})$/.exec(from ?? '') ?? [];
  const first = Math.max(
    0,
    waiting.findIndex((each) => each.id === id),
  );
  for (const campaign of waiting.slice(first)) {
    if (only !== undefined && campaign.id !== only) continue;
    const rows = await ledger.rows.inState(campaign.id, 'review');
    const begin = campaign.id === id ? Number(position) : 0;
    for (const some of parts(
      rows.filter((row) => row >= begin),
      rowsAtOnce,
    ))
      yield { campaign, rows: some };
  }
}

async function fits(
  runtime: ReviewRuntime,
  campaign: Campaign,
  rows: readonly number[],
  { kind, creator, keys }: ReviewFilter,
): Promise<readonly ReviewRow[]> {
  const keyOf = (row: number) => runtime.ledger.rowKeys.of(campaign, row);
  const named: number[] = [];
  for (const row of rows) if (keys === undefined || keys.has(await keyOf(row))) named.push(row);
  const found = (await readReviewRows(runtime.ledger, campaign, named)).filter(
    (row) => kind === undefined || kindOf(row.about, row.error) === kind,
  );
  if (creator === undefined) return found;
  const wanted = creatorIn(creator);
  const view = await runtime.views.open(campaign.id, campaign.sheetVersion);
  const creators = await Promise.all(found.map(async ({ row }) => (await view?.uncachedRow(row))?.creator));
  return found.filter((_row, index) => creators[index] === wanted);
}

/** The kind of unknown outcome of a row in review. */
export function kindOf(about: Decidable, found: FoundInRecords = {}): UnknownKind {
  if (about === 'generation') return 'generation';
  return (found.candidates?.length ?? 0) > 0 ? 'records' : 'no-record';
}

function placeOf({ id }: Campaign, row: number): string {
  return `${id}.${row}`;
}
