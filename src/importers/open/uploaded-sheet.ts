/** A sheet sent over HTTP. Its bytes are stored, because a sheet is read more than once. */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Environment } from '../../../config/load.ts';
import type { Settings } from '../../../config/schema.ts';
import type { OpenManifest } from './manifest-file.ts';
import { type PipeOptions, storePipe } from './piped-manifest.ts';

export interface UploadedSheet extends OpenManifest {
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly digest: string;
  readonly bytes: number;
}

interface UploadContext {
  readonly environment: Pick<Environment, 'dataDir'>;
  readonly settings: Pick<Settings, 'manifest' | 'media'>;
}

const longestName = 200;

/**
 * Stores an uploaded sheet until it is disposed. Its media are in the folder of the setting `media.root`, else in `media` of the
 * data directory, because a sender must not choose folders of this machine.
 * @param given file name that the sender gave; folders in it are ignored.
 * @param options.name of the sheet in messages; default: its file name.
 * @throws {UseCaseError} `manifest_unreadable` if it is too large, or cannot be stored.
 */
export async function openUploadedSheet(
  { environment, settings }: UploadContext,
  given: string,
  stream: AsyncIterable<Uint8Array>,
  options: Pick<PipeOptions, 'folder' | 'fix' | 'freeBytes'> & { readonly name?: string } = {},
): Promise<UploadedSheet> {
  const ownMedia = join(environment.dataDir, 'media');
  // A folder of the settings is not made: it may be a share that is not mounted. Without one, the files of rows are missing.
  if (settings.media.root === null) await mkdir(ownMedia, { recursive: true }).catch(() => undefined);
  const { maxBytes } = settings.manifest;
  const file = fileNameOf(given);
  const hash = createHash('sha256');
  async function* hashed() {
    for await (const chunk of stream) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const { path, bytes, remove } = await storePipe(hashed(), { maxBytes, name: file, ...options });
  return {
    file,
    path,
    bytes,
    name: basename(file, extname(file)),
    folder: settings.media.root ?? ownMedia,
    digest: hash.digest('hex'),
    [Symbol.asyncDispose]: async () => remove(),
  };
}

/** The last part of the name, without characters that file names must not have. */
function fileNameOf(given: string): string {
  const name = basename(given.replaceAll('\\', '/'))
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, longestName)
    .toWellFormed();
  return name === '' || name === '.' || name === '..' || name === '-' ? 'upload' : name;
}
