/** Whole campaigns in one process, with a part of the surroundings that is gone for a while. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitUntil } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openRunner } from '../../support/in-process.ts';
import { durable, redisNode } from '../../support/redis/redis-topologies.ts';
import { type TcpProxy, tcpProxy } from '../../support/redis/tcp-proxy.ts';
import { mixedRows, videoRow } from '../../support/sheets/rows.ts';

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, row) => videoRow(`${row}`, { product_source: 'SHOP' }));

describe('Redis that is restarted while many calls wait for their permits', () => {
  it('lets no more of them out in a second than the rate limit allows', async () => {
    const folder = temporaryFolder({ onTestFinished });
    const { port, stop, restart } = await redisNode(folder, { onTestFinished }, durable);
    const [rate, burst] = [10, 2];
    const createCreatorPost = { rate, per: '1s', burst };
    const rateLimits = { default: { rate: 1000, per: '1s', burst: 1000 }, createCreatorPost };
    const runner = await openRunner({ redisPort: port, settings: { rateLimits } });
    const posts = () => runner.sandbox.calls('createCreatorPost');
    await runner.importOrUpdate(rowsOf(60));
    const started = Date.now();
    await runner.start();
    await runner.until(() => posts().length >= 4, 'the first posts');
    await stop('SIGKILL');
    await restart();
    const many = 50;
    const last = await waitUntil(() => posts()[many - 1], 'posts after the restart');
    // A busy machine makes it longer, never shorter. A restart may fill the bucket.
    expect(last.at - started).toBeGreaterThanOrEqual(((many - 3 * burst) / rate) * 1000);
  });
});

describe('a service that does not answer at all for a while', () => {
  it('costs no attempt of calls that were not sent, and no row', async () => {
    let proxy: TcpProxy | undefined;
    const failures = new Map<string, number>();
    const runner = await openRunner({
      settings: {
        retry: { attempts: 2, base: '1ms', cap: '50ms' },
        rateLimits: {
          default: { rate: 1000, per: '1s', burst: 1000 },
          createCreatorPost: { rate: 30, per: '1s', burst: 1 },
        },
      },
      async through(port) {
        proxy = await tcpProxy(port, { onTestFinished });
        return proxy.port;
      },
    });
    const notSent = () => failures.get('not-sent') ?? 0;
    runner
      .jobFinished(({ outcome }) => {
        failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
        return false;
      })
      .catch(() => undefined);
    const id = await runner.importOrUpdate(mixedRows(30));
    await runner.start();
    await runner.until(() => (runner.sandbox.counts().createCreatorPost ?? 0) >= 5, 'the first posts');
    await proxy?.refuse(true);
    await runner.until(() => notSent() >= 60, 'many calls that are not sent');
    await proxy?.refuse(false);
    const { counts } = await runner.ended(id);
    expect(counts).toMatchObject({ failed: 0 });
    expect((counts.posted ?? 0) + (counts.review ?? 0)).toBe(30);
  });

  it('takes few posts that nobody knows of, though it accepts connections', async () => {
    let proxy: TcpProxy | undefined;
    const runner = await openRunner({
      settings: {
        api: { timeout: '1s' },
        retry: { attempts: 2, base: '1ms', cap: '50ms' },
        rateLimits: {
          default: { rate: 1000, per: '1s', burst: 1000 },
          createCreatorPost: { rate: 20, per: '1s', burst: 1 },
        },
      },
      async through(port) {
        proxy = await tcpProxy(port, { onTestFinished });
        return proxy.port;
      },
    });
    // One upload, so that all rows are at their posts.
    const id = await runner.importOrUpdate(rowsOf(80).map((row) => ({ ...row, media: 'same.mp4' })));
    await runner.start();
    await runner.until(() => runner.sandbox.calls('createCreatorPost').length >= 5, 'the first posts');
    proxy?.swallow(true);
    let notSent = 0;
    const isNotSent = ({ outcome }: { readonly outcome: string }) => {
      if (outcome === 'not-sent') notSent += 1;
      return false;
    };
    runner.jobFinished(isNotSent).catch(() => undefined);
    await runner.until(() => notSent >= 30, 'posts that are not sent');
    proxy?.swallow(false);
    const { counts } = await runner.ended(id);
    expect(counts.failed).toBe(0);
    expect(counts.review).toBeLessThan(40);
  });
});
