/** Whatever an operator does to jobs in Bull Board while workers are at work: nothing is posted twice, and nothing incomplete. */
import { describe, expect, it } from 'vitest';
import { retryRows } from '../../../src/app/campaigns/retry/retry.ts';
import type { QueueName } from '../../../src/queues/queues.ts';
import { boardClient } from '../../support/console/board.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { patiently, type SettingsSections } from '../../support/processes/scene.ts';
import { aiVideoRow, photoRow, videoRow } from '../../support/sheets/rows.ts';

const created = 'createCreatorPost';
/** Quick to fail: one attempt a step. */
const oneAttempt = { retry: { attempts: 1, base: '20ms', cap: '200ms' } };

interface ShownQueue {
  readonly name: string;
  readonly jobs: readonly { readonly id: string; readonly attempts: number }[];
  readonly counts: Readonly<Record<string, number>>;
}

async function openBoard(settings: SettingsSections = {}) {
  const runner = await openRunner({ speedUp: 3, settings: { ...patiently, ...settings } });
  const board = boardClient((await openPages(runner)).url);

  async function look(name: QueueName, status: string): Promise<ShownQueue> {
    const { body } = await board.read(`queues?activeQueue=${name}&status=${status}`);
    const queue = (body as { queues: ShownQueue[] }).queues.find((one) => one.name === name);
    if (!queue) throw new RangeError(name);
    return queue;
  }
  const untilCounted = (name: QueueName, status: string, count: number) =>
    runner.until(async () => {
      const queue = await look(name, status);
      return (queue.counts[status] ?? 0) >= count && queue;
    }, `${count} ${status} jobs in ${name}`);
  const states = async (id: string) => (await runner.rows(id)).map(({ state }) => state);
  const titles = () => runner.sandbox.effects().posts.map(({ title }) => title);
  return { ...runner, board, look, untilCounted, states, titles };
}

/** A campaign whose first PUT is held by the sandbox, one upload at a time. */
async function holdUploads(rows: Parameters<Awaited<ReturnType<typeof openBoard>>['importOrUpdate']>[0]) {
  const opened = await openBoard({ concurrency: { upload: 1, post: 1 } });
  opened.sandbox.faults.add({ operation: 'putFile', kind: 'hold', when: 'before' });
  const id = await opened.importOrUpdate(rows);
  await opened.start();
  await opened.sandbox.whenHeld('putFile');
  return { ...opened, id };
}

/** A campaign that has run to its end, with a failed upload in one of its two rows: that which came first to it. */
async function failUpload() {
  const opened = await openBoard(oneAttempt);
  opened.sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 400 });
  const id = await opened.importOrUpdate([photoRow('1', 2), videoRow('2')]);
  await opened.start();
  const campaign = await opened.ended(id);
  const [job] = (await opened.look('upload', 'failed')).jobs;
  const posted = (await opened.states(id)).indexOf('posted');
  return { ...opened, id, campaign, job, posted: `Caption ${posted + 1}` };
}

