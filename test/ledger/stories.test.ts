import { expect, it } from 'vitest';
import type { StepEnd } from '../../src/ledger/steps.ts';
import { testLedger } from '../support/ledger.ts';

const posted: StepEnd = {
  verdict: 'posted',
  result: { postId: 'post-1', postStatus: 'SCHEDULED', fileIds: ['1'], at: Date.UTC(2026, 5, 1) },
  assets: [],
};
const uploaded: StepEnd = { verdict: 'ok', fields: [['file:0', '1']] };
const failed = (message: string): StepEnd => ({
  verdict: 'failed',
  error: { step: 'upload', code: 'media_missing', message, at: 5 },
});

/** A campaign with one running row. */
async function runningRow() {
  const test = testLedger();
  const { ledger, clock } = test;
  const id = await test.campaign(1);
  await test.admit(id, [0]);
  let revision = 0;
  return {
    ...test,
    id,
    /** Ends a step, a second after the last. */
    async finish(step: 'upload' | 'post', end: StepEnd) {
      clock.now += 1000;
      await ledger.steps.finish({ campaign: id, row: 0, revision, step, jobId: 'job', end });
    },
    async retry() {
      await ledger.rows.redo(id, [0]);
      const found = await ledger.campaigns.find(id);
      revision += 1;
      await ledger.admission.admit({
        campaign: id,
        number: found?.admissions ?? 0,
        cursor: 1,
        groups: [],
        rows: [{ row: 0, revision, atOnce: false, fields: [] }],
      });
    },
    story: async () =>
      (await ledger.stories.read(id, 0)).map(({ step = '-', outcome, message = '', times }) =>
        [step, outcome, message, ...(times > 1 ? [times] : [])].join(' ').trim(),
      ),
  };
}

it('a row that failed keeps every attempt, after its post, too', async () => {
  const row = await runningRow();
  await row.finish('upload', failed('no such file'));
  await row.retry();
  await row.finish('upload', uploaded);
  await row.finish('post', posted);
  expect(await row.story()).toEqual([
    'upload failed media_missing: no such file',
    '- retried',
    'upload ok',
    'post posted post-1',
  ]);
});

it('a row that came through at the first try keeps only its times', async () => {
  const row = await runningRow();
  await row.finish('upload', uploaded);
  await row.finish('post', posted);
  expect(await row.story()).toEqual([]);
  expect(await row.ledger.rows.outcome(row.id, 0)).toMatchObject({ result: { tookSeconds: 1 } });
  expect(await row.redis.exists(row.ledger.keys.stories(row.id))).toBe(0);
});

it('an attempt that ended no row is told', async () => {
  const row = await runningRow();
  const rows = [{ row: 0, revision: 0 }];
  await row.ledger.stories.tell(row.id, rows, {
    step: 'upload',
    outcome: 'retry',
    message: 'server_error: 500',
  });
  await row.finish('post', posted);
  expect(await row.story()).toEqual(['upload retry server_error: 500', 'post posted post-1']);
});

it('unsuccessful polls in a row are one entry', async () => {
  const row = await runningRow();
  for (const message of ['first', 'second', 'third']) {
    const attempt = { step: 'poll', outcome: 'again', message } as const;
    await row.ledger.stories.tell(row.id, [{ row: 0, revision: 0 }], attempt);
  }
  await row.finish('upload', uploaded);
  expect(await row.story()).toEqual(['poll again third 3', 'upload ok']);
});

it('has at most fifty entries of three hundred characters, and cuts none within a character', async () => {
  const row = await runningRow();
  for (let count = 1; count <= 30; count++) {
    await row.finish('upload', failed(`${count} ${'夏'.repeat(400)}`));
    await row.retry();
  }
  const story = await row.ledger.stories.read(row.id, 0);
  expect(story).toHaveLength(50);
  expect(story.at(-2)?.message).toMatch(/^media_missing: 30 夏+\.\.\.$/);
  const stored = (await row.redis.hget(row.ledger.keys.progress(row.id, 0), 'story')) ?? '';
  for (const line of stored.split('\n')) expect(line.length).toBeLessThanOrEqual(300);
});

it('tells what a person decided', async () => {
  const row = await runningRow();
  const error = { step: 'post', code: 'late', message: 'too late', at: 5 } as const;
  await row.finish('post', { verdict: 'review', error });
  const ref = { campaign: row.id, row: 0, revision: 0 };
  await row.ledger.decisions.decide(ref, undefined, { kind: 'posted', ...posted });
  expect(await row.story()).toEqual(['post review late: too late', '- decided: posted post-1']);
});
