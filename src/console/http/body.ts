/** Reads the bodies of requests into one buffer in memory. Many small pieces cost no more than one large one. */
import { finished } from 'node:stream';
import type { Request, Response } from 'express';
import { HttpProblem } from './problem.ts';

/** Bytes of a body that do not count for the share, so that a usual sign-in finds room at any time. */
const free = 4096;

/** Memory and time for the bodies of people who are not signed in. All such bodies share the memory. */
export class StrangersShare {
  /** Longest time for a whole body, in milliseconds. */
  readonly withinMs: number;
  #left: number;

  constructor({ most = 4 * 1024 * 1024, withinMs = 30_000 } = {}) {
    this.#left = most;
    this.withinMs = withinMs;
  }

  /** @returns a function that says how many bytes are held now, and whether they may be: `false` if the share is used up. */
  open(response: Response): (bytes: number) => boolean {
    let held = 0;
    const hold = (bytes: number) => {
      const wanted = Math.max(0, bytes - free);
      if (wanted - held > this.#left) return false;
      this.#left -= wanted - held;
      held = wanted;
      return true;
    };
    response.once('close', () => hold(0));
    return hold;
  }
}

export const strangersShare = new StrangersShare();

interface ReadOptions {
  /** For somebody who is not signed in. */
  readonly share?: StrangersShare | undefined;
  /** The answer to this request; required with a share. */
  readonly response?: Response | undefined;
}

/** @param most bytes. @throws {HttpProblem} 413 too long, 400 broken off; with a share 408 too slow, 503 used up. */
export function readBytes(
  request: Request,
  most: number,
  { share, response }: ReadOptions = {},
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const hold = share && response && !response.closed ? share.open(response) : undefined;
  let body = Buffer.alloc(0);
  let length = 0;
  let isRefused = false;
  const refuse = (error: Error) => {
    isRefused = true;
    request.off('data', take);
    body = Buffer.alloc(0);
    hold?.(0);
    reject(error);
  };
  const take = (piece: Buffer) => {
    const end = length + piece.length;
    if (end > most) {
      refuse(tooLong(most));
      void dropRest(request);
      return;
    }
    if (end > body.length) {
      const room = Math.max(end, Math.min(body.length * 2, most));
      if (hold?.(room) === false) {
        refuse(tooMuchAtOnce());
        void dropRest(request);
        return;
      }
      const larger = Buffer.allocUnsafe(room);
      body.copy(larger, 0, 0, length);
      body = larger;
    }
    piece.copy(body, length);
    length = end;
  };
  const timer = share && setTimeout(giveUp, share.withinMs);
  function giveUp(): void {
    if (isRefused) request.destroy();
    // Else the rest would be waited for after the answer.
    else response?.set('connection', 'close');
    refuse(tooSlow());
  }
  // Of a connection that was lost before, no event tells any more.
  finished(request, { writable: false }, (error) => {
    clearTimeout(timer);
    if (error) reject(brokenOff());
    else resolve(body.subarray(0, length));
  });
  if (Number(request.get('content-length')) > most) refuse(tooLong(most));
  else request.on('data', take);
  return promise;
}

/** The text of a form, also when it was read before; empty for another body. @param most limit in bytes. @throws as `readBytes`. */
export async function readFormText(
  request: Request,
  most: number,
  options: ReadOptions = {},
): Promise<string> {
  if (typeof request.body === 'string') return request.body;
  if (!request.is('application/x-www-form-urlencoded')) return '';
  const text = (await readBytes(request, most, options)).toString();
  request.body = text;
  return text;
}

function tooLong(most: number): Error {
  const fix = 'Send less at once.';
  return new HttpProblem(413, 'body_too_large', `the body is larger than ${most / 1024} kB`, { fix });
}

function tooSlow(): Error {
  return new HttpProblem(408, 'body_too_slow', 'the body takes too long', { fix: 'Send it again.' });
}

function tooMuchAtOnce(): Error {
  const fix = 'Go back, and try again in a moment.';
  return new HttpProblem(503, 'console_busy', 'the console is busy', { fix });
}

function brokenOff(): Error {
  return new HttpProblem(400, 'body_unreadable', 'the body broke off', { fix: 'Send it again.' });
}

/** Most bytes that are read and dropped. */
export const mostDropped = 32 * 1024 * 1024;

/** Else a browser that still sends its body does not see the refusal. Ends one that goes on and on. Never rejects. */
export async function dropRest(request: Request): Promise<void> {
  let dropped = 0;
  try {
    // Leaving a usual iterator takes the socket off a request: then nobody could end the connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      dropped += chunk.length;
      if (dropped > mostDropped) break;
    }
  } catch {
    // The connection is lost: nobody waits for the answer.
  }
  if (dropped > mostDropped) request.destroy();
}
