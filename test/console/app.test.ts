import { once } from 'node:events';
import { request } from 'node:http';
import { type Job, UnrecoverableError, Worker } from 'bullmq';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConsoleApp } from '../../src/console/app.ts';
import { listen } from '../../src/console/server.ts';
import { type QueueName, Queues, queueNames } from '../../src/queues/queues.ts';
import { boardClient } from '../support/board.ts';
import { redisNamespace } from '../support/redis.ts';

const attempts = 3;

/** The application on queues of its own. A job is of a row, and under a post, as in a campaign. */
async function setup() {
  const { redis, prefix, connect } = redisNamespace();
  const queues = new Queues({ connection: redis, prefix, attempts });
  const logged: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  const app = createConsoleApp({
    queues,
    readiness: async () => ({ ready: true, checks: {} }),
    log,
    secrets: ['sandbox-key'],
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await server.close();
    await queues.close();
  });

  /** Adds a row's flow: two uploads under a post. */
  const addRow = (r: number) =>
    queues.addFlows([
      { c: 'c1', r, v: 0, plan: { uploads: [0, 1].map((i) => ({ of: 'media', i })), generation: undefined } },
    ]);
  /** Lets a worker have the queue until so many jobs have ended. */
  async function work(name: QueueName, count: number, processor: (job: Job) => Promise<unknown>) {
    let left = count;
    const done = Promise.withResolvers<void>();
    const worker = new Worker(name, processor, {
      connection: connect(),
      prefix,
      settings: { backoffStrategy: () => 1 },
    });
    const end = () => {
      left -= 1;
      if (left === 0) done.resolve();
    };
    worker.on('completed', end);
    worker.on('failed', (job) => {
      if (job?.finishedOn) end();
    });
    await done.promise;
    await worker.close();
  }
  const states = async (name: QueueName) =>
    Object.fromEntries(
      Object.entries(await queues.queue(name).getJobCounts()).filter(([, count]) => count > 0),
    );
  return { queues, server, logged, addRow, work, states, connect, prefix, board: boardClient(server.url) };
}

const upload = (row: number, index: number) => `upload/c1-${row}-0-upload-media-${index}`;
const refuse = async () => {
  throw new UnrecoverableError('media_missing: no such file');
};

