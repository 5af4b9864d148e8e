/** Works campaigns off in this process until they have ended or are paused, and shows how far they are. */
import type { Campaign } from '../ledger/campaigns.ts';
import type { Workers } from '../processors/workers.ts';
import { exitCodes } from './exit.ts';
import { followCampaigns, openProgressReader, readCampaigns } from './follow.ts';
import type { LedgerSession } from './ledger-session.ts';

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
  const finished = await followCampaigns(session, openProgressReader(session), ids, interrupt.signal);
  if (interrupt.signal.aborted) {
    session.output.say(
      'Finishing what is under way ... (Ctrl-C again ends at once; nothing is lost either way)',
    );
  }
  // Without Redis nothing that is under way can be written down any more.
  await workers.stop(session.redis.gone.aborted ? 0 : drainMs);
  if (!finished || interrupt.signal.aborted) return { kind: 'interrupted' };
  // Read anew: answers that came while the workers stopped have settled rows, too.
  return { kind: 'finished', campaigns: await readCampaigns(session, ids) };
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
