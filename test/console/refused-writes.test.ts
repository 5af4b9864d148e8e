/** Redis answers, but takes no writes. */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { quickUser } from '../support/console/access.ts';
import { openPages } from '../support/console/console-pages.ts';
import { hidden, Visitor } from '../support/console/visitor.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openRunner, type TestRunner } from '../support/in-process.ts';
import { redisNode } from '../support/redis/redis-topologies.ts';
import { videoRow } from '../support/sheets/rows.ts';

const hourMs = 3_600_000;
const budget = '/queues/budgets/createCreatorPost';

const refusals = [
  {
    told: 'Its memory is full.',
    refuse: ({ redis }: TestRunner) => redis.config('SET', 'maxmemory', '1mb'),
    takeAgain: ({ redis }: TestRunner) => redis.config('SET', 'maxmemory', '0'),
  },
  {
    told: 'It has become a replica.',
    refuse: ({ redis }: TestRunner) => redis.replicaof('127.0.0.1', '1'),
    takeAgain: ({ redis }: TestRunner) => redis.replicaof('NO', 'ONE'),
  },
] as const;

describe('while Redis takes no writes', () => {
  const clock = { now: 0 };
  let runner: TestRunner;
  let visitor: Visitor;

  beforeEach(async () => {
    const test = { onTestFinished };
    const { port } = await redisNode(temporaryFolder(test), test);
    clock.now = Date.now();
    runner = await openRunner({ redisPort: port, now: () => clock.now });
    await quickUser(runner, 'anna', 'operator');
    visitor = new Visitor((await openPages(runner)).url);
    await visitor.signIn('anna');
  });

  it.each(refusals)('$told A form says so, and keeps what was typed', async ({ told, refuse, takeAgain }) => {
    const _csrf = await visitor.csrf();
    const typed = { rate: '7', per: 'minute', account: 'default' };
    await refuse(runner);
    const page = await visitor.post(budget, { _csrf, ...typed });
    expect(page.status).toBe(503);
    expect(page.text).toContain('Redis takes no writes');
    expect(page.text).toContain(told);
    expect(page.text).toContain('What you sent was not saved.');
    await takeAgain(runner);
    expect((await visitor.get('/queues')).text).not.toContain('name="rate" value="7"');
    const again = Object.fromEntries(
      ['_csrf', ...Object.keys(typed)].map((name) => [name, hidden(page.text, name)]),
    );
    expect((await visitor.post(budget, again)).status).toBe(303);
    expect((await visitor.get('/queues')).text).toContain('7 a minute');
  });

  it('pages are still shown, also when the use of a session would be noted', async () => {
    const id = await runner.importRows([videoRow('a')]);
    await refusals[0].refuse(runner);
    clock.now += hourMs;
    const pages = [
      '/campaigns',
      `/campaigns/${id}`,
      `/campaigns/${id}/rows/a`,
      '/review',
      '/queues',
      '/videos',
    ];
    for (const path of pages) expect([path, (await visitor.get(path)).status]).toEqual([path, 200]);
  });

  it('nobody can sign in, and the page says why', async () => {
    await refusals[0].refuse(runner);
    visitor.cookies.clear();
    const page = await visitor.signIn('anna');
    expect([page.status, page.text.includes('Its memory is full.')]).toEqual([503, true]);
  });

  it('the API answers a problem, with and without an Idempotency-Key', async () => {
    const id = await runner.importRows([videoRow('a')]);
    const csrf = await visitor.csrf();
    await refusals[0].refuse(runner);
    const headers = { 'x-csrf-token': csrf };
    for (const key of [{}, { 'idempotency-key': 'k1' }]) {
      const answer = await visitor.send('POST', `/api/v1/campaigns/${id}/pause`, { ...headers, ...key });
      expect([answer.status, answer.headers['content-type']]).toEqual([
        503,
        expect.stringContaining('problem+json'),
      ]);
      expect(JSON.parse(answer.text)).toMatchObject({
        code: 'redis_refuses',
        detail: 'Redis takes no writes: its memory is full; the change was not saved.',
        cure: expect.stringContaining('maxmemory'),
      });
    }
  });
});
