/**
 * What may have been sent since Redis lost its records. Such rows go to review: the publishing records, late answers and people
 * decide about them, so that none is posted twice.
 */
import type { Campaign } from '../ledger/campaigns/campaigns.ts';
import { journalBehindCode } from '../ledger/journal/journal-behind.ts';
import type { JournalLook, JournalLoss } from '../ledger/journal/journal-position.ts';
import type { LostSpan } from '../ledger/journal/lost-rows.ts';
import { parts } from '../ledger/parts.ts';
import { latestGeneration, type RowProgress } from '../ledger/rows/row-progress.ts';
import { type RowVersion, sendWithinMs } from '../ledger/transitions/steps.ts';
import { generationToCreate } from '../processors/admission/flow-plan.ts';
import type { CampaignView } from '../processors/frame/campaign-view.ts';
import { dropDecisions } from '../processors/upkeep/cancellation.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** The parts of a `Runtime` that use cases about lost records need. */
export type LostRowsRuntime = Pick<Runtime, 'ledger' | 'queues' | 'views' | 'settings'>;

/** A campaign with rows that may have been sent. */
export interface DoubtfulCampaign {
  readonly campaign: Campaign;
  readonly rows: number;
}

/** Whether a campaign is paused because Redis has lost records. A resume alone would only pause it again. */
export function isPausedForLoss({ state, pauseReason }: Pick<Campaign, 'state' | 'pauseReason'>): boolean {
  return state === 'paused' && pauseReason?.code === journalBehindCode;
}

const rowsAtOnce = 500;

/** Campaigns whose rows may have been sent in what is lost. Those that began after it was noticed have lost nothing. */
export async function findDoubtful(
  { ledger }: Pick<Runtime, 'ledger'>,
  { noticedAt, admitted }: JournalLoss,
): Promise<readonly DoubtfulCampaign[]> {
  const doubtful: DoubtfulCampaign[] = [];
  for (const campaign of await ledger.campaigns.list()) {
    if (campaign.state !== 'running' && campaign.state !== 'paused') continue;
    if (campaign.createdAt > noticedAt) continue;
    let rows = 0;
    for await (const found of ledger.lostRows.find(campaign, admitted)) rows += found.length;
    if (rows > 0) doubtful.push({ campaign, rows });
  }
  return doubtful;
}

/** Sends the rows of a campaign that may have been sent to review. The campaign must be paused. @returns their number. */
export async function doubtRows(
  runtime: LostRowsRuntime,
  campaign: Campaign,
  { found }: Pick<JournalLook, 'found'>,
  { noticedAt, admitted }: JournalLoss,
): Promise<number> {
  const { ledger, queues, settings } = runtime;
  const from = Math.max(found.at, campaign.createdAt);
  const span: LostSpan = { from, until: noticedAt, over: noticedAt + sendWithinMs + settings.api.timeout };
  const view = await runtime.views.open(campaign.id, campaign.sheetVersion);
  let doubted = 0;
  for await (const rows of ledger.lostRows.find(campaign, admitted)) {
    for (const some of parts(rows, rowsAtOnce)) {
      const doubtful = await withGenerations(runtime, campaign, view, some);
      const { rows: count, ran } = await ledger.lostRows.doubt(campaign.id, span, doubtful);
      doubted += count;
      for (const { row, revision } of ran) await queues.removeFlow({ c: campaign.id, r: row, v: revision });
    }
  }
  await dropDecisions(runtime, campaign.id);
  return doubted;
}

/** Sends failed rows that may have been retried in what is lost to review. @returns their number. */
export async function doubtFailedRows({ ledger }: LostRowsRuntime, { id }: Campaign): Promise<number> {
  let doubted = 0;
  for (const some of parts(await ledger.lostRows.failed(id), rowsAtOnce)) {
    const failed = some.map((row) => ({ ...row, generation: undefined }));
    doubted += (await ledger.lostRows.doubt(id, { from: 0, until: 0, over: 0 }, failed)).rows;
  }
  return doubted;
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
      const spec = await view?.glance(row);
      const known = progress[index];
      const isComplete = (known?.assets.length ?? 0) >= (spec?.generation?.count ?? 0);
      return { row, revision, generation: isComplete || !known ? undefined : nextGeneration(known) };
    }),
  );
}

function nextGeneration(progress: RowProgress): number {
  return generationToCreate(progress) ?? latestGeneration(progress) + 1;
}
