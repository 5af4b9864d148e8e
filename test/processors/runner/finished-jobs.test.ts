/** What workers tell of each run of a job. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openRunner } from '../../support/in-process.ts';
import { photoRow, videoRow } from '../../support/sheets/rows.ts';

const milliseconds = expect.any(Number);

it('names campaign, row, step and queue of a step, and how long it waited and ran', async () => {
  const runner = await openRunner();
  const id = await runner.importOrUpdate([videoRow('a'), videoRow('b')]);
  await runner.start();
  expect(await runner.jobFinished(({ step, row }) => step === 'post' && row === 2)).toEqual({
    campaign: id,
    row: 2,
    step: 'post',
    queue: 'post',
    job: `${id}-1-0-post`,
    outcome: 'done',
    attempt: 1,
    waitMs: milliseconds,
    runMs: milliseconds,
  });
});

it('names all rows of a group', async () => {
  const runner = await openRunner();
  const id = await runner.importOrUpdate([videoRow('a'), videoRow('b')]);
  await runner.start();
  const finished = await runner.jobFinished(({ step }) => step === 'showcase');
  expect(finished).toMatchObject({ campaign: id, rows: [1, 2], queue: 'showcase', outcome: 'done' });
});

it('names what the jobs of the queue campaign do', async () => {
  const runner = await openRunner({ queues: ['campaign'] });
  const id = await runner.importOrUpdate([videoRow('a')]);
  await runner.start();
  expect(await runner.jobFinished(({ step }) => step === 'admission')).toMatchObject({
    campaign: id,
    queue: 'campaign',
  });
  expect(await runner.jobFinished(({ step }) => step === 'rescuer')).not.toHaveProperty('campaign');
});

it('tells the code of a failure', async () => {
  const runner = await openRunner();
  runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'status', status: 422, body: 'no' });
  await runner.importOrUpdate([videoRow('a')]);
  await runner.start();
  const finished = await runner.jobFinished(({ step }) => step === 'post');
  expect(finished).toMatchObject({ outcome: 'refused', code: 'http_422' });
});

it('counts attempts, and tells no wait of a job that comes again', async () => {
  const runner = await openRunner();
  runner.sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 500, times: 1 });
  await runner.importOrUpdate([photoRow('a', 2)]);
  await runner.start();
  const first = await runner.jobFinished(({ step, outcome }) => step === 'upload' && outcome === 'retry');
  expect(first).toMatchObject({ code: 'server_error', attempt: 1 });
  const second = await runner.jobFinished(({ step, attempt }) => step === 'upload' && attempt === 2);
  expect(second).toMatchObject({ outcome: 'done', waitMs: undefined });
});

it('also reports a run that ended without an outcome', async () => {
  const runner = await openRunner({ queues: ['campaign'] });
  const id = await runner.importRows([videoRow('a')]);
  await runner.redis.hset(runner.ledger.keys.campaign(id), 'header', 'not JSON');
  await runner.queues.wakeAdmission(id);
  await runner.start();
  const finished = await runner.jobFinished(({ step }) => step === 'admission');
  expect(finished).toMatchObject({ outcome: 'error', attempt: 1 });
});

it('is in the log at debug', async () => {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, next) {
      lines.push(JSON.parse(String(chunk)));
      next();
    },
  });
  const runner = await openRunner({ log: pino({ level: 'debug' }, stream) });
  const id = await runner.importOrUpdate([videoRow('a')]);
  await runner.start();
  await runner.jobFinished(({ step }) => step === 'post');
  expect(lines).toContainEqual(
    expect.objectContaining({ campaign: id, row: 1, step: 'post', outcome: 'done', msg: 'job' }),
  );
});
