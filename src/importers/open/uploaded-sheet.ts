/** A sheet sent over HTTP. Its bytes are stored, because a sheet is read more than once. */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Environment } from '../../../config/load.ts';
import type { Settings } from '../../../config/schema.ts';
import type { OpenManifest } from './manifest-file.ts';
import { storePipe } from './piped-manifest.ts';

export interface UploadedSheet extends OpenManifest {
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly digest: string;
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
 * @throws {UseCaseError} `manifest_unreadable` if it is too large, or cannot be stored.
 */
export async function openUploadedSheet(
  { environment, settings }: UploadContext,
  given: string,
  bytes: Readable,
): Promise<UploadedSheet> {
  const ownMedia = join(environment.dataDir, 'media');
  // A folder of the settings is not made: it may be a share that is not mounted.
  if (settings.media.root === null) await mkdir(ownMedia, { recursive: true });
  const { maxBytes } = settings.manifest;
  const file = fileNameOf(given);
  const hash = createHash('sha256');
  async function* hashed() {
    // The connection stays open for the answer.
    for await (const chunk of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const stored = await storePipe(hashed(), { maxBytes, name: file });
  return {
    file,
    path: stored.path,
    name: basename(file, extname(file)),
    folder: settings.media.root ?? ownMedia,
    digest: hash.digest('hex'),
    [Symbol.asyncDispose]: async () => stored.remove(),
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
