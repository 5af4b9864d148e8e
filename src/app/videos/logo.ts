/** The logo of client reports. */
import { open } from 'node:fs/promises';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { describeFileError } from '../../platform/files/disk.ts';
import { signatureLength, typeOfBytes } from '../../service/media/content-type.ts';

const mostBytes = 1024 * 1024;
/** What browsers show. */
const types = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** @param path of the setting `videos.logo`. @throws {UseCaseError} `settings_invalid`. */
export async function readLogo(
  path: string,
): Promise<{ readonly bytes: Buffer; readonly contentType: string }> {
  const bytes = Buffer.alloc(mostBytes + 1);
  let length: number;
  try {
    await using file = await open(path);
    length = (await file.read(bytes, 0, bytes.length, 0)).bytesRead;
  } catch (error) {
    throw unfit(`videos.logo ${path}: ${describeFileError(error)}`, error);
  }
  const contentType = typeOfBytes(bytes.subarray(0, Math.min(length, signatureLength)));
  if (length > mostBytes || contentType === undefined || !types.has(contentType)) {
    throw unfit(`videos.logo ${path}: this is not a PNG, JPEG, WebP or GIF of up to 1 MB`);
  }
  return { bytes: bytes.subarray(0, length), contentType };
}

function unfit(message: string, cause?: unknown): UseCaseError {
  return new UseCaseError('settings_invalid', message, { cause });
}
