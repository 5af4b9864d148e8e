/** Searches the publishing records for rows in review, at the request of a person. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { reconcileRows } from '../../processors/records/reconcile.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { serviceError } from '../../runtime/service/errors.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { findCampaign } from '../find.ts';
import { type RecordRuntime, recordTools } from '../record-tools.ts';

export interface ReviewLooked {
  /** Rows that were searched for. */
  readonly rows: number;
  /** Rows whose post was found. */
  readonly found: number;
  /** The search takes longer than a person waits, and goes on. */
  readonly isSlow: boolean;
}

type LookRuntime = RecordRuntime & Pick<Runtime, 'queues'>;

/** How long a person waits. Milliseconds. */
const longestWaitMs = 20_000;

/** Whether the settings tell how to read publishing records. */
export function canLook({ settings }: Pick<Runtime, 'settings'>): boolean {
  return settings.api.listPosts !== null;
}

/**
 * @param asked rows by their campaign's id; those that are not in review are left out.
 * @throws {UseCaseError} `service_not_configured` without the setting `api.listPosts`; `service_*` when the records cannot be read.
 */
export async function lookIntoRecords(
  runtime: LookRuntime,
  asked: ReadonlyMap<string, readonly number[]>,
): Promise<ReviewLooked> {
  if (!canLook(runtime)) {
    throw new UseCaseError('service_not_configured', 'the publishing records cannot be read', {
      cure: 'The setting api.listPosts is missing. It tells how to read them; docs/settings.md shows its form.',
    });
  }
  const looked = { rows: 0, found: 0 };
  const look = async () => {
    for (const [id, rows] of asked) await lookOne(runtime, await findCampaign(runtime, id), rows, looked);
  };
  const isSlow = await inTime(look());
  return { ...looked, isSlow };
}

async function lookOne(
  runtime: LookRuntime,
  campaign: Campaign,
  rows: readonly number[],
  looked: { rows: number; found: number },
): Promise<void> {
  try {
    const tools = recordTools(runtime, campaign);
    for await (const { state } of reconcileRows(tools, campaign, { all: true, rows })) {
      looked.rows += 1;
      if (state !== 'review') looked.found += 1;
    }
  } catch (error) {
    throw serviceError(error, 'the publishing records could not be read');
  }
}

/** @returns whether the work takes longer than that. Then it goes on. */
async function inTime(work: Promise<void>): Promise<boolean> {
  work.catch(() => undefined);
  const isDone = work.then(() => false);
  return Promise.race([isDone, wait(longestWaitMs, true, { ref: false })]);
}
