/** Media of a draft that are in their place: their folder, their state before a start, and their removal. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { copyPlacedFile, removeEmptyFolder, removePlacedFile } from '../../../platform/files/place-file.ts';
import { digestOf } from '../../../sheets/open-sheet.ts';
import { fileSource } from '../../../sheets/sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type Draft, draftNotStored, draftRefused, onDisk, refuseStarting } from '../draft.ts';
import { changeDraft, findDraftOf } from '../drafts.ts';
import { type DraftRuntime, draftMediaFolder, draftMediaPlace, makeMediaFolder } from '../folder.ts';
import { removeAllBegun } from './incoming.ts';
import { forgetFiles, readFiles, recordFiles, type StoredFile } from './record.ts';

/** `media.root`, if set, until media come: the sheet names files there. @returns absolute. @throws {UseCaseError} `draft_not_stored`. */
export async function draftMediaRoot(runtime: DraftRuntime, id: string): Promise<string> {
  const { root } = runtime.settings.media;
  if (root !== null && (await readFiles(runtime, id)).stored.size === 0) return root;
  return makeMediaFolder(runtime, id);
}

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const namesShown = 3;

/**
 * Flushes all media of a draft before a start. They were not flushed on arrival, because a flush takes far longer than the write; by
 * now, most have been flushed by the system. Files that are gone, or were truncated by a crash of the machine, are removed from the record.
 * @throws {UseCaseError} `draft_refused` if there were any; `draft_not_stored` if the disk fails.
 */
export async function settleFiles(runtime: DraftRuntime, draft: string, by: string): Promise<void> {
  const { stored } = await readFiles(runtime, draft);
  const folder = draftMediaFolder(runtime, draft);
  const lost: StoredFile[] = [];
  for (const file of stored.values())
    if (!(await isWhole(join(folder, file.path), file.bytes))) lost.push(file);
  if (lost.length === 0) return;
  for (const { path } of lost) await recordFiles(runtime, draft, { at: runtime.now(), by, removed: path });
  const names = lost.slice(0, namesShown).map(({ path }) => path);
  const more = lost.length > names.length ? ` and ${lost.length - names.length} more` : '';
  throw draftRefused(
    `these files have changed since they were uploaded: ${names.join(', ')}${more}`,
    'Drop them again.',
  );
}

async function isWhole(path: string, bytes: number): Promise<boolean> {
  try {
    await using handle = await open(path, flags);
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size !== bytes) return false;
    await handle.datasync();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR') return false;
    throw draftNotStored(error);
  }
}

/** An update may add files to it, which go with the campaign. @returns undefined if the folder is not the console's own. */
export async function ownerOfMedia(
  runtime: DraftRuntime & Pick<Runtime, 'ledger'>,
  campaign: Pick<Campaign, 'id' | 'mediaRoot'>,
): Promise<Draft | undefined> {
  const owner = await findDraftOf(runtime, campaign);
  return owner && draftMediaFolder(runtime, owner.id) === campaign.mediaRoot ? owner : undefined;
}

/** Overwrites nothing. @returns whether all are there. @throws {UseCaseError} `draft_refused` for other files of these names. */
export async function bringMedia(
  runtime: DraftRuntime & Pick<Runtime, 'ledger'>,
  draft: string,
  campaign: Pick<Campaign, 'id' | 'mediaRoot'>,
  by: string,
): Promise<boolean> {
  const { stored } = await readFiles(runtime, draft);
  if (stored.size === 0) return true;
  const owner = await ownerOfMedia(runtime, campaign);
  if (owner === undefined) return false;
  await settleFiles(runtime, draft, by);
  const there = (await readFiles(runtime, owner.id)).stored;
  const others = [...stored.values()].filter(
    ({ path, sha256 }) => (there.get(path)?.sha256 ?? sha256) !== sha256,
  );
  refuseOthers(others.map(({ path }) => path));
  const [from, to] = [draftMediaPlace(runtime, draft), draftMediaPlace(runtime, owner.id)];
  for (const file of stored.values()) {
    const isKnown = there.has(file.path);
    const isNew = await onDisk(() => copyPlacedFile(from, to, file.path, draft));
    // It is the same after a crash between the copy and its record.
    const isOther =
      !isNew && !isKnown && (await digestAt(join(campaign.mediaRoot, file.path))) !== file.sha256;
    if (isOther) refuseOthers([file.path]);
    if (!isKnown) await recordFiles(runtime, owner.id, { at: runtime.now(), by, stored: file });
  }
  return true;
}

/** Files dropped without the folder that has their last version, by the paths of that. */
export async function findOtherVersions(
  runtime: DraftRuntime & Pick<Runtime, 'ledger'>,
  draft: string,
  campaign: Pick<Campaign, 'id' | 'mediaRoot'> | undefined,
): Promise<ReadonlyMap<string, string>> {
  const added = await readFiles(runtime, draft);
  const owner = campaign && added.stored.size > 0 && (await ownerOfMedia(runtime, campaign));
  if (!owner) return new Map();
  const there = await readFiles(runtime, owner.id);
  const byName = Map.groupBy(there.stored.values(), ({ path }) => nameOf(path));
  return new Map(
    [...added.stored.values()].flatMap(({ path, sha256 }) => {
      const known = path.includes('/') || there.stored.has(path) ? [] : (byName.get(nameOf(path)) ?? []);
      const isNew = known.every((each) => each.sha256 !== sha256);
      return isNew ? known.map((each) => [each.path, path] as const) : [];
    }),
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

function digestAt(path: string): Promise<string | undefined> {
  return digestOf(fileSource(path)).catch(() => undefined);
}

/** @throws {UseCaseError} `draft_refused` if there are any: rows would keep their last versions. */
export function refuseUnused(paths: readonly string[]): void {
  refuseOthers(paths, 'Use them in their rows, or remove them from the update.');
}

function refuseOthers(
  paths: readonly string[],
  fix = 'Give the new files other names, and write those into the sheet.',
): void {
  if (paths.length === 0) return;
  const more = paths.length > namesShown ? ` and ${paths.length - namesShown} more` : '';
  throw draftRefused(
    `the campaign has other files with these names: ${paths.slice(0, namesShown).join(', ')}${more}`,
    fix,
  );
}

/** @throws {UseCaseError} `draft_not_found`, `upload_not_found`, `draft_not_stored`; `draft_changed` once the draft is a campaign. */
export async function removeMedium(
  runtime: DraftRuntime,
  draft: string,
  path: string,
  by: string,
): Promise<void> {
  const what = `the file ${path}`.slice(0, 200);
  await changeDraft(runtime, draft, { by, version: undefined, what }, async (opened) => {
    refuseStarting(opened);
    const { stored, refused } = await readFiles(runtime, draft);
    const isStored = stored.has(path);
    if (!isStored && !refused.has(path))
      throw new UseCaseError('upload_not_found', `the file ${path} is not there`);
    await recordFiles(runtime, draft, { at: runtime.now(), by, removed: path });
    if (isStored) await removePlacedFile(draftMediaPlace(runtime, draft), path);
    return {};
  });
}

/** Also part files and empty folders, once draft or campaign is gone. Files that others put there stay. */
export async function removeDraftMedia(runtime: DraftRuntime, draft: string): Promise<void> {
  const { stored } = await readFiles(runtime, draft);
  const place = draftMediaPlace(runtime, draft);
  for (const path of stored.keys()) await removePlacedFile(place, path);
  await removeAllBegun(runtime, draft);
  await removeEmptyFolder(place);
  forgetFiles(runtime, draft);
}
