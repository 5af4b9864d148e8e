/** Retries failed rows: all of a campaign, or those that match a filter. */

import { z } from 'zod';
import { type Campaign, campaignState } from '../../../ledger/campaigns/campaign.ts';
import type { RowFilter } from '../../../ledger/rows/query.ts';
import type { EarlierPosts } from '../../../ledger/transitions/publishing.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import type { RowVersion } from '../../../manifest/row.ts';
import { authorizationExpiredCode } from '../../../service/contract/creators.ts';
import type { Document } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type CampaignRef, findCampaign, findNamedRows } from '../find.ts';
import { refuseCancelled } from '../progress/notes.ts';
import { failedKindsOf } from '../repair.ts';
import {
  CreatorsOnHold,
  changedRows,
  countStates,
  failedBeforeLoss,
  leftOutOf,
  type retrySchema,
  unreadPosts,
} from './left-out.ts';
import { postAgain, type RecordRuntime, recheckRows } from './recheck.ts';
import { RetryTally } from './retry-plan.ts';

/** Which failed rows to retry; all unless given. Rows must match every given field. */
export interface RetryFilter extends Pick<RowFilter, 'error' | 'creator' | 'step'> {
  /** The row's key. */
  readonly row?: string | undefined;
  readonly rows?: readonly string[] | undefined;
}

export interface RetryOptions {
  /** Changes nothing, and returns what would happen. */
  readonly dryRun?: boolean | undefined;
  /** Creator to treat as authorized again, for a plan. */
  readonly released?: string | undefined;
}

/** What became of the failed rows: how many are sent again, and why others are not. */
export type RetryResult = Omit<Document<typeof retrySchema>, 'id' | 'dryRun'>;

export type RetryRuntime = RecordRuntime & Pick<Runtime, 'queues'>;

/**
 * Sends matching failed rows back to waiting, in their next revision, and removes the jobs of the old one. Leaves out rows of
 * creators who must authorize again. Rows whose post was not published are looked up again first, and wait for ten seconds before
 * they are sent: see `undoDecision`.
 * @throws {UseCaseError} `campaign_cancelled`; `row_not_found` when the filter names a row that does not exist.
 */
export async function retryRows(
  runtime: RetryRuntime,
  ref: CampaignRef,
  { row: key, rows: keys, ...filter }: RetryFilter = {},
  { dryRun = false, released }: RetryOptions = {},
): Promise<RetryResult> {
  const campaign = await findCampaign(runtime, ref);
  const { ledger, queues, views } = runtime;
  const { id } = campaign;
  refuseCancelled(campaign);
  const rowsOf = async (keys: readonly string[]) =>
    new Set((await findNamedRows(runtime, campaign, keys)).values());
  const one = key === undefined ? undefined : await rowsOf([key]);
  const chosen = keys && (await rowsOf(keys));
  const named = one && chosen ? new Set([...one].filter((row) => chosen.has(row))) : (one ?? chosen);
  const counts = named === undefined ? campaign.counts : await countStates(ledger, campaign, [...named]);
  const view = await views.open(id, campaign.sheetVersion);
  const onHold = view && (await CreatorsOnHold.of(ledger, view, campaign, released));
  const had = await ledger.failedPosts.all(id);
  const tally = dryRun && view ? new RetryTally(ledger, view) : undefined;
  const retry = new Retry({ runtime, campaign, had, tally, dryRun });
  let matched = 0;
  for await (const found of ledger.query.all(campaign, { ...filter, state: 'failed', rows: named })) {
    matched += found.length;
    const rows = onHold ? await onHold.leaveOut(found) : found;
    if (rows.length > 0) await retry.take(rows);
  }
  if (retry.sent > 0 && campaign.state !== 'paused') await queues.wakeAdmission(id);
  const others = await leftOutOf(ledger, campaign, { named, counts, matched });
  const isMissed = matched === 0 && campaign.counts.failed > 0;
  const { state = campaign.state } = (await ledger.campaigns.find(id)) ?? {};
  return {
    matched,
    rows: retry.sent,
    held: retry.held,
    posted: retry.posted,
    plan: tally?.finish() ?? null,
    leftOut: [
      ...(onHold?.finish() ?? []),
      ...unreadPosts(retry.unread),
      ...failedBeforeLoss(id, retry.toReview),
      ...changedRows(retry.changed),
      ...others,
    ],
    kinds: isMissed ? await failedKindsOf(ledger, campaign, view) : undefined,
    state,
  };
}

interface RetrySetup {
  readonly runtime: RetryRuntime;
  readonly campaign: Campaign;
  readonly had: ReadonlyMap<number, EarlierPosts>;
  /** Adds up what a dry run would call. */
  readonly tally: RetryTally | undefined;
  readonly dryRun: boolean;
}

