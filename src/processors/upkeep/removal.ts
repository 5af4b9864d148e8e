/** Carries out what deleting a campaign began. It may be done by several at once, and again after a crash: the keeper does. */
import type { Remains } from '../../ledger/deletion.ts';
import type { CancellationTools } from './cancellation.ts';

/** Removes the jobs and all keys of a campaign that has vanished. */
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
