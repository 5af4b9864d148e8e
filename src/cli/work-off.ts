/** Works campaigns off in this process until they have ended or are paused, and shows how far they are. */

import { followCampaigns, openProgressReader, readCampaigns } from '../campaigns/progress/follow.ts';
import { type Campaign, isUnderWay } from '../ledger/campaigns.ts';
import type { Workers } from '../processors/workers.ts';
import type { LedgerSession } from '../runtime/runtime.ts';
import { exitCodes } from './exit.ts';

/** How long jobs at work may take to finish after Ctrl-C or SIGTERM. */
export const drainMs = 25_000;

export type WorkedOff =
  | { readonly kind: 'finished'; readonly campaigns: readonly Campaign[] }
  | { readonly kind: 'interrupted' };

/** @param ids campaigns that are neither ended nor paused. */
export async function workOff(
  session: LedgerSession,
  workers: Workers,
  ids: readonly string[],
): Promise<WorkedOff> {
  using interrupt = listenForInterrupt(session);
  for (const id of ids) await session.queues.wakeAdmission(id);
  await workers.start();
  await followCampaigns(session, openProgressReader(session), ids, interrupt.signal);
  if (interrupt.signal.aborted) {
    session.output.say(
      'Finishing what is under way ... (Ctrl-C again ends at once; nothing is lost either way)',
    );
  }
  // Without Redis nothing that is under way can be written down any more.
  await workers.stop(session.redis.gone.aborted ? 0 : drainMs);
  if (session.redis.gone.aborted) return { kind: 'interrupted' };
  // Read anew: answers that came while the workers stopped have settled rows, too. An interrupt that came too late stopped nothing.
  const campaigns = await readCampaigns(session, ids);
  return campaigns.some(isUnderWay) ? { kind: 'interrupted' } : { kind: 'finished', campaigns };
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first of the signals (Ctrl-C, a kill, a terminal that is closed) asks to stop; the second ends at once. */
export function listenForInterrupt(session: LedgerSession): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
  };
  const onGone = () => controller.abort();
  for (const signal of stopSignals) process.on(signal, onSignal);
  session.redis.gone.addEventListener('abort', onGone);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of stopSignals) process.off(signal, onSignal);
      session.redis.gone.removeEventListener('abort', onGone);
    },
  };
}

/** Resolves once the signal is aborted. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
