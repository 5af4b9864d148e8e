/** URLs of finished generations expire: the task list of their schedule names fresh ones, and nothing is generated a second time. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openRunner, type RunnerOptions } from '../../support/in-process.ts';
import { aiPhotoRow, aiVideoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';

const list = 'listAiTasksByScheduleId';

/**
 * A storage in front of the sandbox's: each look into a task list gives its results other URLs. Those that a row has when its uploads
 * begin answer with `status`.
 */
async function openExpiring(status: number, { isFresh = true, ...options }: Expiring = {}) {
  let looks = 0;
  let expired = 0;
  let origin = '';
  const server = createServer(async (request, response) => {
    const [, look, path] = /^\/look-(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
    if (Number(look) <= expired) return response.writeHead(status).end();
    const file = await fetch(`${origin}${path}`);
    response.writeHead(file.status, { 'content-type': file.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await file.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const storage = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const runner = await openRunner({
    ...options,
    settings: { media: { allowPrivateAddresses: ['127.0.0.1'] }, ...options.settings },
    relay: {
      answered: (text, { target }) => {
        if (!target.includes('listByScheduleId')) return text;
        if (expired === 0 || isFresh) looks += 1;
        return text.replaceAll(/http:\/\/127\.0\.0\.1:\d+(?=\/assets\/)/g, (found) => {
          origin = found;
          return `${storage}/look-${looks}`;
        });
      },
    },
  });
  /** Plays a row. @param then what happens between the end of its generation and its uploads. */
  const play = async (cells: Cells, then: () => void = () => undefined) => {
    await (await runner.queues.queue('upload')).pause();
    const id = await runner.importOrUpdate([cells]);
    await runner.start();
    await runner.jobFinished(({ step, outcome }) => step === 'poll' && outcome === 'done');
    expired = looks;
    then();
    await (await runner.queues.queue('upload')).resume();
    await runner.ended(id);
    return { row: (await runner.rows(id))[0], generations: runner.sandbox.effects().generations.length };
  };
  return { runner, play };
}

interface Expiring extends Pick<RunnerOptions, 'settings'> {
  /** Whether looks after the expiry give other URLs. */
  readonly isFresh?: boolean;
}

it.for([403, 404, 410])(
  'a result whose URL answers HTTP %i is fetched from the URL that the task list names now',
  async (status) => {
    const { runner, play } = await openExpiring(status);
    const { row, generations } = await play(aiVideoRow('clip'));
    expect(row).toMatchObject({ state: 'posted', assets: [expect.stringMatching(/\/look-\d+\/.*mp4$/)] });
    expect(generations).toBe(1);
    expect(runner.sandbox.effects().posts).toHaveLength(1);
  },
);

it('every output of a post keeps its place', async () => {
  const { runner, play } = await openExpiring(403);
  const { row } = await play(aiPhotoRow('album', 3));
  expect(row?.state).toBe('posted');
  const numbers = (row?.assets ?? []).map((url) => /\/(\d)\.png/.exec(url)?.[1]);
  expect(numbers).toEqual(['0', '1', '2']);
  expect(runner.sandbox.effects().posts).toHaveLength(1);
});

it('outputs of several generations keep their places', async () => {
  const { play } = await openExpiring(403, { settings: { generation: { retries: 1 } } });
  const { row, generations } = await play(aiPhotoRow('album', 3, { ai_prompt: '[fail:2] pictures' }));
  expect(row?.state).toBe('posted');
  expect(generations).toBe(2);
});

it('a result that the service names no fresh URL of fails the row, which says what a retry does', async () => {
  const { runner, play } = await openExpiring(410, { isFresh: false });
  const { row, generations } = await play(aiVideoRow('clip'));
  expect(row).toMatchObject({
    state: 'failed',
    error: { step: 'upload', code: 'result_expired', fix: expect.stringContaining('costs nothing') },
  });
  expect(generations).toBe(1);
  expect(runner.sandbox.calls('createFileUpload')).toHaveLength(0);
});

it('a schedule that the service no longer knows fails the row in the same way', async () => {
  const { runner, play } = await openExpiring(403);
  const { row } = await play(aiVideoRow('clip'), () =>
    runner.sandbox.faults.add({ operation: list, kind: 'status', status: 404, times: 'always' }),
  );
  expect(row).toMatchObject({ state: 'failed', error: { code: 'result_expired' } });
});

it('a list that fails for a moment is asked again', async () => {
  const { runner, play } = await openExpiring(403);
  const { row } = await play(aiVideoRow('clip'), () =>
    runner.sandbox.faults.add({ operation: list, kind: 'status', status: 500, times: 1 }),
  );
  expect(row?.state).toBe('posted');
});
