import { describe, expect, it, type TestContext } from 'vitest';
import type { QueueName } from '../../src/queues/queues.ts';
import { expectAgreement } from '../support/agreement.ts';
import { type BoardClient, serveBoard } from '../support/console/board.ts';
import { waitUntil } from '../support/events.ts';
import { meanwhile, openScene, type Scene, type SceneOptions, spedUp } from '../support/processes/scene.ts';
import { startLedgerRedis } from '../support/redis/redis-server.ts';
import { aiVideoRow, photoRow, videoRow } from '../support/sheets/rows.ts';

/** Quick to fail: one attempt a step. */
const oneAttempt = { retry: { attempts: 1, base: '20ms', cap: '200ms' } };
const created = 'createCreatorPost';
const endsWithinMs = 60_000;

interface Operated {
  readonly scene: Scene;
  readonly board: BoardClient;
  /** Of every command in this scene. */
  readonly env: { readonly REDIS_URL: string };
}

async function openOperated(test: TestContext, options?: SceneOptions): Promise<Operated> {
  const scene = await openScene(test, { ...spedUp, ...options });
  const { url } = await startLedgerRedis(test, scene.folder);
  return { scene, board: await serveBoard(test, url), env: { REDIS_URL: url } };
}

interface ShownQueue {
  readonly name: string;
  readonly jobs: readonly { readonly id: string; readonly attempts: number }[];
  readonly counts: Readonly<Record<string, number>>;
}

async function look(board: BoardClient, name: QueueName, status: string): Promise<ShownQueue> {
  const { body } = await board.read(`queues?activeQueue=${name}&status=${status}`);
  const queue = (body as { queues: ShownQueue[] }).queues.find((one) => one.name === name);
  if (!queue) throw new RangeError(name);
  return queue;
}

async function untilCounted(board: BoardClient, name: QueueName, status: string, count: number) {
  return waitUntil(
    async () => {
      const queue = await look(board, name, status);
      return (queue.counts[status] ?? 0) >= count && queue;
    },
    `${count} ${status} jobs in ${name}`,
    endsWithinMs,
  );
}

/** The sheet as it is now. */
async function report({ scene, env }: Operated) {
  expect((await scene.run(['report', 'c1', '--out', 'now.csv'], env)).code).toBe(0);
  return scene.results('now.csv');
}

/** A run whose first PUT is held by the sandbox, one upload at a time. */
async function holdUploads(test: TestContext, rows: Parameters<Scene['manifest']>[0]) {
  const operated = await openOperated(test, { settings: { concurrency: { upload: 1, post: 1 } } });
  const { scene, env } = operated;
  scene.sandbox.faults.add({ operation: 'putFile', kind: 'hold', when: 'before' });
  const run = scene.run(['run', scene.manifest(rows)], env);
  await meanwhile(run, scene.sandbox.whenHeld('putFile'));
  return { ...operated, run };
}

/** A campaign that has run to its end, with a failed upload in its first row; a worker waits for more. */
async function failUpload(test: TestContext) {
  const operated = await openOperated(test, { settings: oneAttempt });
  const { scene, env } = operated;
  scene.sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 400 });
  const run = await scene.run(['run', scene.manifest([photoRow('1', 2), videoRow('2')])], env);
  expect(run.code).toBe(3);
  scene.start(['worker'], env);
  return operated;
}

