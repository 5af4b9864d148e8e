/** Notifications of a process that ends with its campaigns. */
import { setTimeout as wait } from 'node:timers/promises';
import { notifyQueue } from '../queues/campaign-jobs.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { plural } from '../runtime/wording.ts';
import { createWorkers } from '../runtime/workers.ts';
import { type CampaignRef, idOf } from './find.ts';

/** How long receivers may take; the next run or worker delivers the rest. */
const withinMs = 10_000;
const lookEveryMs = 50;

/**
 * Delivers due notifications, and those still being collected for these campaigns, because no process may be running when the
 * ten minutes have passed.
 * @throws {UseCaseError} `settings_invalid` if a secret cannot be read.
 */
export async function deliverNotifications(
  runtime: Runtime,
  campaigns: readonly CampaignRef[],
): Promise<void> {
  const { settings, ledger, redis, notify } = runtime;
  if (settings.notify.length === 0) return;
  await ledger.outbox.endGathering(campaigns.map(idOf));
  if ((await ledger.outbox.pending()) === 0) return;
  const workers = await createWorkers(runtime, { queues: [notifyQueue], isRun: true });
  await workers.start();
  const deadline = Date.now() + withinMs;
  let pending = await ledger.outbox.pending();
  while (pending > 0 && Date.now() < deadline && !redis.gone.aborted) {
    await wait(lookEveryMs);
    pending = await ledger.outbox.pending();
  }
  await workers.stop(redis.gone.aborted ? 0 : withinMs);
  if (pending > 0)
    notify(`${plural(pending, 'notification')} not delivered yet; the next run or worker goes on`);
}
