/**
 * Pauses, resumes, cancels and deletes a campaign. Cancelling: waiting and running rows are cancelled, rows of unknown outcome go to
 * review, ended rows stay as they are. Nothing of it is sent again, whatever is decided about its rows in review. If Redis has lost
 * records of what was sent, rows that may have been sent since go to review as well: nobody should post them again elsewhere.
 * Deleting: ledger and queues forget the campaign; posts at the service are not touched.
 * One row alone can be cancelled, too: it is not posted, unless a person edits it.
 */
import { z } from 'zod';
import { type Campaign, campaignState } from '../../ledger/campaigns/campaign.ts';
import type { Refusal } from '../../ledger/campaigns/deletion.ts';
import type { JournalLoss } from '../../ledger/journal-position.ts';
import { textIn } from '../../manifest/headers/header.ts';
import { costSchema } from '../../manifest/money.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { createImportedRowReader } from '../../manifest/reader.ts';
import type { RowIndex } from '../../manifest/row.ts';
import { plural } from '../../manifest/wording.ts';
import { cancelRows, removeRemains } from '../../processors/rescue/leftovers.ts';
import { type Document, rowState } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type CampaignRef, findCampaign, findRow } from './find.ts';
import {
  countLost,
  isPausedForLoss,
  type LostRowsRuntime,
  markFailedUnknown,
  markUnknown,
} from './lost-rows.ts';
import { removeOwnSheet } from './results/own-sheet.ts';
import { removePicturesOf } from './rows/pictures.ts';
import { countUnusedOutputs } from './unused-outputs.ts';

export const cancelledSchema = z.strictObject({
  id: z.string(),
  cancelled: z.int(),
  /** Rows that went to review, because their call was under way, or may be lost; of an ended campaign, its rows in review, which are not sent again. */
  review: z.int(),
  /** AI outputs that are paid for, made or being made, and that no post of the campaign will use. */
  unusedAiOutputs: z.int(),
  unusedCost: costSchema.nullable(),
  /** The state before. If it was `ended`, and no row in review, there was nothing to cancel. */
  was: campaignState,
  state: campaignState,
  /** Nothing was changed: the counts say what would be cancelled. */
  dryRun: z.boolean(),
});

export type CancelResult = Omit<Document<typeof cancelledSchema>, 'id'>;

/** What a cancellation would do, as things stand. A row whose call is under way, or that failed before a loss, may still go to review. @throws {UseCaseError} `campaign_not_found`. */
export async function planCancellation(runtime: LostRowsRuntime, ref: CampaignRef): Promise<CancelResult> {
  const campaign = await findCampaign(runtime, ref);
  const { state, counts, cancelledAt } = campaign;
  const isBarred = state === 'ended' && cancelledAt === undefined;
  const maybeSent = isPausedForLoss(campaign) ? await countLost(runtime, campaign, await lossOf(runtime)) : 0;
  return {
    cancelled: state === 'ended' ? 0 : counts.waiting + counts.running + counts.ready - maybeSent,
    review: isBarred ? counts.review : maybeSent,
    ...(await countUnusedOutputs(runtime, campaign)),
    was: state,
    state,
    dryRun: true,
  };
}

/** What a cancellation of a campaign that has not ended does with its rows, without a full stop. */
export function describeCancellation(result: Pick<CancelResult, 'cancelled' | 'review'>): string {
  const { cancelled, review } = result;
  const unposted = `${plural(cancelled, 'row')} will not be posted`;
  const maybeSent = `${plural(review, 'row')} may have been sent, and ${review === 1 ? 'goes' : 'go'} to review`;
  if (review === 0) return unposted;
  return cancelled === 0 ? maybeSent : `${unposted}. ${maybeSent}`;
}

/** If it crashes midway, the rescuer or another call finishes it. @throws {UseCaseError} `campaign_not_found`. */
export async function cancelCampaign(runtime: LostRowsRuntime, ref: CampaignRef): Promise<CancelResult> {
  const { campaigns, cancellation } = runtime.ledger;
  const campaign = await findCampaign(runtime, ref);
  const { id, state: was } = campaign;
  const unused = await countUnusedOutputs(runtime, campaign);
  let toReview = 0;
  if (isPausedForLoss(campaign)) toReview += await markUnknown(runtime, campaign, await lossOf(runtime));
  if (was !== 'ended') toReview += await markFailedUnknown(runtime, campaign);
  const began = await cancellation.begin(id);
  const rows = began === 'cancelling' ? await cancelRows(runtime, campaign) : { cancelled: 0, review: 0 };
  const after = await campaigns.find(id);
  const isBarred = was === 'ended' && campaign.cancelledAt === undefined && after?.cancelledAt !== undefined;
  const review = isBarred ? after.counts.review : rows.review + toReview;
  return { ...rows, review, ...unused, was, state: after?.state ?? 'ended', dryRun: false };
}

async function lossOf({ ledger: { journal } }: LostRowsRuntime): Promise<JournalLoss> {
  const look = await journal.check();
  return (await journal.loss()) ?? (await journal.unnoticed(look));
}

export const deletedSchema = z.strictObject({
  id: z.string(),
  deleted: z.literal(true),
  exported: z.string().nullable(),
});

export interface DeleteOptions {
  /** Deletes even a campaign with rows in review: nobody can tell afterwards whether they were posted. */
  readonly force?: boolean | undefined;
}

/** Before a results sheet is written for nothing. @throws {UseCaseError} `campaign_unfinished`, `campaign_in_review`. */
export function requireDeletable(campaign: Campaign, { force = false }: DeleteOptions): void {
  const { state, counts } = campaign;
  if (counts.running > 0 || state === 'running' || state === 'cancelling')
    throw refusedDeletion(campaign, 'unfinished');
  if (counts.review > 0 && !force) throw refusedDeletion(campaign, 'review');
}