describe.concurrent('Bull Board in the hands of an operator', { timeout: 90_000 }, () => {
  it('a failed upload that is retried after the end: the row goes on to its post by itself', async (test) => {
    const operated = await failUpload(test);
    const { scene, board, env } = operated;
    const { jobs } = await look(board, 'upload', 'failed');
    expect(jobs).toHaveLength(1);
    expect((await board.change('PUT', `upload/${jobs[0]?.id}/retry`)).status).toBe(204);
    await waitUntil(() => (scene.sandbox.counts()[created] ?? 0) === 2, 'the second post', endsWithinMs);
    expect((await scene.run(['run'], env)).code).toBe(0);
    const sheet = await report(operated);
    expect(sheet.rows.map(({ status }) => status)).toEqual(['posted', 'posted']);
    expectAgreement(scene.sandbox, sheet);
  });

  it('a row that fails while another of its jobs waits for the next attempt: no job of the ended campaign waits', async (test) => {
    const retry = { attempts: 5, base: '20s', cap: '60s' };
    const { scene, board, env } = await openOperated(test, {
      settings: { retry, concurrency: { upload: 1 } },
    });
    scene.sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 400, skip: 1 });
    scene.sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 500 });
    const run = await scene.run(['run', scene.manifest([photoRow('1', 3), videoRow('2')])], env);
    expect(run.code).toBe(3);
    for (const name of ['campaign', 'upload', 'post'] as const) {
      const { jobs } = await look(board, name, 'delayed');
      expect(jobs.filter(({ id }) => id.startsWith('c1-'))).toEqual([]);
      expect((await look(board, name, 'waiting')).counts.waiting).toBe(0);
    }
    expectAgreement(scene.sandbox, scene.results());
  });

  it('a failed upload that is removed: nothing is posted of its row until it is retried by command', async (test) => {
    const operated = await failUpload(test);
    const { scene, board, env } = operated;
    const { jobs } = await look(board, 'upload', 'failed');
    expect((await board.change('PUT', `upload/${jobs[0]?.id}/clean`)).status).toBe(204);
    // The post that waited for it runs, finds its row failed, and sends nothing.
    await untilCounted(board, 'post', 'failed', 1);
    expect(scene.sandbox.counts()[created]).toBe(1);
    expectAgreement(scene.sandbox, await report(operated));
    expect((await scene.run(['retry', 'c1'], env)).code).toBe(0);
    expect((await scene.run(['run'], env)).code).toBe(0);
    expectAgreement(scene.sandbox, await report(operated));
    expect(scene.sandbox.counts()[created]).toBe(2);
  });

  it('an upload that is removed while it waits: its post does not go out without it', async (test) => {
    const { scene, run, board } = await holdUploads(test, [photoRow('1', 3)]);
    expect((await board.change('PUT', 'upload/c1-0-0-upload-media-2/clean')).status).toBe(204);
    scene.sandbox.release();
    await run;
    // Refused by its post, or, where the rescuer came by in time, put back and posted with all three.
    const [row] = scene.results().rows;
    expect(['media_not_uploaded', '']).toContain(row?.error_code);
    expect(scene.sandbox.effects().posts).toHaveLength(row?.error_code === '' ? 1 : 0);
    expect(row?.file_ids?.split('|')).toHaveLength(row?.error_code === '' ? 3 : 2);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('uploads that are to be emptied, cleaned or obliterated: refused, and all is posted', async (test) => {
    const { scene, run, board } = await holdUploads(test, [photoRow('1', 3), videoRow('2')]);
    const answers = [
      await board.change('PUT', 'upload/empty'),
      await board.change('PUT', 'upload/clean/wait'),
      await board.change('PUT', 'upload/obliterate', { force: true }),
      await board.change('PUT', 'post/c1-0-0-post/remove-unprocessed-children'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    scene.sandbox.release();
    expect((await run).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('a post removed with all below it: the rescuer recreates the flow, with one post', async (test) => {
    const { scene, board, env } = await openOperated(test);
    await board.change('PUT', 'upload/pause');
    const run = scene.run(['run', scene.manifest([photoRow('1', 2)])], env);
    await meanwhile(run, untilCounted(board, 'post', 'waiting-children', 1));
    expect((await board.change('PUT', 'post/c1-0-0-post/clean')).status).toBe(204);
    expect((await look(board, 'upload', 'latest')).jobs).toEqual([]);
    await board.change('PUT', 'upload/resume');
    expect((await run).code).toBe(0);
    expect(scene.sandbox.effects().posts).toHaveLength(1);
    expectAgreement(scene.sandbox, scene.results());
  });

  it.for([
    ['a generation', 'generate/c1-0-0-generate-1'],
    ['a poll with its generation', 'poll/c1-0-0-poll'],
  ] as const)(
    '%s that is removed: no post goes out incomplete, and none is generated twice',
    async ([, job], test) => {
      const operated = await openOperated(test);
      const { scene, board, env } = operated;
      await board.change('PUT', 'generate/pause');
      const run = scene.run(['run', scene.manifest([aiVideoRow('1')])], env);
      await meanwhile(run, untilCounted(board, 'poll', 'waiting-children', 1));
      expect((await board.change('PUT', `${job}/clean`)).status).toBe(204);
      await board.change('PUT', 'generate/resume');
      await run;
      expectAgreement(scene.sandbox, scene.results());
      // A poll makes a generation that is missing by itself; a post does not make a poll.
      expect((await scene.run(['retry', 'c1'], env)).code).toBe(0);
      expect((await scene.run(['run'], env)).code).toBe(0);
      const sheet = await report(operated);
      expect(sheet.rows).toMatchObject([{ status: 'posted' }]);
      expectAgreement(scene.sandbox, sheet);
    },
  );

  it('a generation whose polls are hurried: one generation, one post', async (test) => {
    const { scene, board, env } = await openOperated(test, {
      settings: { generation: { poll: { first: '60s', max: '60s', deadline: '5m' } } },
    });
    const run = scene.run(['run', scene.manifest([aiVideoRow('1')])], env);
    const hurry = async () => {
      await board.change('PUT', 'poll/promote');
      return scene.sandbox.effects().posts.length > 0;
    };
    await meanwhile(run, waitUntil(hurry, 'the post', endsWithinMs));
    expect((await run).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('a completed post: it is not retried, and its job may go; there is no second post', async (test) => {
    const { scene, run, board } = await holdUploads(test, [videoRow('1'), videoRow('2'), videoRow('3')]);
    scene.sandbox.faults.add({ operation: created, kind: 'hold', when: 'before', skip: 1 });
    scene.sandbox.release('putFile');
    await meanwhile(run, scene.sandbox.whenHeld(created));
    const { jobs } = await untilCounted(board, 'post', 'completed', 1);
    const id = jobs[0]?.id;
    expect((await board.change('PUT', `post/${id}/retry`)).status).toBe(403);
    expect((await board.change('PUT', 'post/retry/completed')).status).toBe(403);
    expect((await board.change('PUT', `post/${id}/clean`)).status).toBe(204);
    scene.sandbox.release();
    expect((await run).code).toBe(0);
    expect(scene.sandbox.effects().posts).toHaveLength(3);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('all failed posts retried, one of them in review: that one sends nothing', async (test) => {
    const operated = await openOperated(test, { settings: oneAttempt });
    const { scene, board, env } = operated;
    scene.sandbox.faults.add({ operation: created, kind: 'lost-answer', match: { title: 'Caption 1' } });
    scene.sandbox.faults.add({
      operation: created,
      kind: 'status',
      status: 400,
      match: { title: 'Caption 2' },
    });
    const run = await scene.run(['run', scene.manifest([videoRow('1'), videoRow('2'), videoRow('3')])], env);
    expect(run.code).toBe(3);
    scene.start(['worker'], env);
    const answer = await board.change('PUT', 'post/retry/failed');
    expect(answer).toEqual({ status: 200, body: { retried: 2, skipped: 0 } });
    await waitUntil(
      async () => scene.sandbox.effects().posts.length === 3,
      'the post of row 2',
      endsWithinMs,
    );
    await untilCounted(board, 'post', 'failed', 1);
    expect(scene.sandbox.counts()[created]).toBe(4);
    const sheet = await report(operated);
    expect(sheet.rows.map(({ status }) => status)).toEqual(['review', 'posted', 'posted']);
    expectAgreement(scene.sandbox, sheet);
  });
});

it('a queue that is paused on the board is told by every command that looks', {
  timeout: 60_000,
}, async (test) => {
  const { scene, board, env } = await openOperated(test);
  expect((await scene.run(['import', scene.manifest([videoRow('1')])], env)).code).toBe(0);
  await board.change('PUT', 'post/pause');
  const documentOf = async (...args: readonly string[]) =>
    JSON.parse((await scene.run([...args, '--json'], env)).stdout);
  expect(await documentOf('list')).toMatchObject({ pausedQueues: ['post'] });
  expect(await documentOf('show', 'c1')).toMatchObject({ pausedQueues: ['post'] });
  expect(await documentOf('watch', 'c1', '--once')).toMatchObject({ progress: { pausedQueues: ['post'] } });
  const { findings } = await documentOf('doctor');
  expect(findings).toContainEqual(expect.objectContaining({ check: 'queues', verdict: 'warning' }));
  expect((await scene.run(['show', 'c1'], env)).stdout).toContain('queue post is paused for all campaigns');
});
