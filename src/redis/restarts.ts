/**
 * Notices that a connection has a new server: it was restarted, or a replica took over. Its last writes may be lost, so calls
 * that must not be repeated wait until every process has checked.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { parseInfo } from './durability.ts';

/** Longer than any client takes to reconnect once the server is back. */
const graceMs = 5000;

/**
 * @param look checks for lost writes once another server answers. An error is ignored: the next look checks again.
 * @returns a function that waits while the connection is lost, and for the grace after another server answers.
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
    // The connection was lost again: the next `ready` decides.
    if (losses !== before) return;
    run = now ?? run;
    waiting?.resolve();
    waiting = undefined;
  }

  redis.on('close', lost);
  redis.on('ready', () => void back());
  if (redis.status === 'ready') void back();
  // The connection was closed for good. Ends the wait; the next command fails.
  redis.on('end', () => waiting?.resolve());
  return async () => waiting?.promise;
}

/** The id that a server gives itself at each start. */
async function runOf(redis: Redis): Promise<string | undefined> {
  return parseInfo(await redis.info('server')).get('run_id');
}