describe('Bull Board', () => {
  it('shows all queues, jobs by row, and the flow of a row', async () => {
    const { board, addRow } = await setup();
    await addRow(0);
    const { body } = await board.read('queues?activeQueue=upload&status=latest');
    const { queues } = body as { queues: { name: string; jobs: { name: string }[] }[] };
    expect(queues.map(({ name }) => name)).toEqual(queueNames);
    const jobs = queues.find(({ name }) => name === 'upload')?.jobs;
    expect(jobs?.map(({ name }) => name)).toEqual(
      expect.arrayContaining([expect.stringContaining('row 1, c1')]),
    );
    const flow = await board.read(`queues/${upload(0, 0)}/flow`);
    expect(flow.body).toMatchObject({ flowRoot: { id: 'c1-0-0-post', children: [{}, {}] } });
  });

  it('shows no login, signature or key of an error', async () => {
    const { board, addRow, work } = await setup();
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
    const { board, addRow, work, queues } = await setup();
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
    expect(await queues.queue('upload').getFailedCount()).toBe(2);
  });

  it('retries all failed jobs of a queue, and their parents go on', async () => {
    const { board, addRow, work, states } = await setup();
    for (const row of [0, 1, 2]) await addRow(row);
    await work('upload', 6, refuse);
    const answer = await board.change('PUT', 'upload/retry/failed');
    expect(answer).toEqual({ status: 200, body: { retried: 6, skipped: 0 } });
    await work('upload', 6, async () => undefined);
    expect(await states('post')).toEqual({ waiting: 3 });
  });

  it('retries all for two operators who ask at once', async () => {
    const { board, addRow, work, states } = await setup();
    for (const row of [0, 1, 2]) await addRow(row);
    await work('upload', 6, refuse);
    const answers = await Promise.all([1, 2, 3].map(() => board.change('PUT', 'upload/retry/failed')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await states('upload')).toEqual({ waiting: 6 });
  });

  it('does not retry what is done, be it one job or all', async () => {
    const { board, addRow, work, states } = await setup();
    await addRow(0);
    await work('upload', 2, async () => undefined);
    const one = await board.change('PUT', `${upload(0, 0)}/retry`);
    const all = await board.change('PUT', 'upload/retry/completed');
    for (const { status, body } of [one, all]) {
      expect(status).toBe(403);
      expect(body).toMatchObject({ message: expect.stringContaining('not done again') });
    }
    expect(await states('upload')).toEqual({ completed: 2 });
  });

  it('removes a job that waits, and no job that is at work', async () => {
    const { board, addRow, queues, states, connect, prefix } = await setup();
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
    expect(above.body).toMatchObject({ message: expect.stringContaining('nothing was removed') });
    expect(await queues.queue('post').getWaitingChildrenCount()).toBe(1);
    expect(await states('upload')).toEqual({ active: 1 });
    ends.resolve();
    await worker.close();
  });

  it('cleans failed jobs', async () => {
    const { board, addRow, work, queues } = await setup();
    await addRow(0);
    await work('upload', 2, refuse);
    // The board leaves jobs of the last five seconds: these are older.
    await age(queues, 'upload');
    expect((await board.change('PUT', 'upload/clean/failed')).status).toBe(200);
    expect(await queues.queue('upload').getFailedCount()).toBe(0);
  });

  it('pauses and resumes queues for all workers', async () => {
    const { board, queues } = await setup();
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
    const { board, addRow, states, queues } = await setup();
    await addRow(0);
    await queues.queue('upload').pause();
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
    expect(await queues.queue('upload').getGlobalConcurrency()).toBeNull();
  });

  it('leaves every change in the log, made or refused', async () => {
    const { board, logged } = await setup();
    await board.change('PUT', 'post/pause');
    await board.change('PUT', 'post/empty');
    await board.read('queues');
    expect(logged).toMatchObject([
      { change: 'put /api/queues/:queueName/pause', params: { queueName: 'post' } },
      { change: 'put /api/queues/:queueName/empty', refused: expect.stringContaining('cancel') },
    ]);
  });
});

/** Takes the end of a queue's jobs back by a minute. */
async function age(queues: Queues, name: QueueName): Promise<void> {
  const queue = queues.queue(name);
  const { client } = queue.getBackend() as unknown as { client: Promise<import('ioredis').Redis> };
  const redis = await client;
  for (const id of await queue.getRanges(['failed'], 0, -1)) {
    await redis.zincrby(queue.toKey('failed'), -60_000, id);
  }
}

interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A request with headers that `fetch` does not let a program choose. */
async function raw(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string,
): Promise<RawAnswer> {
  const sent = request(url, { method, headers, setHost: headers.host === undefined });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: Buffer.concat(await answer.toArray()).toString(),
  };
}

describe('the application', () => {
  it('takes no change from another site, under whatever name', async () => {
    const { server, queues } = await setup();
    const pause = `${server.url}/board/api/queues/pause`;
    const foreign = [
      { origin: 'https://a.example' },
      { host: 'a.example' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      expect((await raw(pause, 'PUT', headers as Record<string, string>)).status).toBe(403);
    }
    expect(await queues.paused()).toEqual([]);
    expect((await raw(pause, 'PUT', { origin: server.url })).status).toBe(200);
  });

  it('is read under no foreign name', async () => {
    const { server } = await setup();
    expect((await raw(`${server.url}/board/api/queues`, 'GET', { host: 'a.example' })).status).toBe(403);
  });

  it('lets pages do no more than they need', async () => {
    const { server } = await setup();
    const { headers } = await raw(`${server.url}/board`, 'GET', {});
    expect(headers['content-security-policy']).toContain("default-src 'none';script-src 'self';");
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('answers probes under any name', async () => {
    const { server } = await setup();
    for (const path of ['healthz', 'readyz']) {
      expect((await raw(`${server.url}/${path}`, 'GET', { host: '10.1.2.3:8080' })).status).toBe(200);
    }
  });

  it.each([
    ['a body that is not JSON', 'PUT', '/board/api/queues/pause', '{', 400],
    ['a path that cannot be decoded', 'GET', '/board/api/queues/%ff/x', undefined, 400],
    ['a path that there is not', 'GET', '/else', undefined, 404],
    ['a queue that there is not', 'PUT', '/board/api/queues/else/pause', undefined, 404],
    ['a body that is too long', 'PUT', '/board/api/queues/pause', `"${'x'.repeat(200_000)}"`, 400],
  ])('shows no trace of itself for %s', async (_what, method, path, body, status) => {
    const { server } = await setup();
    const headers = { 'content-type': 'application/json', 'content-length': String(body?.length ?? 0) };
    const answer = await raw(`${server.url}${path}`, method, headers, body);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toMatch(/node_modules|\.js|\.ts/);
  });
});
