/** Opens media to show them to people. */
import type { Readable } from 'node:stream';
import { readAll } from './content-hash.ts';
import { signatureLength, typeOfBytes } from './content-type.ts';
import { MediaError } from './errors.ts';
import { openLocal } from './local.ts';

/** An opened file. Its stream closes it; without a stream, call `close`. */
export interface OpenMedium {
  /** Content type of an image or a video, detected from the first bytes. */
  readonly contentType: string;
  readonly bytes: number;
  readonly identity: string;
  /** @param start, end positions in bytes, both inclusive. */
  readonly read: (start: number, end: number) => Readable;
  readonly close: () => Promise<void>;
}

/** Opens an image or a video under a media root. @throws {MediaError} */
export async function openShown(path: string, mediaRoot: string): Promise<OpenMedium> {
  const { handle, size, identity } = await openLocal(path, mediaRoot);
  try {
    const contentType = typeOfBytes(await readAll(handle, Math.min(signatureLength, size)));
    if (contentType === undefined) {
      throw new MediaError('media_type_unknown', 'This is neither an image nor a video.', path);
    }
    return {
      contentType,
      bytes: size,
      identity,
      read: (start, end) => handle.createReadStream({ start, end }),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
