/**
 * What may have been sent since Redis lost its records. Such rows go to review: the publishing records, late answers and people
 * decide about them, so that none is posted twice.
 */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { JournalLoss } from '../../ledger/journal-position.ts';
import { batches } from '../../ledger/ledger-part.ts';
import { journalBehindCode } from '../../ledger/lost-rows.ts';
import { latestGeneration } from '../../ledger/rows/row-progress.ts';
import { callMsOf, sendWithinMs } from '../../ledger/transitions/steps.ts';
import type { RowVersion } from '../../manifest/row.ts';
import { generationToCreate } from '../../processors/admission/flow-plan.ts';
import { dropDecisions } from '../../processors/rescue/leftovers.ts';
import type { CampaignView } from '../../processors/runner/campaign-view.ts';
import type { Runtime } from '../runtime/runtime.ts';

export type LostRowsRuntime = Pick<Runtime, 'ledger' | 'queues' | 'views' | 'settings'>;

export interface MaybeSent {
  readonly campaign: Campaign;
  readonly rows: number;
}

/** Whether a campaign is paused because Redis has lost records. A resume alone would only pause it again. */
export function isPausedForLoss({ state, pauseReason }: Pick<Campaign, 'state' | 'pauseReason'>): boolean {
  return state === 'paused' && pauseReason?.code === journalBehindCode;
}

const rowsAtOnce = 500;

/** Not those begun after it was noticed, which have lost nothing, or cancelled before, which sent nothing. */
export async function campaignsOfLoss(
  { ledger }: Pick<Runtime, 'ledger'>,
  { noticedAt }: Pick<JournalLoss, 'noticedAt'>,
): Promise<readonly Campaign[]> {
  const campaigns = await ledger.campaigns.list();
  return campaigns.filter(
    ({ createdAt, cancelledAt, counts: { waiting, running, ready, review } }) =>
      createdAt <= noticedAt &&
      (cancelledAt ?? noticedAt) >= noticedAt &&
      waiting + running + ready + review > 0,
  );
}

/** Number of rows of a campaign that wait, run or are ready, and may have been sent in what is lost. */
export async function countLost(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  { admitted }: JournalLoss,
): Promise<number> {
  const { waiting, running, ready } = campaign.counts;
  if (waiting + running + ready === 0) return 0;
  let rows = 0;
  for await (const found of ledger.lostRows.find(campaign, admitted)) rows += found.length;
  return rows;
}

/** When calls that are lost may have left at the latest, and when they are over. Unix epoch, milliseconds. */
export function endOfLoss(
  { settings }: Pick<LostRowsRuntime, 'settings'>,
  { noticedAt }: Pick<JournalLoss, 'noticedAt'>,
): { readonly until: number; readonly over: number } {
  const until = noticedAt + sendWithinMs;
  return { until, over: until + callMsOf(settings.api.timeout) };
}

/** Its rows in review are of unknown outcome anew. The campaign must not be running. @returns how many rows went to review. */
export async function markUnknown(
  runtime: LostRowsRuntime,
  campaign: Campaign,
  loss: JournalLoss,
): Promise<number> {
  const { ledger, queues } = runtime;
  // Nobody knows when the loss began: processes that have not noticed it may have sent since.
  const span = { from: campaign.createdAt, ...endOfLoss(runtime, loss) };
  const view = await runtime.views.open(campaign.id, campaign.sheetVersion);
  let toReview = 0;
  const mark = async (rows: readonly RowVersion[]) => {
    for (const some of batches(rows, rowsAtOnce)) {
      const withGeneration = await withGenerations(runtime, campaign, view, some);
      const { rows: count, ran } = await ledger.lostRows.markUnknown(campaign.id, withGeneration, span);
      toReview += count;
      for (const { row, revision } of ran) await queues.removeFlow({ campaign: campaign.id, row, revision });
    }
  };
  // First, so that a row that somebody decides about meanwhile is found as a waiting one.
  await mark(await ledger.lostRows.ended(campaign.id, 'review'));
  for await (const rows of ledger.lostRows.find(campaign, loss.admitted)) await mark(rows);
  await dropDecisions(runtime, campaign.id);
  return toReview;
}

/** Sends failed rows that may have been retried in what is lost to review. @returns their number. */
export async function markFailedUnknown({ ledger }: LostRowsRuntime, { id }: Campaign): Promise<number> {
  let toReview = 0;
  for (const some of batches(await ledger.lostRows.ended(id, 'failed'), rowsAtOnce)) {
    toReview += (await ledger.lostRows.markUnknown(id, some)).rows;
  }
  return toReview;
}

/** Adds the number of the generation that a row may have created. */
async function withGenerations(
  { ledger }: LostRowsRuntime,
  { id }: Campaign,
  view: CampaignView | undefined,
  rows: readonly RowVersion[],
) {
  const numbers = rows.map(({ row }) => row);
  const progress = await ledger.rows.progressOf(id, numbers);
  return Promise.all(
    rows.map(async ({ row, revision }, index) => {
      const spec = await view?.uncachedRow(row);
      const known = progress[index];
      const isComplete = (known?.assets.length ?? 0) >= (spec?.generation?.count ?? 0);
      const next = known && (generationToCreate(known) ?? latestGeneration(known) + 1);
      return { row, revision, generation: isComplete ? undefined : next };
    }),
  );
}
