import { UnrecoverableError, Worker } from 'bullmq';
import { describe, expect, it } from 'vitest';
import { type QueueName, type Queues, queueNames } from '../../../src/queues/queues.ts';
import { openConsoleApp } from '../../support/console/console-app.ts';

const upload = (row: number, index: number) => `upload/c1-${row}-0-upload-media-${index}`;
const refuse = async () => {
  throw new UnrecoverableError('media_missing: no such file');
};

describe('Bull Board', () => {
  it('shows all queues, jobs by row, and the flow of a row', async () => {
    const { board, addRow } = await openConsoleApp();
    await addRow(0);
    const { body } = await board.read('queues?activeQueue=upload&status=latest');
    const { queues } = body as { queues: { name: string; jobs: { name: string }[] }[] };
    expect(queues.map(({ name }) => name).toSorted()).toEqual(queueNames.toSorted());
    const jobs = queues.find(({ name }) => name === 'upload')?.jobs;
    expect(jobs?.map(({ name }) => name)).toEqual(
      expect.arrayContaining([expect.stringContaining('row 1 below the header, c1')]),
    );
    const flow = await board.read(`queues/${upload(0, 0)}/flow`);
    expect(flow.body).toMatchObject({ flowRoot: { id: 'c1-0-0-post', children: [{}, {}] } });
  });

  it('shows no login, signature or key of an error', async () => {
    const { board, addRow, work } = await openConsoleApp();
    await addRow(0);
    const text = 'at https://anna:pw-1@h.example/a?X-Amz-Signature=abc with sandbox-key';
    await work('upload', 2, async (job) => {
      await job.log(text);
      throw new UnrecoverableError(text);
    });
    const shown = [
      await board.read('queues?activeQueue=upload&status=failed'),
      await board.read(`queues/${upload(0, 0)}`),
      await board.read(`queues/${upload(0, 0)}/logs`),
      await board.read(`queues/${upload(0, 0)}/flow`),
    ].map(({ body }) => JSON.stringify(body));
    for (const page of shown) expect(page).not.toMatch(/pw-1|Signature|sandbox-key/);
    for (const page of shown.slice(0, 3)) expect(page).toContain('https://[login]@h.example/a?[query]');
  });

  it('retries a failed job with all its attempts', async () => {
    const { board, addRow, work, queues } = await openConsoleApp();
    await addRow(0);
    const fail = async () => {
      throw new Error('server_error: 500');
    };
    await work('upload', 2, fail);
    expect((await board.change('PUT', `${upload(0, 0)}/retry`)).status).toBe(204);
    const runs: number[] = [];
    await work('upload', 1, async (job) => {
      runs.push(job.attemptsMade);
      return fail();
    });
    expect(runs).toEqual([0, 1, 2]);
    expect(await (await queues.queue('upload')).getFailedCount()).toBe(2);
  });

  it('retries all failed jobs of a queue, and their parents go on', async () => {
    const { board, addRow, work, states } = await openConsoleApp();
    for (const row of [0, 1, 2]) await addRow(row);
    await work('upload', 6, refuse);
    const answer = await board.change('PUT', 'upload/retry/failed');
    expect(answer).toEqual({ status: 200, body: { retried: 6, skipped: 0 } });
    await work('upload', 6, async () => undefined);
    expect(await states('post')).toEqual({ waiting: 3 });
  });

  it('retries all for two operators at once', async () => {
    const { board, addRow, work, states } = await openConsoleApp();
    for (const row of [0, 1, 2]) await addRow(row);
    await work('upload', 6, refuse);
    const answers = await Promise.all([1, 2, 3].map(() => board.change('PUT', 'upload/retry/failed')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await states('upload')).toEqual({ waiting: 6 });
  });

  it('does not retry completed jobs, one or all', async () => {
    const { board, addRow, work, states } = await openConsoleApp();
    await addRow(0);
    await work('upload', 2, async () => undefined);
    const one = await board.change('PUT', `${upload(0, 0)}/retry`);
    const all = await board.change('PUT', 'upload/retry/completed');
    for (const { status, body } of [one, all]) {
      expect(status).toBe(403);
      expect(body).toMatchObject({ message: expect.stringContaining('not repeated') });
    }
    expect(await states('upload')).toEqual({ completed: 2 });
  });

  it('removes waiting jobs, but no running job', async () => {
    const { board, addRow, queues, states, connect, prefix } = await openConsoleApp();
    await addRow(0);
    expect((await board.change('PUT', `${upload(0, 0)}/clean`)).status).toBe(204);
    const started = Promise.withResolvers<void>();
    const ends = Promise.withResolvers<void>();
    const worker = new Worker(
      'upload',
      async () => {
        started.resolve();
        await ends.promise;
      },
      { connection: connect(), prefix },
    );
    await started.promise;
    const locked = await board.change('PUT', `${upload(0, 1)}/clean`);
    const above = await board.change('PUT', 'post/c1-0-0-post/clean');
    expect([locked.status, above.status]).toEqual([409, 409]);
    expect(above.body).toMatchObject({ message: expect.stringContaining('Nothing was removed') });
    expect(await (await queues.queue('post')).getWaitingChildrenCount()).toBe(1);
    expect(await states('upload')).toEqual({ active: 1 });
    ends.resolve();
    await worker.close();
  });

  it('cleans failed jobs', async () => {
    const { board, addRow, work, queues } = await openConsoleApp();
    await addRow(0);
    await work('upload', 2, refuse);
    // The board spares jobs of the last five seconds, so make these older.
    await age(queues, 'upload');
    expect((await board.change('PUT', 'upload/clean/failed')).status).toBe(200);
    expect(await (await queues.queue('upload')).getFailedCount()).toBe(0);
  });

  it('pauses and resumes queues for all workers', async () => {
    const { board, queues } = await openConsoleApp();
    expect((await board.change('PUT', 'post/pause')).status).toBe(200);
    expect(await queues.paused()).toEqual(['post']);
    await board.change('PUT', 'pause');
    expect(await queues.paused()).toEqual(queueNames);
    await board.change('PUT', 'resume');
    expect(await queues.paused()).toEqual([]);
  });

  it.each([
    ['PUT', 'upload/empty', undefined],
    ['PUT', 'upload/obliterate', { force: true }],
    ['PUT', 'upload/clean/wait', undefined],
    ['PUT', 'post/c1-0-0-post/remove-unprocessed-children', undefined],
    ['PATCH', 'upload/c1-0-0-upload-media-0/update-data', { jobData: { c: 'c2', r: 0, v: 0 } }],
    ['PATCH', 'upload/c1-0-0-upload-media-0/priority', { priority: 3 }],
    ['POST', 'post/add', { name: 'x', data: { c: 'c1', r: 0, v: 0 }, options: {} }],
    ['PUT', 'upload/concurrency', { concurrency: 1 }],
    ['PUT', 'upload/rate-limit', { max: 1, duration: 1000 }],
  ] as const)('refuses %s %s, and says why', async (method, path, change) => {
    const { board, addRow, states, queues } = await openConsoleApp();
    await addRow(0);
    await (await queues.queue('upload')).pause();
    const { status, body } = await board.change(method, path, change);
    expect(status).toBe(403);
    expect(body).toMatchObject({
      error: { key: 'ERRORS.FORBIDDEN' },
      message: expect.stringMatching(/\w+ \w+/),
    });
    expect([await states('upload'), await states('post')]).toEqual([
      { waiting: 2 },
      { 'waiting-children': 1 },
    ]);
    expect(await (await queues.queue('upload')).getGlobalConcurrency()).toBeNull();
  });

  it.each(['queues?activeQueue=%25', 'job-schedulers?queueName=%25zz'])(
    'answers 400 to a name that cannot be decoded: %s',
    async (path) => {
      const { board } = await openConsoleApp();
      expect((await board.read(path)).status).toBe(400);
    },
  );

  it('logs every change, made or refused', async () => {
    const { board, logged } = await openConsoleApp();
    await board.change('PUT', 'post/pause');
    await board.change('PUT', 'post/empty');
    await board.read('queues');
    expect(logged.filter(({ change }) => change !== undefined)).toMatchObject([
      { change: 'put /api/queues/:queueName/pause', params: { queueName: 'post' } },
      { change: 'put /api/queues/:queueName/empty', refused: expect.stringContaining('cancel') },
    ]);
  });
});

/** Moves the end of a queue's jobs back by a minute. */
async function age(queues: Queues, name: QueueName): Promise<void> {
  const queue = await queues.queue(name);
  const { client } = queue.getBackend() as unknown as { client: Promise<import('ioredis').Redis> };
  const redis = await client;
  for (const id of await queue.getRanges(['failed'], 0, -1)) {
    await redis.zincrby(queue.toKey('failed'), -60_000, id);
  }
}