/** Sends rows again part by part, and counts. */
class Retry {
  sent = 0;
  /** Sent rows that had a post, and wait for a moment. */
  held = 0;
  /** Rows whose posts were published after all. */
  posted = 0;
  /** Rows that went to review, because they may have been retried before Redis lost the record. */
  toReview = 0;
  /** Rows that somebody else changed meanwhile. */
  changed = 0;
  /** Number of rows whose posts could not be looked up, by reason. */
  readonly unread = new Map<string, number>();
  readonly #setup: RetrySetup;

  constructor(setup: RetrySetup) {
    this.#setup = setup;
  }

  /** Looks up posts of the rows again, and sends rows without one back to waiting. */
  async take(rows: readonly number[]): Promise<void> {
    const { runtime, campaign, had, tally, dryRun } = this.#setup;
    // Read before the look, which may take long: only rows that have not changed since are sent again.
    const seen = await runtime.ledger.rows.statusesOf(campaign.id, rows);
    const rechecked = await recheckRows(runtime, campaign, rows, had);
    for (const found of rechecked.values())
      if (found.kind === 'unread') this.unread.set(found.why, (this.unread.get(found.why) ?? 0) + 1);
    const ready = rows.flatMap((row, index) => {
      const revision = seen[index]?.revision;
      const isReady = (rechecked.get(row)?.kind ?? 'failed') === 'failed';
      return isReady && revision !== undefined ? [{ row, revision }] : [];
    });
    if (dryRun) {
      this.posted += [...rechecked.values()].filter(({ kind }) => kind === 'posted').length;
      await tally?.add(ready.map(({ row }) => row));
      return;
    }
    this.posted += (await postAgain(runtime, campaign, rechecked)).length;
    await this.#redo(ready);
  }

  async #redo(rows: readonly RowVersion[]): Promise<void> {
    const { ledger, queues } = this.#setup.runtime;
    const { id } = this.#setup.campaign;
    const redone = await ledger.rows.redo(id, rows);
    for (const row of redone.rows) await queues.removeFlow({ campaign: id, ...row });
    const missed = rows.length - redone.rows.length;
    const numbers = missed === 0 ? [] : rows.map(({ row }) => row);
    const statuses = await ledger.rows.statusesOf(id, numbers);
    const toReview = statuses.filter((status) => status?.state === 'review').length;
    this.sent += redone.rows.length;
    this.held += redone.held;
    this.toReview += toReview;
    this.changed += missed - toReview;
  }
}

export const resumedCreatorSchema = z.strictObject({
  id: z.string(),
  creator: z.string(),
  wasOpen: z.boolean(),
  /** Rows sent back to waiting. */
  rows: z.int(),
  /** Of the campaign. In a paused one, the rows wait until it is resumed. */
  state: campaignState,
});
export type ResumedCreator = Omit<Document<typeof resumedCreatorSchema>, 'id' | 'creator'>;

/** Changes nothing. @throws {UseCaseError} `creator_not_found`, `campaign_cancelled`. */
export async function planCreator(
  runtime: RetryRuntime,
  campaign: Campaign,
  name: string,
): Promise<RetryResult> {
  const creator = creatorIn(name);
  await creatorOf(runtime, campaign, creator);
  return retryRows(runtime, campaign, stoppedRows(creator), { dryRun: true, released: creator });
}

/** Retries the rows that failed for it. @param name as in the manifest, or a profile link. @throws {UseCaseError} `creator_not_found`. */
export async function resumeCreator(
  runtime: RetryRuntime,
  ref: CampaignRef,
  name: string,
): Promise<ResumedCreator> {
  const campaign = await findCampaign(runtime, ref);
  const { ledger } = runtime;
  const creator = creatorIn(name);
  const { creatorId } = await creatorOf(runtime, campaign, creator);
  const wasOpen = await ledger.creators.closeBreaker(creatorId);
  // Rows of a cancelled campaign are not sent again, but the breaker also concerns other campaigns.
  if (campaign.cancelledAt !== undefined) return { wasOpen, rows: 0, state: campaign.state };
  const { rows, state } = await retryRows(runtime, campaign, stoppedRows(creator));
  return { wasOpen, rows, state };
}

function stoppedRows(creator: string): RetryFilter {
  return { error: String(authorizationExpiredCode), creator };
}

async function creatorOf({ ledger }: RetryRuntime, { id }: Campaign, name: string) {
  const creator = (await ledger.campaigns.creators(id)).get(name);
  if (creator !== undefined) return creator;
  throw new UseCaseError('creator_not_found', `campaign ${id} has no creator ${name}`, {
    fix: 'Give the creator as written in the sheet.',
  });
}