/** If it crashes, the rescuer finishes it. @throws {UseCaseError} `campaign_not_found`, `campaign_unfinished`, `campaign_in_review`. */
export async function deleteCampaign(
  runtime: Pick<Runtime, 'ledger' | 'queues' | 'environment'>,
  ref: CampaignRef,
  { force = false }: DeleteOptions = {},
): Promise<void> {
  const { deletion } = runtime.ledger;
  const campaign = await findCampaign(runtime, ref);
  const { id } = campaign;
  const refusal = await deletion.tombstone(id, { force });
  if (refusal !== undefined) throw refusedDeletion(campaign, refusal);
  const remains = (await deletion.remains()).find((each) => each.id === id);
  if (remains) await removeRemains(runtime, remains);
  await removePicturesOf(runtime, campaign);
  await removeOwnSheet(runtime, campaign);
}

function refusedDeletion({ id, counts }: Campaign, refusal: Refusal): UseCaseError {
  switch (refusal) {
    case 'gone':
      return new UseCaseError('campaign_not_found', `campaign ${id} no longer exists`);
    case 'review':
      return new UseCaseError(
        'campaign_in_review',
        `${id} has ${plural(counts.review, 'row')} in review; deleting it loses the record of whether ${counts.review === 1 ? 'that post exists' : 'those posts exist'}`,
        { fix: ['Decide about them first.', hint('show', { campaign: id }), hint('deleteAnyway')] },
      );
    case 'unfinished':
    case 'recent':
      return new UseCaseError('campaign_unfinished', `${id} has not ended`, {
        fix: ['Cancel it first.', hint('cancelFirst', { campaign: id })],
      });
  }
}

export const heldSchema = z.strictObject({ id: z.string(), state: campaignState, was: campaignState });

/** The state of a campaign after `pauseCampaign` or `resumeCampaign`, and what it `was`. */
export type HoldResult = Omit<Document<typeof heldSchema>, 'id'>;

/** Calls under way finish. @param by name of the person, as pages show it. @throws {UseCaseError} `campaign_not_found`. */
export async function pauseCampaign(
  runtime: Pick<Runtime, 'ledger'>,
  campaign: CampaignRef,
  by?: string,
): Promise<HoldResult> {
  const { id, state: was } = await findCampaign(runtime, campaign);
  const reason = { code: 'paused', message: 'Paused by a person.' };
  return { state: (await runtime.ledger.campaigns.pause(id, reason, by)) ?? was, was };
}

/** @param by name of the person. @returns `paused` if the canary paused it again. @throws {UseCaseError} `campaign_not_found`. */
export async function resumeCampaign(
  runtime: Pick<Runtime, 'ledger' | 'queues'>,
  campaign: CampaignRef,
  by?: string,
): Promise<HoldResult> {
  const { id, state: was } = await findCampaign(runtime, campaign);
  const state = await runtime.ledger.campaigns.resume(id, by);
  if (state === 'running') await runtime.queues.wakeAdmission(id);
  return { state: state ?? was, was };
}

export const cancelledRowSchema = z.strictObject({ id: z.string(), key: z.string(), state: rowState });

export interface CancellableRow {
  readonly key: string;
  readonly revision: number;
  /** Its creator and caption. */
  readonly post: string;
  readonly isCancelled: boolean;
  /** Why it cannot be cancelled; undefined if it can. */
  readonly fault: string | undefined;
}

/**
 * Only a waiting or ready row can be cancelled: of any other, something may be under way at the service.
 * @throws {UseCaseError} `campaign_not_found`, `row_not_found`.
 */
export async function examineRow(
  { ledger }: Pick<Runtime, 'ledger'>,
  { campaign: id, key }: { readonly campaign: string; readonly key: string },
): Promise<CancellableRow & { readonly position: RowIndex }> {
  const campaign = await findCampaign({ ledger }, id);
  const position = await findRow({ ledger }, campaign, key);
  const [status] = await ledger.rows.statusesOf(id, [position]);
  const { state = 'waiting', revision = 0 } = status ?? {};
  const { header } = createImportedRowReader(campaign);
  const { cells } = await ledger.store.read(campaign, position);
  const post = `${textIn(header, 'creator', cells)}: ${textIn(header, 'caption', cells)}`;
  const fault =
    state === 'waiting' || state === 'ready'
      ? undefined
      : `row ${key} is ${state}: only a waiting or ready row can be cancelled`;
  return { key, position, revision, post, isCancelled: state === 'cancelled', fault };
}

/**
 * @param row.revision as the person saw it; default: its current one. @param by name of the person.
 * @throws {UseCaseError} `campaign_not_found`, `row_not_found`, `edit_refused`.
 */
export async function cancelRow(
  { ledger }: Pick<Runtime, 'ledger'>,
  row: { readonly campaign: string; readonly key: string; readonly revision?: number | undefined },
  by: string,
): Promise<Document<typeof cancelledRowSchema>> {
  const { campaign: id, key } = row;
  const { position, revision, fault } = await examineRow({ ledger }, row);
  if (fault !== undefined) throw cannotCancel(fault);
  const isDone = await ledger.rows.cancelOne(id, { row: position, revision: row.revision ?? revision }, by);
  if (!isDone) throw cannotCancel(`row ${key} has changed since it was shown: nothing was cancelled`);
  return { id, key, state: 'cancelled' };
}

function cannotCancel(message: string): UseCaseError {
  return new UseCaseError('edit_refused', message);
}
