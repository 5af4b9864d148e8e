import { RateLimitError, Worker } from 'bullmq';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { asIf } from '../../support/ledger.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const now = Date.UTC(2027, 2, 9, 7, 42, 7);

describe('/queues', () => {
  it('shows what each queue has to do, and links it to Bull Board', async () => {
    const runner = await openRunner({ queues: [] });
    const id = await runner.importOrUpdate([videoRow('a')]);
    await runner.admit(id);
    const { html, text } = await (await openPages(runner)).get('/queues');
    expect(text).toMatch(/· [12] jobs? waiting/);
    const order = [...html.matchAll(/href="\/board\/queue\/(\w+)"/g)].map(([, name]) => name);
    expect(order).toEqual(['showcase', 'generate', 'poll', 'upload', 'post', 'scrape', 'campaign', 'notify']);
  });

  it('the oldest job waits since it came, though those before it were put back for a rate limit just now', async () => {
    const runner = await openRunner({ queues: [] });
    const queue = await runner.queues.queue('upload');
    const hour = 3_600_000;
    for (const [id, age] of [
      ['first', 2 * hour],
      ['second', hour],
    ] as const)
      await queue.add('upload', {}, { jobId: id, timestamp: Date.now() - age });
    const worker = new Worker(
      'upload',
      async () => {
        await queue.rateLimit(60_000);
        throw new RateLimitError();
      },
      { connection: runner.redis.duplicate({ maxRetriesPerRequest: null }), prefix: runner.prefix },
    );
    onTestFinished(() => worker.close());
    await expect.poll(async () => (await queue.getJob('first'))?.processedOn).toBeGreaterThan(0);
    await expect.poll(() => queue.getWaitingCount()).toBe(2);
    const { text } = await (await openPages(runner)).get('/queues');
    expect(text).toMatch(/Upload – 2 1 h/);
  });

  it('after a rate limit was lowered, the calls of the last minute are not counted against it', async () => {
    const runner = await openRunner({ queues: [] });
    const pages = await openPages(runner);
    const minute = Math.floor(Date.now() / 60_000);
    const bucket = `${runner.prefix}:rate-limit:createCreatorPost`;
    await runner.redis.hset(bucket, 'used', `${minute} 436 436`);
    await pages.post('/queues/rate-limits/createCreatorPost', { rate: '40', per: 'min' });
    const { text, html } = await pages.get('/queues');
    expect(text).not.toMatch(/\d of 40 a minute/);
    expect(text).toMatch(/[4-8]\d\d calls in the last minute, the limit is 40 a minute/);
    expect(html).toContain('100% in use');
  });

  it('pauses a queue with the name of who did it, and goes on', async () => {
    const runner = await openRunner({ now: () => now });
    const pages = await openPages(runner);
    const asked = await pages.get('/queues/upload/pause');
    expect(asked.text).toContain('Pause queue Upload?');
    const paused = await pages.post('/queues/upload/pause', { why: 'disk <full>' });
    expect(paused.text).toContain('Queue Upload is paused.');
    expect(await runner.queues.paused()).toEqual(['upload']);
    expect(paused.html).toContain(' to paused<small>');
    expect(paused.html).toContain(' · disk &lt;full&gt;</small>');
    const again = await pages.post('/queues/upload/resume', {});
    expect(again.text).toContain('Queue Upload is running again.');
    expect(await runner.queues.paused()).toEqual([]);
  });

  it('changes a rate limit for all workers and resets it, and tells who did', async () => {
    const runner = await openRunner({ now: () => now });
    const pages = await openPages(runner);
    const changed = await pages.post('/queues/rate-limits/createCreatorPost', { rate: '20', per: 'min' });
    expect(changed.text).toContain('Posts: 20 a minute, in all workers until it is reset.');
    expect(changed.text).toMatch(/Posts from 2000 a second to 20 a minute \S+ 07:42/);
    expect(await runner.redis.hgetall(`${runner.prefix}:rate-limits`)).toEqual({
      createCreatorPost: expect.stringMatching(/^0\.333\d* 1$/),
    });
    const reset = await pages.post('/queues/rate-limits/createCreatorPost', { reset: '1' });
    expect(reset.text).toContain('Posts: reset to the settings.');
    expect(reset.text).toContain('from 20 a minute to 2000 a second');
  });

  it.each([
    [
      'a rate of nothing',
      '/queues/rate-limits/createCreatorPost',
      { rate: '0', per: 's' },
      'is not a valid rate',
    ],
    [
      'an operation that is none',
      '/queues/rate-limits/else',
      { rate: '1', per: 's' },
      'There is no operation "else"',
    ],
    ['a queue that is none', '/queues/else/pause', {}, 'There is no queue "else"'],
  ])('refuses %s', async (_what, path, fields, message) => {
    const pages = await openPages(await openRunner());
    const answer = await pages.post(path, fields);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).toContain(message);
  });

  it('shows the workers, and one that is silent', async () => {
    const runner = await openRunner();
    await runner.start();
    const pages = await openPages(runner);
    expect((await pages.get('/queues')).text).toMatch(/1 worker alive .* hall alive no jobs · all queues/);
    await asIf(runner).silent();
    expect((await pages.get('/queues')).text).toMatch(
      /Worker hall:\d+ has been silent since .* silent its 0 jobs wait/,
    );
  });
});