describe('Bull Board in the hands of an operator', () => {
  it('a failed upload that is retried after the end: the row goes on to its post by itself', async () => {
    const { board, job, sandbox, id, until, ended, states, titles } = await failUpload();
    expect((await board.change('PUT', `upload/${job?.id}/retry`)).status).toBe(204);
    await until(() => (sandbox.counts()[created] ?? 0) === 2, 'the second post');
    await ended(id);
    expect(await states(id)).toEqual(['posted', 'posted']);
    expect(titles().toSorted()).toEqual(['Caption 1', 'Caption 2']);
  });

  it('a row that fails while another of its jobs waits for the next attempt: no job of the ended campaign waits', async () => {
    const retry = { attempts: 5, base: '20s', cap: '60s' };
    const { sandbox, importOrUpdate, start, ended, until, look } = await openBoard({
      retry,
      concurrency: { upload: 1 },
    });
    sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 400, skip: 1 });
    sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 500 });
    const id = await importOrUpdate([photoRow('1', 3), videoRow('2')]);
    await start();
    expect((await ended(id)).counts).toMatchObject({ posted: 1, failed: 1 });
    const waiting = async (name: QueueName) =>
      [...(await look(name, 'delayed')).jobs, ...(await look(name, 'waiting')).jobs].filter((job) =>
        job.id.startsWith(`${id}-`),
      );
    for (const name of ['campaign', 'upload', 'post'] as const)
      await until(async () => (await waiting(name)).length === 0, `no job in ${name}`);
  });

  it('a failed upload that is removed: nothing is posted of its row until it is retried by command', async () => {
    const opened = await failUpload();
    const { board, job, sandbox, id, campaign, context, posted, ended, look, states, titles } = opened;
    expect((await board.change('PUT', `upload/${job?.id}/clean`)).status).toBe(204);
    // The post that waited for it finds its row failed, or the rescuer removes it.
    const waiting = async () => (await look('post', 'waiting-children')).counts['waiting-children'];
    await opened.until(async () => (await waiting()) === 0, 'the post that waited');
    expect(titles()).toEqual([posted]);
    await retryRows(context, campaign, {}, { dryRun: false });
    await opened.until(() => (sandbox.counts()[created] ?? 0) === 2, 'the second post');
    await ended(id);
    expect(await states(id)).toEqual(['posted', 'posted']);
    expect(titles().toSorted()).toEqual(['Caption 1', 'Caption 2']);
  });

  it('an upload that is removed while it waits: its post does not go out without it', async () => {
    const { board, sandbox, id, ended, rows } = await holdUploads([photoRow('1', 3)]);
    expect((await board.change('PUT', `upload/${id}-0-0-upload-media-2/clean`)).status).toBe(204);
    sandbox.release();
    await ended(id);
    // Refused by its post, or, where the rescuer came by in time, put back and posted with all three.
    const [row] = await rows(id);
    expect(['media_not_uploaded', undefined]).toContain(row?.error?.code);
    const sent = sandbox
      .effects()
      .posts.map(({ request }) =>
        request.mediaType === 'PHOTO' ? request.socialShopPhoto.businessIds.length : 0,
      );
    expect(sent).toEqual(row?.error ? [] : [3]);
  });

  it('uploads that are to be emptied, cleaned or obliterated: refused, and all is posted', async () => {
    const { board, sandbox, id, ended } = await holdUploads([photoRow('1', 3), videoRow('2')]);
    const answers = [
      await board.change('PUT', 'upload/empty'),
      await board.change('PUT', 'upload/clean/wait'),
      await board.change('PUT', 'upload/obliterate', { force: true }),
      await board.change('PUT', `post/${id}-0-0-post/remove-unprocessed-children`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    sandbox.release();
    expect((await ended(id)).counts).toMatchObject({ posted: 2 });
  });

  it('a post removed with all below it: the rescuer recreates the flow, with one post', async () => {
    const { board, importOrUpdate, start, ended, look, untilCounted, titles } = await openBoard();
    await board.change('PUT', 'upload/pause');
    const id = await importOrUpdate([photoRow('1', 2)]);
    await start();
    await untilCounted('post', 'waiting-children', 1);
    expect((await board.change('PUT', `post/${id}-0-0-post/clean`)).status).toBe(204);
    expect((await look('upload', 'latest')).jobs).toEqual([]);
    await board.change('PUT', 'upload/resume');
    expect((await ended(id)).counts).toMatchObject({ posted: 1 });
    expect(titles()).toEqual(['Caption 1']);
  });

  it.for([
    ['a generation', 'generate', '0-0-generate-1'],
    ['a poll with its generation', 'poll', '0-0-poll'],
  ] as const)(
    '%s that is removed: no post goes out incomplete, and none is generated twice',
    async ([, queue, job]) => {
      const { board, sandbox, context, importOrUpdate, start, ended, untilCounted, ...opened } =
        await openBoard();
      await board.change('PUT', 'generate/pause');
      const id = await importOrUpdate([aiVideoRow('1')]);
      await start();
      await untilCounted('poll', 'waiting-children', 1);
      expect((await board.change('PUT', `${queue}/${id}-${job}/clean`)).status).toBe(204);
      await board.change('PUT', 'generate/resume');
      const campaign = await ended(id);
      // A poll makes a generation that is missing by itself; a post does not make a poll.
      if ((campaign.counts.failed ?? 0) > 0) {
        expect(opened.titles()).toEqual([]);
        await retryRows(context, campaign, {}, { dryRun: false });
        await opened.until(() => opened.titles().length === 1, 'the post');
        await ended(id);
      }
      expect(await opened.states(id)).toEqual(['posted']);
      expect(sandbox.effects().generations).toHaveLength(1);
    },
  );

  it('a generation whose polls are hurried: one generation, one post', async () => {
    const poll = { first: '60s', max: '60s', deadline: '5m' };
    const { board, sandbox, importOrUpdate, start, ended, until, titles } = await openBoard({
      generation: { poll },
    });
    const id = await importOrUpdate([aiVideoRow('1')]);
    await start();
    await until(async () => {
      await board.change('PUT', 'poll/promote');
      return titles().length > 0;
    }, 'the post');
    expect((await ended(id)).counts).toMatchObject({ posted: 1 });
    expect(sandbox.effects().generations).toHaveLength(1);
  });

  it('a completed post: it is not retried, and its job may go; there is no second post', async () => {
    const { board, sandbox, id, ended, untilCounted, titles } = await holdUploads(
      ['1', '2', '3'].map((key) => videoRow(key)),
    );
    sandbox.faults.add({ operation: created, kind: 'hold', when: 'before', skip: 1 });
    sandbox.release('putFile');
    await sandbox.whenHeld(created);
    const { jobs } = await untilCounted('post', 'completed', 1);
    expect((await board.change('PUT', `post/${jobs[0]?.id}/retry`)).status).toBe(403);
    expect((await board.change('PUT', 'post/retry/completed')).status).toBe(403);
    expect((await board.change('PUT', `post/${jobs[0]?.id}/clean`)).status).toBe(204);
    sandbox.release();
    expect((await ended(id)).counts).toMatchObject({ posted: 3 });
    expect(titles()).toHaveLength(3);
  });

  it('all failed posts retried, one of them in review: that one sends nothing', async () => {
    const opened = await openBoard(oneAttempt);
    const { board, sandbox, importOrUpdate, start, ended, until, untilCounted, states } = opened;
    sandbox.faults.add({ operation: created, kind: 'lost-answer', match: { title: 'Caption 1' } });
    sandbox.faults.add({ operation: created, kind: 'status', status: 400, match: { title: 'Caption 2' } });
    const id = await importOrUpdate(['1', '2', '3'].map((key) => videoRow(key)));
    await start();
    await ended(id);
    const answer = await board.change('PUT', 'post/retry/failed');
    expect(answer).toEqual({ status: 200, body: { retried: 2, skipped: 0 } });
    await until(() => sandbox.effects().posts.length === 3, 'the post of row 2');
    await untilCounted('post', 'failed', 1);
    await ended(id);
    expect(sandbox.counts()[created]).toBe(4);
    expect(await states(id)).toEqual(['review', 'posted', 'posted']);
  });
});
