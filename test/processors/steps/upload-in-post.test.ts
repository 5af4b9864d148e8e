import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SandboxOperation } from '../../../src/sandbox/description/operations.ts';
import { openRunner, type RunnerOptions, type TestRunner } from '../../support/in-process.ts';
import { bytesOf } from '../../support/sheets/media-bytes.ts';
import { photoRow, videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';

/** Runs rows to their end. @returns outcomes, and the steps that had runs, with the name of the job that made them. */
async function run(rows: readonly Cells[], options?: RunnerOptions, before?: (runner: TestRunner) => void) {
  const runner = await openRunner(options);
  before?.(runner);
  const id = await runner.importOrUpdate(rows);
  await runner.start();
  await runner.ended(id);
  const posted = (await runner.rows(id)).map(({ state }) => state);
  return { runner, id, posted };
}

async function uploadJobs({ queues }: TestRunner): Promise<number> {
  return (
    (await (await queues.queue('upload')).getJobCountByTypes('completed', 'failed', 'active', 'waiting')) ?? 0
  );
}

const fails = (operation: SandboxOperation, status: number) => (runner: TestRunner) =>
  runner.sandbox.faults.add({ operation, kind: 'status', status, times: 1 });

it('a row with one small file needs no job for its upload, which is counted all the same', async () => {
  const { runner, id, posted } = await run([videoRow('a')]);
  expect(posted).toEqual(['posted']);
  expect(await uploadJobs(runner)).toBe(0);
  expect(await runner.jobFinished(({ step }) => step === 'upload')).toMatchObject({
    outcome: 'done',
    row: 1,
  });
  expect(await runner.redis.hget(runner.ledger.keys.campaign(id), 'done:upload')).toBe('1');
});

it.for([
  ['several files', [photoRow('a', 2)], 2],
  ['a cover', [videoRow('a', { cover: 'cover.png' })], 2],
] as const)('a row with %s has a job for each upload', async ([, rows, jobs]) => {
  const { runner, posted } = await run(rows);
  expect(posted).toEqual(['posted']);
  expect(await uploadJobs(runner)).toBe(jobs);
});

it('a large file has a job of its own, which the post waits for', async () => {
  const runner = await openRunner();
  const id = await runner.importOrUpdate([videoRow('a')]);
  writeFileSync(join(runner.folder, 'a.mp4'), bytesOf('video/mp4', 8 * 1024 * 1024 + 1));
  await runner.start();
  expect(await runner.ended(id)).toMatchObject({ counts: { posted: 1 } });
  expect(await uploadJobs(runner)).toBe(1);
});

it.for([
  ['an error', fails('createFileUpload', 500), 'retry'],
  ['429', fails('createFileUpload', 429), 'throttled'],
] as const)(
  'after %s the upload has a job with all its attempts, and the row says so',
  async ([, fault, told]) => {
    const { runner, id, posted } = await run([videoRow('a')], {}, fault);
    expect(posted).toEqual(['posted']);
    expect(await uploadJobs(runner)).toBe(1);
    expect(await runner.jobFinished(({ step }) => step === 'upload')).toMatchObject({ outcome: told });
    expect(runner.sandbox.effects().posts).toHaveLength(1);
    expect(id).toBe('c1');
  },
);

it('a missing file fails the row at the step upload', async () => {
  const runner = await openRunner();
  const id = await runner.importOrUpdate([videoRow('a')]);
  rmSync(join(runner.folder, 'a.mp4'));
  await runner.start();
  await runner.ended(id);
  const [row] = await runner.rows(id);
  expect(row).toMatchObject({ state: 'failed', error: { step: 'upload', code: 'media_missing' } });
});

it('a paused queue of uploads holds back the uploads of posts', async () => {
  const runner = await openRunner();
  await (await runner.queues.queue('upload')).pause();
  const id = await runner.importOrUpdate([videoRow('a')]);
  await runner.start();
  await runner.jobFinished(({ step, outcome }) => step === 'post' && outcome === 'wait-for-children');
  expect(runner.sandbox.calls('createFileUpload')).toHaveLength(0);
  await (await runner.queues.queue('upload')).resume();
  expect(await runner.ended(id)).toMatchObject({ counts: { posted: 1 } });
});

it('a paused queue of posts holds up no upload', async () => {
  const runner = await openRunner();
  await (await runner.queues.queue('post')).pause();
  const id = await runner.importOrUpdate([videoRow('a')]);
  await runner.start();
  await runner.jobFinished(({ step }) => step === 'upload');
  await (await runner.queues.queue('post')).resume();
  expect(await runner.ended(id)).toMatchObject({ counts: { posted: 1 } });
});

it('a process that takes no uploads makes none', async () => {
  const runner = await openRunner({ queues: ['campaign', 'showcase', 'post'] });
  await runner.importOrUpdate([videoRow('a')]);
  await runner.start();
  await runner.jobFinished(({ step, outcome }) => step === 'post' && outcome === 'wait-for-children');
  expect(await uploadJobs(runner)).toBe(1);
  expect(runner.sandbox.calls('createFileUpload')).toHaveLength(0);
});

it('no more posts are under way than the setting says, however many files are uploaded at once', async () => {
  let underWay = 0;
  let most = 0;
  const rows = Array.from({ length: 12 }, (_, index) => videoRow(`${index}`));
  const { posted } = await run(rows, {
    settings: { concurrency: { post: 2 } },
    relay: {},
    failpoint: (name) => {
      if (name === 'after-journal') underWay += 1;
      if (name === 'after-answer') underWay -= 1;
      most = Math.max(most, underWay);
    },
  });
  expect(posted).toEqual(Array(12).fill('posted'));
  expect(most).toBeLessThanOrEqual(2);
});

it('a post whose file is uploaded does not wait behind uploads', async () => {
  const { promise: passed, resolve: pass } = Promise.withResolvers<void>();
  const runner = await openRunner({ settings: { concurrency: { upload: 1, post: 1 } } });
  await runner.start();
  const first = await runner.importRows([videoRow('a')]);
  const again = await runner.importRows([videoRow('again', { media: 'a.mp4' })]);
  await runner.queues.wakeAdmission(first);
  await runner.ended(first);
  const { upload } = runner.context.uploads;
  runner.context.uploads.upload = function held(request, ask) {
    return upload.call(this, request, async (...given) => {
      const claim = await ask(...given);
      await passed;
      return claim;
    });
  };
  const slow = await runner.importOrUpdate([videoRow('slow'), videoRow('slower')]);
  await runner.jobFinished(({ outcome }) => outcome === 'wait-for-children');
  await runner.queues.wakeAdmission(again);
  expect(await runner.ended(again)).toMatchObject({ counts: { posted: 1 } });
  expect((await runner.rows(slow)).map(({ state }) => state)).toEqual(['running', 'running']);
  pass();
  expect(await runner.ended(slow)).toMatchObject({ counts: { posted: 2 } });
});

it('a post that is tried again uploads nothing twice', async () => {
  const { runner, posted } = await run([videoRow('a')], {}, fails('createCreatorPost', 429));
  expect(posted).toEqual(['posted']);
  expect(runner.sandbox.calls('createFileUpload')).toHaveLength(1);
});

it('rows that share a small file upload it once', async () => {
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key, { media: 'shared.mp4' }));
  const { runner, posted } = await run(rows);
  expect(posted).toEqual(['posted', 'posted', 'posted']);
  expect(runner.sandbox.calls('createFileUpload')).toHaveLength(1);
});

it('a refused upload is refused once, and its failed job can be run again', async () => {
  const { runner, id, posted } = await run([videoRow('a')], {}, fails('createFileUpload', 400));
  expect(posted).toEqual(['failed']);
  expect(runner.sandbox.calls('createFileUpload')).toHaveLength(1);
  const [job] = await (await runner.queues.queue('upload')).getFailed();
  await job?.retry();
  await runner.until(async () => (await runner.rows(id))[0]?.state === 'posted', 'the post');
});
