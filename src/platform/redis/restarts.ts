/**
 * Notices that a connection has a new server: it was restarted, or a replica took over. Its last writes may be lost, so calls
 * that must not be repeated wait until every process has checked. A process that has just begun waits as well: the others know
 * more than it does.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { parseInfo } from './durability.ts';

/** Longer than any client takes to reconnect once the server is back. */
const graceMs = 5000;

interface RestartWatch {
  /** Checks for lost writes once another server answers. An error is ignored: the next check finds them. */
  readonly check: () => Promise<unknown>;
  /** Called when another server answers. */
  readonly replaced: () => void;
  /** Whether a server that was started moments ago has data that other processes may miss some of. */
  readonly waitsForOthers: () => Promise<boolean>;
}

/** If the connection has not stayed, commands under way are sent again to the next server, with what was known before. */
export type HasStayed = () => boolean;

/** @returns a function that waits while the connection is lost, and for the grace after another server answers. */
export function watchRestarts(redis: Redis, watch: RestartWatch): () => Promise<HasStayed> {
  let run: string | undefined;
  let waiting: PromiseWithResolvers<void> | undefined = Promise.withResolvers<void>();
  let losses = 0;

  function lost(): void {
    losses += 1;
    waiting ??= Promise.withResolvers();
  }

  async function back(): Promise<void> {
    const before = losses;
    const now = await serverOf(redis).catch(() => undefined);
    const isFirst = run === undefined && before === 0;
    if (isFirst) await delay(await othersNeed(now), undefined, { ref: false });
    else if (now === undefined || now.run !== run) {
      watch.replaced();
      await watch.check().catch(() => undefined);
      await delay(graceMs, undefined, { ref: false });
    }
    // The connection was lost again: the next `ready` decides.
    if (losses !== before) return;
    run = now?.run ?? run;
    waiting?.resolve();
    waiting = undefined;
  }

  /** How long the other processes still need to reconnect to a server, and to check. */
  async function othersNeed(server: Server | undefined): Promise<number> {
    const needed = graceMs - (server?.upMs ?? graceMs);
    if (needed <= 0 || !(await watch.waitsForOthers().catch(() => true))) return 0;
    return needed;
  }

  redis.on('close', lost);
  redis.on('ready', () => void back());
  if (redis.status === 'ready') void back();
  // The connection was closed for good. Ends the wait; the next command fails.
  redis.on('end', () => waiting?.resolve());
  return async () => {
    await waiting?.promise;
    // Undefined: it was lost again, or closed for good.
    const before = waiting ? undefined : losses;
    return () => losses === before;
  };
}

interface Server {
  /** The id that it gives itself at each start. */
  readonly run: string | undefined;
  readonly upMs: number;
}

/** The id that a server gives itself at each start; '' if it has none. */
export async function runOf(redis: Redis): Promise<string> {
  return (await serverOf(redis)).run ?? '';
}

async function serverOf(redis: Redis): Promise<Server> {
  const info = parseInfo(await redis.info('server'));
  return { run: info.get('run_id'), upMs: Number(info.get('uptime_in_seconds')) * 1000 };
}
