/** Limits of a draft: files, bytes, and room on the disk, which the ledger may need too. */
import { type FreeBytes, requireRoom } from '../../fs/disk.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { type DraftRuntime, draftNotStored } from '../folder.ts';
import type { AnnouncedFile, RecordedFiles } from './record.ts';

/** Most files of one draft. */
export const mostFiles = 10_000;
/** Most bytes of one draft. */
const mostBytes = 500e9;

/** @throws {UseCaseError} `upload_refused`. */
export function checkSize(
  { settings }: DraftRuntime,
  { kind, path, bytes }: Pick<AnnouncedFile, 'kind' | 'path' | 'bytes'>,
): void {
  const [limit, setting] =
    kind === 'sheet'
      ? [settings.manifest.maxBytes, 'manifest.maxBytes']
      : [settings.media.maxBytes, 'media.maxBytes'];
  if (bytes === 0)
    throw new UseCaseError('upload_refused', `the file ${path} is empty`, {
      cure: 'Replace the file: it has no bytes.',
    });
  if (bytes > limit) {
    throw new UseCaseError('upload_refused', `the file ${path} is larger than ${limit} bytes`, {
      cure: `Make the file smaller, or raise the setting ${setting}.`,
    });
  }
}

/** Refuses more files than a draft may have. @throws {UseCaseError} `upload_refused`. */
export function checkTotal(
  { stored, announced, bytes }: RecordedFiles,
  added: readonly AnnouncedFile[],
): void {
  const fresh = added.filter(({ id }) => !announced.has(id));
  const files = stored.size + announced.size + fresh.length;
  if (files > mostFiles) {
    throw new UseCaseError(
      'upload_refused',
      `a draft has at most ${mostFiles} files; these would be ${files}`,
      {
        cure: 'Split the campaign, or give the media as a folder of the server.',
      },
    );
  }
  const total = [...announced.values(), ...fresh].reduce((sum, file) => sum + file.bytes, bytes);
  if (total > mostBytes) {
    throw new UseCaseError(
      'upload_refused',
      `a draft has at most ${mostBytes} bytes; these would be ${total}`,
      {
        cure: 'Split the campaign, or give the media as a folder of the server.',
      },
    );
  }
}

/** Refuses more bytes than the disk of a folder has room for. @throws {UseCaseError} `draft_not_stored`. */
export async function checkRoom(folder: string, bytes: number, freeBytes?: FreeBytes): Promise<void> {
  try {
    await requireRoom(folder, bytes, freeBytes);
  } catch (error) {
    throw draftNotStored(error);
  }
}
