/** Whole campaigns in one process, with a part of the surroundings that is gone for a while. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitUntil } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openRunner } from '../../support/in-process.ts';
import { durable, redisNode } from '../../support/redis/redis-topologies.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, row) => videoRow(`${row}`, { showcase: 'no' }));

describe('Redis that is restarted while many calls wait for their turns', { timeout: 60_000 }, () => {
  it('lets no more of them out in a second than the budget allows', async () => {
    const folder = temporaryFolder({ onTestFinished });
    const { port, stop, restart } = await redisNode(folder, { onTestFinished }, durable);
    const [rate, burst] = [10, 2];
    const createCreatorPost = { rate, per: '1s', burst };
    const budgets = { default: { rate: 1000, per: '1s', burst: 1000 }, createCreatorPost };
    const runner = await openRunner({ redisPort: port, settings: { budgets } });
    const posts = () => runner.sandbox.calls('createCreatorPost');
    await runner.handIn(rowsOf(60));
    await runner.start();
    await runner.until(() => posts().length >= 4, 'the first posts');
    await stop('SIGKILL');
    await restart();
    const before = posts().length;
    const since = () => posts().slice(before);
    await waitUntil(() => since().length >= 24, 'posts after the restart', 20_000);
    const inOneSecond = since().map(
      ({ at: from }) => since().filter(({ at }) => at >= from && at - from < 1000).length,
    );
    // What was granted at one moment may be seen a moment later, by a busy process.
    expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(2 * rate + burst);
  });
});
