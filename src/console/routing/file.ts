/** Sends files that people look at, such as the media of a row. They come from outside: a browser may show them, and nothing else. */
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { ShownFile } from '../request.ts';

/** No script, no form, no further file. Browsers set styles of their own around an image or a video. */
const policy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Sends a file, or the one range of it that was asked for. */
export async function sendFile(request: Request, response: Response, file: ShownFile): Promise<void> {
  const { contentType, bytes } = file;
  response.set({
    'content-type': contentType,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
  });
  const range = rangeOf(request, bytes);
  if (range === 'none') {
    await file.close();
    response.status(416).set('content-range', `bytes */${bytes}`).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  if (range !== undefined) response.status(206).set('content-range', `bytes ${start}-${end}/${bytes}`);
  response.set('content-length', String(end - start + 1));
  if (request.method === 'HEAD') {
    await file.close();
    response.end();
    return;
  }
  // A browser that leaves, or a file that is cut off meanwhile, ends the connection.
  await pipeline(file.read(start, end), response).catch(() => response.destroy());
}

/** @returns undefined for the whole file; `none` if no such part exists. Several ranges at once are answered with the whole file. */
function rangeOf(
  request: Request,
  bytes: number,
): { readonly start: number; readonly end: number } | 'none' | undefined {
  const ranges = request.range(bytes, { combine: true });
  if (ranges === -1) return 'none';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1)
    return undefined;
  return ranges[0];
}
