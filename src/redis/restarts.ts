/**
 * Notices that the server behind a connection is not the one that it was: it was started again, or another one took over.
 * Then it may have lost the end of what was written, and what matters waits until all who would know have looked.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { parseInfo } from './durability.ts';

/** Longer than any client takes to find the server again, once it is there. */
const graceMs = 5000;

/**
 * @param look is called once the server is there again; what it throws is left to the next look.
 * @returns what waits while it is not known which server will be there, and for the grace after another one is.
 */
export function watchRestarts(redis: Redis, look: () => Promise<unknown>): () => Promise<void> {
  let run: string | undefined;
  let waiting: PromiseWithResolvers<void> | undefined;
  let losses = 0;

  function lost(): void {
    losses += 1;
    waiting ??= Promise.withResolvers();
  }

  async function back(): Promise<void> {
    const before = losses;
    const now = await runOf(redis).catch(() => undefined);
    if (waiting && (now === undefined || now !== run)) {
      await look().catch(() => undefined);
      await delay(graceMs, undefined, { ref: false });
    }
    // Lost again meanwhile: the next time that it is back decides.
    if (losses !== before) return;
    run = now ?? run;
    waiting?.resolve();
    waiting = undefined;
  }

  redis.on('close', lost);
  redis.on('ready', () => void back());
  if (redis.status === 'ready') void back();
  // Whoever waits when the connection is ended for good must not wait for ever: the next command tells.
  redis.on('end', () => waiting?.resolve());
  return async () => waiting?.promise;
}

/** The id that a server gives itself at every start. */
async function runOf(redis: Redis): Promise<string | undefined> {
  return parseInfo(await redis.info('server')).get('run_id');
}
