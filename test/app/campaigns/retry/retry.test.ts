import { expect, it } from 'vitest';
import { resumeCreator, retryRows } from '../../../../src/app/campaigns/retry/retry.ts';
import type { Campaign } from '../../../../src/ledger/campaigns/campaign.ts';
import { hint } from '../../../../src/manifest/problems/hint.ts';
import { openRunner } from '../../../support/in-process.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

/** Two failed rows, one of a creator whose authorization has expired since. */
async function failedRows() {
  const runner = await openRunner({ settings: { retry: { attempts: 1 } } });
  const operation = 'createFileUpload';
  runner.sandbox.faults.add({ operation, kind: 'status', status: 500, times: 2 });
  const rows = [
    videoRow('a', { product_source: 'SHOP' }),
    videoRow('b', { product_source: 'SHOP', creator: 'demo_ben' }),
  ];
  const id = await runner.importOrUpdate(rows);
  await runner.start();
  const campaign = await runner.ended(id);
  const ben = (await runner.ledger.campaigns.creators(id)).get('demo_ben');
  await runner.ledger.creators.openBreaker(ben?.creatorId ?? '', 'It has expired.');
  return { ...runner, id, campaign };
}

async function retryAll({ context }: Awaited<ReturnType<typeof failedRows>>, campaign: Campaign) {
  // The service is asked nothing.
  const service = { need: () => expect.unreachable() };
  return retryRows({ ...context, service }, campaign, {}, { dryRun: false });
}

it('a retry of chosen rows sends the failed ones, and reports the others', async () => {
  const { context, ledger, campaign } = await failedRows();
  const service = { need: () => expect.unreachable() };
  const chosen = (rows: readonly string[], dryRun: boolean) =>
    retryRows({ ...context, service }, campaign, { rows }, { dryRun });
  await expect(chosen(['a', 'none'], false)).rejects.toMatchObject({ code: 'row_not_found' });
  const planned = await chosen(['a', 'b', 'a'], true);
  expect(planned).toMatchObject({ matched: 2, leftOut: [{ creator: 'demo_ben', rows: 1 }] });
  expect(await chosen(['a'], false)).toMatchObject({ matched: 1, rows: 1, leftOut: [] });
  const again = await chosen(['a', 'b'], true);
  expect(again.matched).toBe(1);
  expect(again.leftOut).toContainEqual({
    state: 'waiting',
    rows: 1,
    why: 'starts without a retry',
    commands: [],
  });
  expect((await ledger.rows.statuses(campaign.id, 1, 1))[0]).toMatchObject({ state: 'failed', revision: 0 });
});

it('a retry by a key and by a choice of rows takes what matches both', async () => {
  const { context, campaign } = await failedRows();
  const service = { need: () => expect.unreachable() };
  const retry = (row: string, ...rows: readonly string[]) =>
    retryRows({ ...context, service }, campaign, { row, rows }, { dryRun: true });
  await expect(retry('none', 'a')).rejects.toMatchObject({ code: 'row_not_found' });
  expect(await retry('a', 'b')).toMatchObject({ matched: 0, rows: 0 });
  expect(await retry('a', 'a', 'b')).toMatchObject({ matched: 1 });
});

it('a creator is resumed, and rows are found, by the link of the profile', async () => {
  const runner = await openRunner({ settings: { retry: { attempts: 1 } } });
  const operation = 'createFileUpload';
  runner.sandbox.faults.add({ operation, kind: 'status', status: 500, times: 1 });
  const link = 'https://www.video.example/@demo_ben?lang=en';
  const id = await runner.importOrUpdate([videoRow('a', { product_source: 'SHOP', creator: link })]);
  await runner.start();
  const campaign = await runner.ended(id);
  for (const creator of [link, '@demo_ben', 'video.example/@demo_ben']) {
    const found = await Array.fromAsync(runner.ledger.query.all(campaign, { state: 'failed', creator }));
    expect(found.flat()).toEqual([0]);
  }
  const service = { need: () => expect.unreachable() };
  expect(await resumeCreator({ ...runner.context, service }, id, link)).toMatchObject({ wasOpen: false });
});

it('a retry goes by the campaign as it is now, however old the one that is given', async () => {
  const runner = await failedRows();
  const counts = { ...runner.campaign.counts, waiting: 2, failed: 0 };
  const result = await retryAll(runner, { ...runner.campaign, counts });
  expect(result.leftOut.map(({ state }) => state)).not.toContain('waiting');
});

it('a retry leaves out the rows of a creator on hold, and keeps their errors', async () => {
  const runner = await failedRows();
  const result = await retryAll(runner, runner.campaign);
  expect(result).toMatchObject({
    matched: 2,
    rows: 1,
    leftOut: [
      {
        state: 'failed',
        rows: 1,
        creator: 'demo_ben',
        commands: [
          hint('resumeCreator', { campaign: runner.id, creator: 'demo_ben' }),
          // It did not fail because of the authorization.
          hint('retry', { campaign: runner.id, creator: 'demo_ben' }),
        ],
      },
    ],
  });
  await runner.ended(runner.id);
  const rows = await runner.rows(runner.id);
  expect(rows.map(({ state, error }) => [state, error?.code])).toEqual([
    ['posted', undefined],
    ['failed', 'server_error'],
  ]);
});

it('a job of such a row that is run again in Bull Board sends nothing, and says what to do', async () => {
  const runner = await failedRows();
  const queue = await runner.queues.queue('upload');
  const failed = await queue.getFailed();
  const job = failed.find(({ data }) => data.r === 1);
  await job?.retry('failed', { resetAttemptsMade: true });
  await runner.jobFinished(({ outcome }) => outcome === 'row-ended');
  const again = await runner.until(async () => {
    const found = await queue.getJob(job?.id ?? '');
    return (await found?.isFailed()) && found;
  }, 'the job to fail again');
  expect(again.failedReason).toContain(`resume campaign ${runner.id} for this creator`);
  expect((await runner.rows(runner.id))[1]).toMatchObject({
    state: 'failed',
    error: { code: 'server_error' },
  });
});
