/**
 * Looks up all videos of a ledger in a process of its own: by the bare calls of the client, or by a scrape. Both with the same client
 * and concurrency. Sends its times and its memory to the parent process.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Given, openRunner } from './open-runner.ts';
import { benchUrl } from './video-history.ts';

const { kind, count, concurrency, ...given } = JSON.parse(process.env.BENCH ?? '{}') as Given & {
  readonly kind: 'bare' | 'scrape';
  readonly count: number;
  readonly concurrency: number;
};

process.env.BENCH_SETTINGS = JSON.stringify({ concurrency: { scrape: concurrency } });
const { client, ledger, queues, workers, close } = await openRunner({ ...given, queues: ['scrape'] });

async function bare(): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) {
      next += 1;
      await client.videos.fetch(benchUrl(next - 1));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}

async function scrape(): Promise<void> {
  await workers.start();
  const { run } = await ledger.videos.scrapes.start('manual');
  await queues.scrapes.wake(run);
  while ((await ledger.videos.scrapes.find(run))?.state === 'running') await sleep(100);
  const ended = await ledger.videos.scrapes.find(run);
  if (ended?.done !== count) throw new Error(`only ${ended?.done} of ${count} were looked up`);
}

const begun = performance.now();
const before = process.cpuUsage();
await (kind === 'bare' ? bare() : scrape());
const seconds = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(before);
// What is in use: the peak has garbage that nobody needed the room of.
gc?.();
const live = process.memoryUsage().heapUsed;
// In kilobytes.
const peak = process.resourceUsage().maxRSS * 1024;
process.send?.({ seconds, cpu: (user + system) / 1e6, user, system, peak, live });
await once(process, 'disconnect');
await workers.stop(1000);
await close();
process.exit(0);
