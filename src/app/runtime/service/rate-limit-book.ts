/** The rate limits: changes in Redis over the settings of this process. */
import type { Redis } from 'ioredis';
import { RateLimitBook } from '../../../queues/rate-limit-book.ts';
import type { Runtime } from '../runtime.ts';

/** One connection a process, however often a page asks. */
const connections = new WeakMap<Connecting, Redis>();

type Connecting = Pick<Runtime['redis'], 'connect'>;

export function openRateLimitBook(
  runtime: Pick<Runtime, 'ledger' | 'settings'> & { readonly redis: Connecting },
  redis: Redis = sharedConnection(runtime.redis),
): RateLimitBook {
  return new RateLimitBook({
    redis,
    prefix: runtime.ledger.keys.prefix,
    rateLimits: runtime.settings.rateLimits,
  });
}

function sharedConnection(server: Connecting): Redis {
  const open = connections.get(server) ?? server.connect('rate-limits');
  connections.set(server, open);
  return open;
}
