/** Sends files to look at, such as the media of a row. They come from outside, so a browser may show them and do nothing else. */
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { ShownFile } from '../request.ts';

/** No script, no form, no further file. Inline styles: browsers wrap an image or a video in a page of their own. */
const policy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Sends a file, or the requested range of it. */
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
  // If the browser leaves or the file is truncated meanwhile, the connection ends.
  await pipeline(file.read(start, end), response).catch(() => response.destroy());
}

/** @returns undefined for the whole file (also if several ranges are requested); `none` if the range does not exist. */
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
