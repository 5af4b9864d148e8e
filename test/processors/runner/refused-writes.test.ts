import { Redis } from 'ioredis';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitUntil } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openRunner } from '../../support/in-process.ts';
import { durable, redisNode } from '../../support/redis/redis-topologies.ts';
import { videoRow } from '../../support/sheets/rows.ts';

/** So slow that Redis refuses in the middle, with so few attempts that none may be wasted. */
const settings = {
  retry: { attempts: 2, base: '1ms', cap: '1ms' },
  rateLimits: {
    default: { rate: 1000, per: '1s', burst: 1000 },
    createCreatorPost: { rate: 20, per: '1s', burst: 1 },
  },
};
const rows = Array.from({ length: 30 }, (_, row) => videoRow(`${row}`, { product_source: 'SHOP' }));

describe('Redis that refuses writes in the middle of a campaign', () => {
  it.for([
    ['OOM', 'maxmemory', '1'],
    ['NOREPLICAS', 'min-replicas-to-write', '1'],
  ] as const)('with %s uses no attempt, and no row is lost', async ([code, setting, refusing]) => {
    const { port } = await redisNode(temporaryFolder({ onTestFinished }), { onTestFinished }, durable);
    const admin = new Redis({ port });
    onTestFinished(() => admin.disconnect());
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const runner = await openRunner({ redisPort: port, settings, log });
    const runs: number[] = [];
    const isSeen = ({ attempt }: { readonly attempt: number }) => {
      runs.push(attempt);
      return false;
    };
    runner.jobFinished(isSeen).catch(() => undefined);
    const refusals = async () => {
      const stats = await admin.info('errorstats');
      return Number(new RegExp(`^errorstat_${code}:count=(\\d+)`, 'm').exec(stats)?.[1] ?? 0);
    };
    const id = await runner.importOrUpdate(rows);
    await runner.start();
    await runner.until(() => (runner.sandbox.counts().createCreatorPost ?? 0) >= 3, 'the first posts');
    await admin.config('SET', setting, refusing);
    await runner.until(async () => (await refusals()) >= 8, 'many refusals');
    await admin.config('SET', setting, '0');
    const hasEnded = async () => (await runner.ledger.campaigns.find(id))?.state === 'ended';
    // On a slow machine, locks expire meanwhile: then the jobs are taken over like those of a killed worker.
    await waitUntil(hasEnded, 'the end');
    expect((await runner.ledger.campaigns.find(id))?.counts).toMatchObject({ posted: rows.length });
    expect(Math.max(...runs)).toBe(1);
    expect(lines).toEqual([]);
  });

  it('at their start, workers wait for it', async () => {
    const { port } = await redisNode(temporaryFolder({ onTestFinished }), { onTestFinished });
    const admin = new Redis({ port });
    onTestFinished(() => admin.disconnect());
    const runner = await openRunner({ redisPort: port });
    const id = await runner.importOrUpdate([videoRow('a')]);
    await admin.config('SET', 'min-replicas-to-write', '1');
    const started = runner.start();
    await runner.until(
      async () => (await admin.info('errorstats')).includes('errorstat_NOREPLICAS'),
      'a refusal',
    );
    await admin.config('SET', 'min-replicas-to-write', '0');
    await started;
    expect((await runner.ended(id)).counts).toMatchObject({ posted: 1 });
  });
});
