/** Removes drafts that nobody has touched for 7 days, and those whose campaign is deleted. */
import type { Campaign } from '../../ledger/campaigns.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { removeDraft } from './discard.ts';
import { type Draft, keptMs } from './draft.ts';
import { listDrafts } from './drafts.ts';
import { readFiles } from './files/record.ts';
import { draftMediaFolder, readDraft } from './folder.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** How often the console looks. */
const everyMs = 3600_000;

export type SweepRuntime = Pick<Runtime, 'environment' | 'settings' | 'now' | 'ledger' | 'log'>;

/**
 * Drafts whose media a campaign needs stay as long as the campaign.
 * @returns the ids of the drafts that were removed.
 */
export async function sweepDrafts(runtime: SweepRuntime): Promise<readonly string[]> {
  const removed: string[] = [];
  const campaigns = await runtime.ledger.campaigns.list();
  for (const { id } of await listDrafts(runtime)) {
    try {
      await oneAtATime(id, async () => {
        // It may have been changed since the list was made.
        if (!(await isOver(runtime, await readDraft(runtime, id), campaigns))) return;
        await removeDraft(runtime, id);
        removed.push(id);
      });
    } catch (error) {
      runtime.log.warn({ draft: id, error: String(error) }, 'draft not swept');
    }
  }
  return removed;
}

async function isOver(
  runtime: SweepRuntime,
  { id, campaign, ledger: of, changedAt }: Draft,
  campaigns: readonly Campaign[],
): Promise<boolean> {
  const { ledger, now } = runtime;
  // The process may have ended before a draft that was started could be told of its campaign.
  const media = draftMediaFolder(runtime, id);
  if (campaigns.some(({ mediaRoot }) => mediaRoot === media)) return false;
  if (campaign === undefined) {
    const files = await readFiles(runtime, id);
    return now() - Math.max(changedAt, files.changedAt) > keptMs;
  }
  // In another ledger, nobody knows of the campaign.
  return of === (await ledger.format.id()) && (await ledger.campaigns.find(campaign)) === undefined;
}

/** Sweeps now and then until the signal. @param onRemoved takes the ids of drafts that are gone. */
export function keepSweeping(
  runtime: SweepRuntime,
  until: AbortSignal,
  onRemoved: (id: string) => void,
): void {
  const sweep = async () => {
    try {
      for (const id of await sweepDrafts(runtime)) onRemoved(id);
    } catch (error) {
      runtime.log.warn({ error: String(error) }, 'drafts not swept');
    }
  };
  void sweep();
  const timer = setInterval(() => void sweep(), everyMs);
  timer.unref();
  until.addEventListener('abort', () => clearInterval(timer), { once: true });
}
