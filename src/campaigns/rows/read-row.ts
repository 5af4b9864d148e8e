/** One row as its page shows it: its history, its cells, its media, its jobs, and the adjacent rows. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import type { StoredRow } from '../../ledger/rows/row-codec.ts';
import type { QueueName } from '../../queues/queues.ts';
import { pollJobId, postJobId } from '../../queues/row-jobs.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { findCampaign } from '../find.ts';
import { keysOf } from '../find-row.ts';
import { listMedia, type ShownMedium } from './media.ts';
import { type ShownRow, showRow } from './show-row.ts';
import { type WrittenCell, writtenCells } from './written.ts';

export interface RowJob {
  readonly queue: QueueName;
  readonly id: string;
}

export interface ReadRow {
  readonly campaign: Campaign;
  readonly row: ShownRow;
  /** Number in the sheet, from 1, without the header. */
  readonly number: number;
  readonly stored: StoredRow;
  readonly cells: readonly WrittenCell[];
  readonly media: readonly ShownMedium[];
  /** Its jobs that the queues still have. */
  readonly jobs: readonly RowJob[];
  /** Keys of the adjacent rows. For a row that failed or is in review: of the nearest rows in the same state. */
  readonly beside: { readonly before: string | undefined; readonly after: string | undefined };
}

/** @throws {UseCaseError} `campaign_not_found`, `row_not_found`. */
export async function readRow(
  runtime: Pick<Runtime, 'ledger' | 'queues' | 'views'>,
  id: string,
  key: string,
): Promise<ReadRow> {
  const [campaign, row] = await Promise.all([findCampaign(runtime, id), showRow(runtime, id, key)]);
  const stored = await runtime.ledger.store.read(campaign, row.position);
  const [media, jobs, beside] = await Promise.all([
    listMedia(runtime, campaign, row.position),
    findJobs(runtime, campaign, row),
    findBeside(runtime, campaign, row),
  ]);
  return {
    campaign,
    row,
    number: stored.number,
    stored,
    cells: writtenCells(campaign, stored),
    media,
    jobs,
    beside,
  };
}

async function findJobs(
  { queues }: Pick<Runtime, 'queues'>,
  { id }: Campaign,
  { position, revision }: ShownRow,
): Promise<readonly RowJob[]> {
  const payload = { c: id, r: position, v: revision };
  const possible: readonly RowJob[] = [
    { queue: 'post', id: postJobId(payload) },
    { queue: 'poll', id: pollJobId(payload) },
  ];
  const found = await Promise.all(possible.map((job) => queues.queue(job.queue).getJob(job.id)));
  return possible.filter((_job, index) => found[index] !== undefined);
}

async function findBeside(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  { position, state }: ShownRow,
): Promise<ReadRow['beside']> {
  const { before, after } =
    state === 'failed' || state === 'review'
      ? await ledger.rows.neighbours(campaign.id, state, position)
      : {
          before: position > 0 ? position - 1 : undefined,
          after: position + 1 < campaign.rows ? position + 1 : undefined,
        };
  const keyOf = keysOf(ledger, campaign);
  const key = async (row: number | undefined) => (row === undefined ? undefined : keyOf(row));
  return { before: await key(before), after: await key(after) };
}
