/** How much of a rate limit three processes use that always have calls waiting: 1.00 leaves nothing unused. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { RateLimits } from '../src/queues/rate-limits.ts';
import { startRedis } from './redis-server.ts';
import { printTable } from './table.ts';

const shapes = [
  ['many calls', { rate: 400, per: 1000, burst: 40 }],
  ['few calls', { rate: 20, per: 1000, burst: 2 }],
  ['a burst as large as the rate', { rate: 100, per: 1000, burst: 100 }],
] as const;

export async function benchRateLimits(forMs: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-rate-limits-'));
  const server = await startRedis(folder);
  const connections = Array.from({ length: 3 }, () => new Redis({ path: server.socket }));
  try {
    const rows: [string, string[]][] = [];
    for (const [index, [name, rateLimit]] of shapes.entries()) {
      const all = connections.map((redis) => {
        const retry = { base: 1000, cap: 60_000 };
        return new RateLimits({
          redis,
          prefix: `{b${index}}`,
          account: 'default',
          rateLimits: { default: rateLimit },
          retry,
        });
      });
      const times = (await Promise.all(all.map((rateLimits) => callAllTheTime(rateLimits, forMs)))).flat();
      for (const rateLimits of all) rateLimits.close();
      // Without the burst at the start, which would make up for what is wasted later.
      const from = Math.min(...times) + forMs / 4;
      const seconds = (Math.max(...times) - from) / 1000;
      const share = times.filter((time) => time > from).length / seconds / rateLimit.rate;
      rows.push([name, [share.toFixed(2)]]);
    }
    printTable('share of a rate limit that is used', ['share'], rows);
    process.stdout.write('\n');
  } finally {
    for (const redis of connections) redis.disconnect();
    server.process.kill();
    await once(server.process, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

/** Twenty callers at a time. @returns when each turn was granted, in ms. */
async function callAllTheTime(rateLimits: RateLimits, forMs: number): Promise<readonly number[]> {
  const granted: number[] = [];
  const end = performance.now() + forMs;
  const caller = async () => {
    while (performance.now() < end) {
      const turn = await rateLimits.take('createCreatorPost', 60_000);
      if (turn.granted && performance.now() < end) granted.push(performance.now());
    }
  };
  await Promise.all(Array.from({ length: 20 }, caller));
  return granted;
}
