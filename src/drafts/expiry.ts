/** Removes drafts that have not been used for 7 days, readable or not, and drafts whose campaign was deleted. */
import type { Campaign } from '../ledger/campaigns/campaigns.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { DraftDesk } from './desk/desk.ts';
import { removeDraft } from './discard.ts';
import { type Draft, keptMs } from './draft.ts';
import { filesChangedAt, listDraftIds } from './drafts.ts';
import { exclusively } from './exclusive.ts';
import { readFiles } from './files/record.ts';
import { draftMediaFolder, readDraft } from './folder.ts';

/** How often the console looks for such drafts. */
const everyMs = 3600_000;

export type SweepRuntime = Pick<Runtime, 'environment' | 'settings' | 'now' | 'ledger' | 'log'>;

/** Removes an open draft, after ending its check. */
type Remover = Pick<DraftDesk, 'remove'>;

const closed: Remover = { remove: (_id, removal) => removal() };

/**
 * Removes expired drafts. A draft whose media a campaign needs is kept as long as the campaign.
 * @param drafts default: none is open.
 * @returns the ids of the drafts that were removed.
 */
export async function sweepDrafts(
  runtime: SweepRuntime,
  drafts: Remover = closed,
): Promise<readonly string[]> {
  const removed: string[] = [];
  const campaigns = await runtime.ledger.campaigns.list();
  for (const id of await listDraftIds(runtime)) {
    try {
      // Read before locking, because the lock is a file in the folder too.
      const filesAt = await filesChangedAt(runtime, id);
      await exclusively(runtime, id, async () => {
        const draft = await readDraft(runtime, id).catch((error: Error) => {
          // A failure of the disk may pass; a damaged or missing record does not.
          if (error.cause !== undefined) throw error;
          return { id, changedAt: filesAt };
        });
        if (!(await isOver(runtime, draft, campaigns))) return;
        await drafts.remove(id, () => removeDraft(runtime, id));
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
  { id, campaign, ledger: of, changedAt }: Pick<Draft, 'id' | 'changedAt' | 'campaign' | 'ledger'>,
  campaigns: readonly Campaign[],
): Promise<boolean> {
  const { ledger, now } = runtime;
  // A crash may have come between the import of a started draft and the note of its campaign.
  const media = draftMediaFolder(runtime, id);
  if (campaigns.some(({ mediaRoot }) => mediaRoot === media)) return false;
  if (campaign === undefined) {
    const files = await readFiles(runtime, id);
    return now() - Math.max(changedAt, files.changedAt) > keptMs;
  }
  // This ledger knows nothing about campaigns of others.
  if (of !== (await ledger.format.id()) || (await ledger.campaigns.find(campaign)) !== undefined)
    return false;
  // It may have been lost, not deleted: a later backup may have it.
  const lossAt = await ledger.journal.lossNoticedAt();
  return changedAt > lossAt || now() - lossAt > keptMs;
}

/** Sweeps every hour until the signal. */
export function keepSweeping(runtime: SweepRuntime, until: AbortSignal, drafts: Remover): void {
  const sweep = async () => {
    try {
      await sweepDrafts(runtime, drafts);
    } catch (error) {
      runtime.log.warn({ error: String(error) }, 'drafts not swept');
    }
  };
  void sweep();
  const timer = setInterval(() => void sweep(), everyMs);
  timer.unref();
  until.addEventListener('abort', () => clearInterval(timer), { once: true });
}
