/** Removes drafts: those that somebody discards, those not used for 7 days, readable or not, and those whose campaign was deleted. */
import { readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { ownerOfRoot } from '../../service/media/picture-store.ts';
import type { Pictures } from '../../service/media/pictures.ts';
import { sweepPictures } from '../campaigns/rows/pictures.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type Draft, onDisk, refuseStarted, refuseStarting } from './draft.ts';
import { filesChangedAt, findDraft, listDraftIds } from './drafts.ts';
import { exclusively } from './exclusive.ts';
import { listBegun, removeBegun } from './files/incoming.ts';
import { removeDraftMedia } from './files/media.ts';
import { readFiles } from './files/record.ts';
import { type DraftRuntime, draftFolder, draftMediaFolder, isDraftFile } from './folder.ts';

export const draftKeptMs = 7 * 24 * 3600 * 1000;

/** How often the console looks for such drafts. */
const everyMs = 3600_000;

export type SweepRuntime = Pick<Runtime, 'environment' | 'settings' | 'now' | 'ledger' | 'log'>;

/** Removes an open draft, after ending its check. */
interface Remover {
  readonly remove: (id: string, removal: () => Promise<void>) => Promise<void>;
}

const closed: Remover = { remove: (_id, removal) => removal() };

/** A draft whose media a campaign needs stays as long. @param drafts default: none is open. @returns the ids of those removed. */
export async function sweepDrafts(
  runtime: SweepRuntime,
  drafts: Remover = closed,
): Promise<readonly string[]> {
  const removed: string[] = [];
  const campaigns = await runtime.ledger.campaigns.listAll();
  for (const id of await listDraftIds(runtime)) {
    try {
      // Read before locking, because the lock is a file in the folder too.
      const filesAt = await filesChangedAt(runtime, id);
      const isOverNow = async () => isOver(runtime, await readDated(runtime, id, filesAt), campaigns);
      const found = await exclusively(runtime, id, async () => {
        const isFound = await isOverNow();
        if (!isFound) await removeOldUploads(runtime, id);
        return isFound;
      });
      if (!found) continue;
      // Without the lock, because the check that ends first may be about to change the draft.
      await drafts.remove(id, () =>
        exclusively(runtime, id, async () => {
          if (!(await isOverNow())) return;
          await removeDraft(runtime, id);
          removed.push(id);
        }),
      );
    } catch (error) {
      runtime.log.warn({ draft: id, error: String(error) }, 'expired draft not removed');
    }
  }
  return removed;
}

/** @param changedAt of a draft whose record is damaged or missing. @throws {UseCaseError} for a failure of the disk, which may pass. */
async function readDated(runtime: DraftRuntime, id: string, changedAt: number): Promise<DatedDraft> {
  return findDraft(runtime, id).catch((error: Error) => {
    if (error.cause !== undefined) throw error;
    return { id, changedAt };
  });
}

/** Removes uploads that have begun, and not ended in the time that a draft is kept. */
export async function removeOldUploads(runtime: DraftRuntime, id: string): Promise<void> {
  for (const upload of await listBegun(runtime, id))
    if (runtime.now() - upload.begunAt > draftKeptMs) await removeBegun(runtime, id, upload);
}

type DatedDraft = Pick<Draft, 'id' | 'changedAt' | 'campaign' | 'ledger'>;

async function isOver(
  runtime: SweepRuntime,
  { id, campaign, ledger: of, changedAt }: DatedDraft,
  campaigns: readonly Campaign[],
): Promise<boolean> {
  const { ledger, now } = runtime;
  // A crash may have come between the import of a started draft and the note of its campaign.
  const media = draftMediaFolder(runtime, id);
  if (campaigns.some(({ mediaRoot }) => mediaRoot === media)) return false;
  if (campaign === undefined) {
    const files = await readFiles(runtime, id);
    return now() - Math.max(changedAt, files.changedAt) > draftKeptMs;
  }
  // This ledger knows nothing about campaigns of others.
  if (of !== (await ledger.format.id()) || (await ledger.campaigns.find(campaign)) !== undefined)
    return false;
  // It may have been lost, not deleted: a later backup may have it.
  const lossAt = await ledger.journal.lossNoticedAt();
  return changedAt > lossAt || now() - lossAt > draftKeptMs;
}

/** Removes the pictures of campaigns and drafts that are gone. */
async function sweepUnused(
  runtime: DraftRuntime & Pick<Runtime, 'ledger'>,
  pictures: Pictures,
): Promise<void> {
  const drafts = await listDraftIds(runtime);
  await sweepPictures(
    runtime,
    pictures,
    drafts.map((id) => ownerOfRoot(draftMediaFolder(runtime, id))),
  );
}

/** Sweeps drafts, then pictures, every hour until the signal. */
export function keepSweeping(
  runtime: SweepRuntime,
  until: AbortSignal,
  { drafts, pictures }: { readonly drafts: Remover; readonly pictures: Pictures },
): void {
  const sweep = async () => {
    try {
      await sweepDrafts(runtime, drafts);
      await sweepUnused(runtime, pictures);
    } catch (error) {
      runtime.log.warn({ error: String(error) }, 'expired drafts and old pictures not removed');
    }
  };
  void sweep();
  const timer = setInterval(() => void sweep(), everyMs);
  timer.unref();
  until.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** A campaign that it became keeps its media. @throws {UseCaseError} `draft_not_found`, `draft_not_stored`, `draft_changed`. */
export async function discardDraft(runtime: DraftRuntime, id: string): Promise<void> {
  await exclusively(runtime, id, async () => {
    const draft = await findDraft(runtime, id);
    refuseStarted(draft);
    refuseStarting(draft);
    await removeDraft(runtime, id);
  });
}

/** One that no campaign needs. Not safe to call concurrently for a draft. @throws {UseCaseError} `draft_not_stored`. */
export async function removeDraft(runtime: DraftRuntime, id: string): Promise<void> {
  await removeDraftMedia(runtime, id);
  await removeFolder(draftFolder(runtime, id));
}

const record = 'draft.json';

/** Removes the files, then the folder. The draft's record goes last, so that after a crash the draft can be discarded again. */
async function removeFolder(folder: string): Promise<void> {
  await onDisk(async () => {
    const entries = await readdir(folder, { withFileTypes: true });
    const own = entries.filter((entry) => !entry.isDirectory() && isDraftFile(entry.name));
    for (const { name } of own) if (name !== record) await unlink(join(folder, name));
    await rm(join(folder, record), { force: true });
    // Files that others have put into the folder stay.
    await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY') throw error;
    });
  });
}
