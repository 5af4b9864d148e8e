/** Pages of the rows of a campaign, with what happened to each. */

import { z } from 'zod';
import type { ChangedRow } from '../../../ledger/campaigns/activity.ts';
import { type Campaign, isUnderWay } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { isEverything, type RowFilter, shownState } from '../../../ledger/rows/query.ts';
import { deliveryOf } from '../../../ledger/rows/results.ts';
import { placeIfKeyless } from '../../../ledger/rows/stored-rows.ts';
import type { RowError } from '../../../ledger/states.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import { textIn } from '../../../manifest/headers/header.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import type { Row } from '../../../manifest/row.ts';
import type { Step } from '../../../manifest/steps.ts';
import {
  type Document,
  delivery,
  isoTime,
  isoTimeOrNull,
  rowState,
  stepName,
} from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type CampaignRef, findCampaign, idOf, shownCounts } from '../find.ts';
import { deliveryRules } from '../post-status.ts';
import { needsOfRow } from '../progress/row-needs.ts';
import { stepOf } from '../progress/step-counts.ts';
import { outputsOf } from '../unused-outputs.ts';

/** Why a row failed, or waits for a decision. */
export const rowErrorSchema = z
  .strictObject({
    step: stepName,
    code: z.string(),
    message: z.string(),
    fix: z.string().nullable(),
    /** What the publishing records say about a row in review. */
    note: z.string().nullable(),
  })
  .meta({ id: 'RowError' });

export function rowErrorDocument(error: RowError): Document<typeof rowErrorSchema> {
  const { step, code, message, fix, note } = error;
  return { step, code, message, fix: fix ?? null, note: note ?? null };
}

export const listedRowSchema = z
  .strictObject({
    key: z.string(),
    /** As shown to people: a waiting row of a campaign that is being cancelled counts as cancelled. */
    state: rowState,
    /** As the planner wrote it. */
    creator: z.string(),
    caption: z.string(),
    /** Title of the product, else its id. */
    product: z.string(),
    scheduledAt: isoTime.nullable(),
    postId: z.string().nullable(),
    /** As the service gave it last. */
    postStatus: z.string().nullable(),
    delivery: delivery.nullable(),
    error: rowErrorSchema.nullable(),
    /** When its state last changed, as far as that is known. */
    changedAt: isoTime.nullable(),
  })
  .meta({ id: 'ListedRow' });

/** A row as programs get it, and what pages need besides. */
export interface ListedRow extends Document<typeof listedRowSchema> {
  /** Position in the campaign, from 0. */
  readonly position: number;
  /** `line 5`, of a row without a key of its own. */
  readonly place: string | undefined;
  /** Step at which the row runs or stopped; undefined for other rows. */
  readonly step: Step | undefined;
  /** AI outputs, made or being made, of a row that waits or was cancelled. */
  readonly unusedOutputs: number;
  /** Whether it is ready, and waits for an approval. */
  readonly isUnapproved: boolean;
}

export interface RowPage {
  readonly campaign: Campaign;
  readonly rows: readonly ListedRow[];
  /** Number of matching rows; undefined if it would take reading all rows. */
  readonly total: number | undefined;
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
}

export interface RowPageOptions {
  readonly filter?: RowFilter;
  /** Of the sheet; or the last 1,000 rows that changed, newest first. */
  readonly order?: 'ascending' | 'descending' | 'changed';
  /** `next` of an earlier page; default: the beginning. */
  readonly cursor?: string | undefined;
  /** At most 500; default 50. */
  readonly limit?: number;
  /** Ends the search, because the reader has left. */
  readonly left?: AbortSignal | undefined;
}

/** Of a page. */
export const mostRows = 500;

/** A search in texts looks at 20,000 rows: it may find none and have a next page. @throws {UseCaseError} `campaign_not_found`. */
export async function listRows(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  ref: CampaignRef,
  { filter = {}, order = 'ascending', cursor, limit = 50, left }: RowPageOptions = {},
): Promise<RowPage> {
  const { ledger } = runtime;
  const most = Math.min(limit, mostRows);
  const isByChange = order === 'changed';
  const [campaign, changed] = await Promise.all([
    findCampaign(runtime, ref),
    isByChange ? ledger.changed.latest(idOf(ref)) : [],
  ]);
  const from = cursor === undefined ? undefined : Number(cursor) || 0;
  const range = { from, descending: order === 'descending', limit: most, left };
  const found = isByChange
    ? await findChanged(ledger, campaign, changed, { filter, cursor, limit: most })
    : await ledger.query.page(campaign, filter, range);
  return {
    campaign,
    rows: await describeRows(runtime, campaign, found.rows),
    total: isByChange ? undefined : totalOf(campaign, filter),
    next: found.next === undefined ? undefined : String(found.next),
  };
}

