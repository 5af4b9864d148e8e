/**
 * The folders of drafts: one each in `drafts` of the data directory, with its record (`draft.json`, which lists of drafts read), the
 * planner's sheet as uploaded (`sheet`), the record of its files (`media.jsonl`), and its database. Media are beside them, or below the
 * setting `media.root`, where workers elsewhere see them.
 */
import { join } from 'node:path';
import type { FreeBytes } from '../../platform/files/disk.ts';
import { type FolderBelow, makeFolderBelow } from '../../platform/files/place-file.ts';
import type { DataFolder } from '../campaigns/import/aliases.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { draftNotFound, onDisk } from './draft.ts';

export interface DraftRuntime extends Pick<Runtime, 'environment' | 'settings' | 'now'> {
  /** Default: those of the disk. */
  readonly freeBytes?: FreeBytes | undefined;
}

const idForm = /^[0-9a-f]{16}$/;

export function draftsFolder({ environment }: DataFolder): string {
  return join(environment.dataDir, 'drafts');
}

export function isDraftId(name: string): boolean {
  return idForm.test(name);
}

/** @throws {UseCaseError} `draft_not_found` for an invalid id, because it becomes a part of a path. */
export function draftFolder(runtime: DataFolder, id: string): string {
  if (!idForm.test(id)) throw draftNotFound();
  return join(draftsFolder(runtime), id);
}

export function draftFiles(runtime: DataFolder, id: string) {
  const folder = draftFolder(runtime, id);
  return {
    draft: join(folder, 'draft.json'),
    sheet: join(folder, 'sheet'),
    media: join(folder, 'media.jsonl'),
    database: join(folder, 'draft.sqlite'),
  };
}

const ownNames: ReadonlySet<string> = new Set([
  'draft.json',
  'sheet',
  'media.jsonl',
  'draft.sqlite',
  'draft.sqlite-wal',
  'draft.sqlite-shm',
  'lock',
  'lock-journal',
  'checking',
  'checking-journal',
]);
const temporaryName = /^\.draft\.json\.[0-9a-f]{12}\.tmp$/;

/** Whether a file in a draft's folder is one of ours, by its name: including temporary files and locks. */
export function isDraftFile(name: string): boolean {
  return ownNames.has(name) || temporaryName.test(name);
}

/** The place of the draft's own media. Others may write below `media.root`, so no link there is followed. */
export function draftMediaPlace({ environment, settings }: DraftRuntime, id: string): FolderBelow {
  const folder = draftFolder({ environment }, id);
  const { root } = settings.media;
  return root === null ? { root: folder, below: 'media' } : { root, below: `drafts/${id}` };
}

/** The folder of its own media: the media root of the campaign that it becomes. */
export function draftMediaFolder(runtime: DraftRuntime, id: string): string {
  const { root, below } = draftMediaPlace(runtime, id);
  return join(root, below);
}

/** Creates that folder. @returns its path. @throws {UseCaseError} `draft_not_stored`, also for a link, or a folder of another user. */
export async function makeMediaFolder(runtime: DraftRuntime, id: string): Promise<string> {
  await using _folder = await onDisk(() => makeFolderBelow(draftMediaPlace(runtime, id)));
  return draftMediaFolder(runtime, id);
}
