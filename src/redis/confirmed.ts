/**
 * Lets a script return only when its writes survive a crash: on the server's disk, and on replicas, one of which takes over
 * when the server is lost.
 */
import { type Redis, ReplyError } from 'ioredis';
import type { RunScript } from './script.ts';

/** Where a write must have arrived. */
export interface Confirmation {
  /** In the append-only file, on disk (`WAITAOF`, Redis 7.2 or newer). */
  readonly disk: boolean;
  /** On this many replicas (`WAIT`). */
  readonly replicas: number;
  /** Called for every missing confirmation. */
  readonly onMissing?: ((error: NotConfirmedError) => void) | undefined;
}

/** Redis did not confirm that a write survives a crash. The call that the write announces must not be made. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}

/** How long a confirmation may take. The connection is blocked meanwhile. */
const withinMs = 5_000;

/**
 * @param redis the connection of `run`, with no other blocking commands on it. `WAIT` and `WAITAOF` cover only the writes of
 *   their own connection, so they mean nothing after a reconnect.
 * @returns the script; it throws `NotConfirmedError` when its writes may be lost.
 */
export function confirmed(redis: Redis, run: RunScript, confirmation: Confirmation): RunScript {
  const { disk, replicas, onMissing } = confirmation;
  let losses = 0;
  redis.on('close', () => {
    losses += 1;
  });
  async function confirm(args: Parameters<RunScript>[0]): Promise<unknown> {
    // From before the script: after a reconnect it is sent again, to a server that may have lost what was known when it was called.
    const before = losses;
    // Not pipelined with the waiting: a script that the server does not know yet is sent a second time.
    const reply = await run(args);
    const [written, copies] = await Promise.all([
      disk ? redis.call('WAITAOF', 1, 0, withinMs).then((counts) => (counts as [number, number])[0]) : 1,
      replicas > 0 ? (redis.call('WAIT', replicas, withinMs) as Promise<number>) : 0,
    ]).catch(cannotConfirm);
    if (losses !== before) {
      throw new NotConfirmedError('the connection was lost meanwhile');
    }
    if (written < 1) throw new NotConfirmedError('it did not reach the disk in time');
    if (copies < replicas) {
      throw new NotConfirmedError(`${copies} of ${replicas} replicas have it`);
    }
    return reply;
  }

  return async (args) => {
    try {
      return await confirm(args);
    } catch (error) {
      if (error instanceof NotConfirmedError) onMissing?.(error);
      throw error;
    }
  };
}

/** The server cannot wait: its append-only file was switched off, or it has become a replica. */
function cannotConfirm(error: unknown): never {
  throw error instanceof ReplyError ? new NotConfirmedError((error as Error).message) : error;
}