/** Rows that change again between two pages are left out of the second one. */
async function findChanged(
  ledger: Ledger,
  campaign: Campaign,
  changed: readonly ChangedRow[],
  { filter = {}, cursor, limit }: Pick<RowPageOptions, 'filter' | 'cursor'> & { readonly limit: number },
) {
  const [at = '0', last = ''] = cursor?.split('.') ?? [];
  // Redis sorts rows with the same time by their text, descending.
  const isAfter = (each: ChangedRow) =>
    each.at < Number(at) || (each.at === Number(at) && String(each.row) < last);
  const older = cursor === undefined ? changed : changed.filter(isAfter);
  const numbers = older.map(({ row }) => row);
  const matching = await ledger.query.among(campaign, filter, numbers);
  const rows = matching.slice(0, limit);
  const end = older.find(({ row }) => row === rows.at(-1));
  return { rows, next: end && matching.length > limit ? `${end.at}.${end.row}` : undefined };
}

/** @returns undefined if it would take reading all rows. */
function totalOf(campaign: Campaign, { state, ...rest }: RowFilter): number | undefined {
  if (!isEverything(rest)) return undefined;
  if (state === undefined) return campaign.rows;
  return typeof state === 'string' ? shownCounts(campaign)[state] : undefined;
}

/** @returns a function that tells the step of a running row; undefined for the others. */
async function stepsOfRunning(ledger: Ledger, campaign: Campaign, running: readonly number[]) {
  if (running.length === 0 || !isUnderWay(campaign)) return () => undefined;
  const [records, groups] = await Promise.all([
    ledger.rows.progressOf(campaign.id, running),
    ledger.admission.groups(campaign.id),
  ]);
  const inGroups = new Set([...groups.values()].flatMap(({ rows }) => rows.map(({ row }) => row)));
  const progress = new Map(running.map((row, index) => [row, records[index]]));
  return (position: number, row: Row): Step | undefined => {
    const own = progress.get(position);
    return own && stepOf(needsOfRow(row), own, inGroups.has(position));
  };
}

/** Describes rows for pages, in the order of their positions. */
export async function describeRows(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  campaign: Campaign,
  positions: readonly number[],
): Promise<readonly ListedRow[]> {
  const { ledger } = runtime;
  const reader = createImportedRowReader(campaign);
  const { creator, product_id, product_title } = reader.header.indexes;
  const [outcomes, times, stored] = await Promise.all([
    ledger.rows.outcomesOf(campaign.id, positions),
    ledger.changed.timesOf(campaign.id, positions),
    Promise.all(positions.map((position) => ledger.store.find(campaign, position))),
  ]);
  const running = positions.filter((_position, index) => outcomes[index]?.state === 'running');
  const steps = await stepsOfRunning(ledger, campaign, running);
  const mayHave = positions.filter((_position, index) =>
    ['waiting', 'ready', 'cancelled'].includes(outcomes[index]?.state ?? ''),
  );
  const ready = positions.filter((_position, index) => outcomes[index]?.state === 'ready');
  const [records, unapproved] = await Promise.all([
    ledger.rows.progressOf(campaign.id, mayHave),
    ledger.approvals.areAt(campaign.id, 'unapproved', ready),
  ]);
  const progressOf = new Map(mayHave.map((position, index) => [position, records[index]]));
  return positions.map((position, index) => {
    const written = stored[index] ?? { cells: [], number: position + 1 };
    const cell = (column: number) => textOfCell(written.cells, column);
    const row = reader.row(written);
    const { state = 'waiting', error, result } = outcomes[index] ?? {};
    const key = reader.key(written);
    ledger.rowKeys.remember(campaign, key, position);
    const progress = progressOf.get(position);
    return {
      position,
      key,
      place: placeIfKeyless(reader.header, written),
      state: shownState(campaign, state),
      step: error?.step ?? (row && steps(position, row)),
      unusedOutputs: progress ? outputsOf(progress, row) : 0,
      isUnapproved: unapproved[ready.indexOf(position)] === true,
      creator: creatorIn(cell(creator)),
      caption: textIn(reader.header, 'caption', written.cells).trim(),
      product: cell(product_title) || cell(product_id),
      scheduledAt: isoTimeOrNull(row?.schedule?.at),
      postId: result?.postId ?? null,
      postStatus: result?.postStatus ?? null,
      delivery: state === 'posted' && result ? deliveryOf(result, deliveryRules(runtime)) : null,
      error: error ? rowErrorDocument(error) : null,
      changedAt: isoTimeOrNull(times[index] ?? error?.at ?? result?.at),
    };
  });
}

/** Number of changed rows that the ledger keeps. */
export const changesKept = 1000;
