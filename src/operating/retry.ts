/** Does failed rows again: all of a campaign, or those that a filter names. */
import type { Campaign } from '../ledger/campaigns.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RowError, Step } from '../ledger/states.ts';
import type { Row } from '../manifest/row.ts';
import type { CampaignViews } from '../processors/campaign-view.ts';
import type { Queues } from '../queues/queues.ts';

/** Rows must match everything that is given. */
export interface RetryFilter {
  readonly error?: string | undefined;
  readonly creator?: string | undefined;
  readonly step?: Step | undefined;
  /** The row's key. */
  readonly row?: string | undefined;
}

export interface RetryTools {
  readonly ledger: Ledger;
  readonly queues: Queues;
  readonly views: CampaignViews;
}

export interface RetryResult {
  /** Rows that match. */
  readonly matched: number;
  /** Rows sent back to waiting; none in a dry run. */
  readonly rows: number;
}

const rowsAtOnce = 200;

/** Sends matching failed rows back to waiting, in their next revision, and removes the jobs of the old one. */
export async function retryRows(
  tools: RetryTools,
  campaign: Campaign,
  filter: RetryFilter,
  options: { readonly dryRun: boolean },
): Promise<RetryResult> {
  const failed = await tools.ledger.rows.inState(campaign.id, 'failed');
  let matched = 0;
  let sent = 0;
  for (let start = 0; start < failed.length; start += rowsAtOnce) {
    const rows = await matching(tools, campaign, filter, failed.slice(start, start + rowsAtOnce));
    matched += rows.length;
    if (options.dryRun || rows.length === 0) continue;
    const redone = await tools.ledger.rows.redo(campaign.id, rows);
    for (const { row, revision } of redone) {
      await tools.queues.removeFlow({ c: campaign.id, r: row, v: revision });
    }
    sent += redone.length;
  }
  if (sent > 0 && campaign.state !== 'paused') await tools.queues.wakeAdmission(campaign.id);
  return { matched, rows: sent };
}

async function matching(
  { ledger, views }: RetryTools,
  campaign: Campaign,
  filter: RetryFilter,
  rows: readonly number[],
): Promise<readonly number[]> {
  const errors = await ledger.rows.errors(campaign.id, rows);
  const byError = rows.filter((_row, index) => matchesError(errors[index], filter));
  if (filter.creator === undefined && filter.row === undefined) return byError;
  const view = await views.open(campaign.id, campaign.edits);
  const matched: number[] = [];
  for (const row of byError) {
    const spec = await view?.row(row);
    if (spec && matchesRow(spec, filter)) matched.push(row);
  }
  return matched;
}

function matchesError(error: RowError | undefined, filter: RetryFilter): boolean {
  if (filter.error !== undefined && error?.code !== filter.error) return false;
  return filter.step === undefined || error?.step === filter.step;
}

function matchesRow(row: Row, filter: RetryFilter): boolean {
  if (filter.creator !== undefined && row.creator !== filter.creator) return false;
  return filter.row === undefined || row.key === filter.row;
}
