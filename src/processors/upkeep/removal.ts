/** Carries out the deletion of a campaign. Safe to run several times, also at once: the keeper repeats it after a crash. */
import type { Remains } from '../../ledger/campaigns/deletion.ts';
import type { CancellationTools } from './cancellation.ts';

/** Removes the jobs and all keys of a deleted campaign. */
export async function removeRemains({ ledger, queues }: CancellationTools, remains: Remains): Promise<void> {
  const { id } = remains;
  for await (const rows of ledger.deletion.unposted(remains)) {
    for (const { row, revision } of rows) await queues.removeFlow({ c: id, r: row, v: revision });
  }
  for (const g of (await ledger.admission.groups(id)).keys()) await queues.removeShowcaseJob({ c: id, g });
  await queues.removeCompleted(id);
  await queues.removeAdmission(id);
  await ledger.deletion.remove(remains);
}
