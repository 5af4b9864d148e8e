/** Describes jobs: the row of a job, its result, and why it failed. */

import type { Ledger } from '../../ledger/ledger.ts';
import { textOfCell } from '../../manifest/cells/formula-guard.ts';
import { creatorIn } from '../../manifest/cells/id.ts';
import { createImportedRowReader } from '../../manifest/reader.ts';
import type { RowRef } from '../../manifest/row.ts';
import { groupOfJobId } from '../../queues/campaign-jobs.ts';
import { rowOfJobId } from '../../queues/row-jobs.ts';

export interface ShownJob {
  /** Key, creator and campaign: `B25 · anna · Spring`; for a group of rows its number and the campaign. */
  readonly title: string;
  /** As in the results sheet. Undefined for a job of a group, or one that was superseded. */
  readonly result?: Awaited<ReturnType<typeof resultOf>>;
}

/** @returns by job id; without jobs of deleted campaigns. */
export async function describeJobs(
  ledger: Ledger,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownJob>> {
  const shown = new Map<string, ShownJob>();
  const ofCampaign = Map.groupBy(ids, (id) => (rowOfJobId(id) ?? groupOfJobId(id))?.campaign ?? '');
  for (const [campaign, some] of ofCampaign) {
    if (campaign !== '') for (const [id, job] of await describeOf(ledger, campaign, some)) shown.set(id, job);
  }
  return shown;
}

async function describeOf(
  ledger: Ledger,
  id: string,
  jobs: readonly string[],
): Promise<readonly (readonly [string, ShownJob])[]> {
  const campaign = await ledger.campaigns.find(id);
  if (!campaign) return [];
  const reader = createImportedRowReader(campaign);
  return Promise.all(
    jobs.map(async (job) => {
      const ref = rowOfJobId(job);
      if (!ref)
        return [job, { title: `group ${groupOfJobId(job)?.group ?? ''} · ${campaign.name}` }] as const;
      const stored = ref.row < campaign.rows ? await ledger.store.read(campaign, ref.row) : undefined;
      const key = stored ? reader.key(stored) : String(ref.row + 1);
      const creator = creatorIn(textOfCell(stored?.cells ?? [], reader.header.indexes.creator));
      const title = [key, creator, campaign.name].filter((part) => part !== '').join(' · ');
      return [job, { title, result: await resultOf(ledger, ref) }] as const;
    }),
  );
}

async function resultOf({ rows }: Ledger, { campaign, row, revision }: RowRef) {
  const outcome = await rows.outcome(campaign, row);
  if (!outcome || outcome.revision !== revision) return undefined;
  const { state, result, error } = outcome;
  return {
    status: state,
    ...(result && { postId: result.postId, postStatus: result.postStatus, fileIds: result.fileIds }),
    ...(error && {
      error: { step: error.step, code: error.code, message: error.message, fix: error.fix },
    }),
  };
}
