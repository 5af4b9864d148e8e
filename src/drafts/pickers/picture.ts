/**
 * Fetches a picture that the service names, so that a page can show it: pages load nothing from other servers. The request sends
 * no API key, follows no redirect, reaches no private address, and is bounded in size and time.
 */

import type { Settings } from '../../../config/schema.ts';
import { undici } from '../../fs/packages.ts';
import { AddressPolicy, parseMediaUrl } from '../../media/addresses.ts';
import { typeOfBytes } from '../../media/content-type.ts';
import { MediaError } from '../../media/errors.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';

const maxBytes = 3 * 1024 * 1024;
const timeoutMs = 5000;

export interface Picture {
  /** By its first bytes. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** @throws {UseCaseError} `media_not_shown`. */
export async function fetchPicture({ media }: Pick<Settings, 'media'>, source: string): Promise<Picture> {
  const agent = new (undici().Agent)({
    allowH2: false,
    connect: new AddressPolicy(media.allowPrivateAddresses).connector(timeoutMs),
  });
  try {
    const url = parseMediaUrl(source);
    const { statusCode, body } = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { accept: 'image/*', 'user-agent': 'campaign-runner' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (statusCode !== 200) throw notShown(`the picture's server answered with status ${statusCode}`);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw notShown('the picture is too large');
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    const contentType = typeOfBytes(bytes);
    if (contentType?.startsWith('image/')) return { contentType, bytes };
    throw notShown('this is no picture');
  } catch (error) {
    if (error instanceof UseCaseError) throw error;
    throw notShown(error instanceof MediaError ? error.message : 'the picture could not be fetched', error);
  } finally {
    await agent.destroy();
  }
}

function notShown(message: string, cause?: unknown): UseCaseError {
  return new UseCaseError('media_not_shown', message, { cause });
}
