/** Reads the bodies of requests into one buffer in memory. Many small pieces cost no more than one large one. */
import { finished } from 'node:stream';
import type { Request, RequestHandler } from 'express';
import { dropRest } from './drop-rest.ts';

/**
 * @param most bytes.
 * @throws an error with `status`: 413 for a longer body, 400 for one that breaks off.
 */
export function readBytes(request: Request, most: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let body = Buffer.alloc(0);
  let length = 0;
  const take = (piece: Buffer) => {
    const end = length + piece.length;
    if (end > most) {
      request.off('data', take);
      void dropRest(request);
      reject(tooLong(most));
      return;
    }
    if (end > body.length) {
      const larger = Buffer.allocUnsafe(Math.max(end, Math.min(body.length * 2, most)));
      body.copy(larger, 0, 0, length);
      body = larger;
    }
    piece.copy(body, length);
    length = end;
  };
  if (Number(request.get('content-length')) > most) reject(tooLong(most));
  else {
    request.on('data', take);
    // Of a connection that was lost before, no event tells any more.
    finished(request, { writable: false }, (error) => {
      if (error) reject(Object.assign(error, { status: 400 }));
      else resolve(body.subarray(0, length));
    });
  }
  return promise;
}

/** Puts the text of a form into `request.body`, unless it is there already. @param most limit in bytes. */
export function formText(most: number): RequestHandler {
  return async (request, _response, next) => {
    if (typeof request.body === 'string' || !request.is('application/x-www-form-urlencoded')) return next();
    try {
      request.body = (await readBytes(request, most)).toString();
    } catch (error) {
      return next(error);
    }
    next();
  };
}

function tooLong(most: number): Error {
  return Object.assign(new Error(`the body is larger than ${most / 1024} kB`), { status: 413 });
}
