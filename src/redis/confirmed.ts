/**
 * Lets a script return only once what it wrote is where it survives a crash: on the disk of the server, and on replicas, one
 * of which takes over when the server is lost.
 */
import { Cluster, type Redis } from 'ioredis';
import type { RunScript } from './script.ts';

/** Where a change has to be. */
export interface Confirmation {
  /** In the append-only file, on disk (`WAITAOF`, Redis 7.2 or newer). */
  readonly disk: boolean;
  /** On so many replicas (`WAIT`). */
  readonly replicas: number;
  /** Told whenever a confirmation does not come. */
  readonly onMissing?: ((error: NotConfirmedError) => void) | undefined;
}

/** Redis did not confirm that a change would survive: what it announces must not be done. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}

/** How long a confirmation may take. The connection is blocked meanwhile. */
const withinMs = 5_000;

/**
 * @param redis the connection that `run` is defined on, and that nothing else blocks: `WAIT` and `WAITAOF` speak of the
 *   changes of their own connection, so they say nothing after a reconnect.
 * @param prefix the hash tag of the script's key: it tells the node of a cluster.
 * @returns the script; it throws `NotConfirmedError` when what it wrote may be lost.
 */
export function confirmed(
  redis: Redis | Cluster,
  prefix: string,
  run: RunScript,
  confirmation: Confirmation,
): RunScript {
  const { disk, replicas, onMissing } = confirmation;
  const locate = redis instanceof Cluster ? nodeFinder(redis, prefix) : async () => () => redis;
  const losses = countLosses();
  async function confirm(args: Parameters<RunScript>[0]): Promise<unknown> {
    // Asked beforehand: between the answer and the waiting a connection could be lost unseen.
    const holder = await locate();
    // Not at once with the waiting: a script that the server does not know yet is sent a second time.
    const reply = await run(args);
    const node = holder();
    const before = losses(node);
    const [written, copies] = await Promise.all([
      disk ? node.call('WAITAOF', 1, 0, withinMs).then((counts) => (counts as [number, number])[0]) : 1,
      replicas > 0 ? (node.wait(replicas, withinMs) as Promise<number>) : 0,
    ]);
    if (losses(node) !== before || holder() !== node) {
      throw new NotConfirmedError('the connection was lost meanwhile');
    }
    if (written < 1) throw new NotConfirmedError('it is not on disk in time');
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

/** Finds the connection to the node of a cluster that holds a key. A redirection that was followed is known to it. */
function nodeFinder(cluster: Cluster, key: string): () => Promise<() => Redis> {
  let slot: number | undefined;
  return async () => {
    slot ??= Number(await cluster.cluster('KEYSLOT', key));
    const known = slot;
    return () => {
      const address = cluster.slots[known]?.[0];
      const node = cluster.nodes('all').find(({ options }) => `${options.host}:${options.port}` === address);
      if (!node) throw new NotConfirmedError('the node of the cluster that holds it is not known yet');
      return node;
    };
  };
}

/** Counts how often each connection was lost. */
function countLosses(): (connection: Redis) => number {
  const counts = new WeakMap<Redis, { losses: number }>();
  return (connection) => {
    let count = counts.get(connection);
    if (!count) {
      const fresh = { losses: 0 };
      connection.on('close', () => {
        fresh.losses += 1;
      });
      counts.set(connection, fresh);
      count = fresh;
    }
    return count.losses;
  };
}
