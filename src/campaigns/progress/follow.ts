/** Follows campaigns until none of them runs any more, and shows how far they are. It changes nothing. */
import { hostname } from 'node:os';
import { createProgressDisplay, type ProgressDisplay } from '../../cli/print/progress.ts';
import { type Campaign, isUnderWay } from '../../ledger/campaigns.ts';
import { ServiceReach } from '../../ledger/service-reach.ts';
import { openBudgetBook } from '../../runtime/budget-book.ts';
import type { LedgerSession } from '../../runtime/runtime.ts';
import { endedBadlyByStep } from '../repair/causes.ts';
import { ProgressReader } from './reader.ts';

const lookEveryMs = 250;

/** @returns the campaigns when none of them runs any more; undefined when the signal came first. */
export async function followCampaigns(
  session: LedgerSession,
  reader: ProgressReader,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly Campaign[] | undefined> {
  const display = createProgressDisplay(session.output);
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    while (!signal.aborted) {
      const looking = look(session, ids, reader, display);
      // While Redis is away no answer comes, and an interrupt does not wait for one.
      looking.catch(() => undefined);
      const ended = await Promise.race([looking, aborted]);
      if (ended) return ended;
      await pause(lookEveryMs, signal);
    }
    return undefined;
  } finally {
    display.end();
  }
}

export function openProgressReader(session: LedgerSession): ProgressReader {
  const { ledger, queues } = session;
  const redis = session.redis.connect('progress');
  return new ProgressReader({
    queues,
    presence: ledger.presence,
    budgetsOf: (account) => openBudgetBook(session, account, redis),
    endedBadlyOf: (campaign) => endedBadlyByStep(ledger, campaign),
    reachOf: (account) => new ServiceReach({ redis, keys: ledger.keys, account, host: hostname() }),
  });
}

/** Those of the campaigns that there are. */
export async function readCampaigns(
  session: LedgerSession,
  ids: readonly string[],
): Promise<readonly Campaign[]> {
  const found = await Promise.all(ids.map((id) => session.ledger.campaigns.find(id)));
  return found.filter((campaign) => campaign !== undefined);
}

/** Shows how far the campaigns are. @returns them when none of them runs any more. */
async function look(
  session: LedgerSession,
  ids: readonly string[],
  reader: ProgressReader,
  display: ProgressDisplay,
): Promise<readonly Campaign[] | undefined> {
  const campaigns = await readCampaigns(session, ids);
  const current = campaigns.find(isUnderWay) ?? campaigns.at(-1);
  if (current) display.show(await reader.read(current));
  return campaigns.some(isUnderWay) ? undefined : campaigns;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end);
  });
}
