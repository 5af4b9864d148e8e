/** Campaigns that are paused, cancelled, retried or deleted while a call is under way. */
import { expect, it } from 'vitest';
import { retryRows } from '../../../src/app/campaigns/retry/retry.ts';
import { cancelCampaign, deleteCampaign } from '../../../src/app/campaigns/steer.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { patiently, type SettingsSections } from '../../support/processes/scene.ts';
import { keysOf } from '../../support/redis/redis.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';

const created = 'createCreatorPost';
const byHand = { code: 'paused', message: 'by hand' };
const five = ['1', '2', '3', '4', '5'].map((key) => videoRow(key));

/** The sandbox holds the first post. */
async function openHeld(when: 'before' | 'after', settings: SettingsSections = {}) {
  const runner = await openRunner({ settings: { ...patiently, concurrency: { post: 1 }, ...settings } });
  const { runtime } = await openPages(runner);
  runner.sandbox.faults.add({ operation: created, kind: 'hold', when });
  const states = async (id: string) => (await runner.rows(id)).map(({ state }) => state).toSorted();
  const countOf = async (id: string, state: string) =>
    (await states(id)).filter((each) => each === state).length;
  const answered = () =>
    runner.until(
      async () => (await (await runtime.queues.queue('post')).getActiveCount()) === 0,
      'the answer',
    );
  return { ...runner, runtime, states, countOf, answered };
}

/** Five rows; four wait for their turn behind the first post. */
async function holdFirstPost(when: 'before' | 'after') {
  const held = await openHeld(when);
  const id = await held.importOrUpdate(five);
  await held.start();
  await held.sandbox.whenHeld(created);
  return { ...held, id };
}

it('a pause lets the call under way finish, and sends nothing further until it is resumed', async () => {
  const { sandbox, ledger, queues, id, until, countOf, ended } = await holdFirstPost('before');
  expect(await ledger.campaigns.pause(id, byHand)).toBe('paused');
  sandbox.release();
  await until(async () => (await countOf(id, 'posted')) === 1, 'the call under way');
  expect(sandbox.counts()[created]).toBe(1);
  expect(await ledger.campaigns.resume(id)).toBe('running');
  await queues.wakeAdmission(id);
  expect((await ended(id)).counts).toMatchObject({ posted: 5 });
  expect(sandbox.counts()[created]).toBe(5);
});

it('a cancellation cancels what was not sent; the call under way is decided by its answer', async () => {
  const { sandbox, context, id, until, states } = await holdFirstPost('after');
  expect(await cancelCampaign(context, id)).toEqual({
    cancelled: 4,
    review: 1,
    unusedAiOutputs: 0,
    unusedCost: null,
    was: 'running',
    state: 'ended',
    dryRun: false,
  });
  const cancelled = Array<string>(4).fill('cancelled');
  expect(await states(id)).toEqual([...cancelled, 'review']);
  sandbox.release();
  await until(async () => (await states(id)).includes('posted'), 'the answer');
  expect(await states(id)).toEqual([...cancelled, 'posted']);
  expect(sandbox.counts()[created]).toBe(1);
});

it('a cancellation stops a generation that is being polled', async () => {
  const poll = { first: '50ms', max: '200ms', deadline: '10m' };
  const { sandbox, context, importOrUpdate, start, ended, states } = await openHeld('before', {
    generation: { poll },
  });
  const id = await importOrUpdate([aiVideoRow('1', { creator: 'demo_ben', ai_prompt: '[stuck] Video 1' })]);
  await start();
  await sandbox.whenCalled('listAiTasksByScheduleId', 2);
  expect(await cancelCampaign(context, id)).toMatchObject({ cancelled: 1, review: 0 });
  await ended(id);
  expect(await states(id)).toEqual(['cancelled']);
});

it('a campaign that is cancelled twice at once has each row cancelled once', async () => {
  const { context, id } = await holdFirstPost('before');
  const both = await Promise.all([cancelCampaign(context, id), cancelCampaign(context, id)]);
  const sum = (name: 'cancelled' | 'review') => both.reduce((total, each) => total + (each?.[name] ?? 0), 0);
  expect([sum('cancelled'), sum('review')]).toEqual([4, 1]);
});

it('a retry and a cancellation at once leave no row waiting', async () => {
  const { sandbox, context, ledger, importOrUpdate, start, until, ended } = await openHeld('before');
  sandbox.faults.add({ operation: 'createFileUpload', kind: 'code', code: 50_001, times: 2 });
  const id = await importOrUpdate(five);
  await start();
  await sandbox.whenHeld(created);
  const campaign = await until(async () => {
    const found = await ledger.campaigns.find(id);
    return found?.counts.failed === 2 && found;
  }, 'two failures');
  // If the cancellation is quicker, the retry says so.
  const retried = retryRows(context, campaign, {}, { dryRun: false }).catch((error: unknown) =>
    expect(error).toMatchObject({ code: 'campaign_cancelled' }),
  );
  await Promise.all([retried, cancelCampaign(context, id)]);
  sandbox.release();
  expect((await ended(id)).counts).toMatchObject({ running: 0, waiting: 0 });
});

it('a campaign is not deleted while a call is under way or in doubt; then it goes with its jobs and keys', async () => {
  const { sandbox, runtime, context, redis, prefix, id, answered, countOf } = await holdFirstPost('after');
  const remains = async () =>
    (await keysOf(redis, prefix)).filter((key) => /:c:|:rows:|tombstones|:c1-/.test(key));
  await expect(deleteCampaign(runtime, id, { force: true })).rejects.toMatchObject({
    code: 'campaign_unfinished',
  });
  await cancelCampaign(context, id);
  await expect(deleteCampaign(runtime, id, { force: false })).rejects.toMatchObject({
    code: 'campaign_in_review',
  });
  sandbox.release();
  await answered();
  expect(await countOf(id, 'posted')).toBe(1);
  await deleteCampaign(runtime, id, { force: false });
  expect(await remains()).toEqual([]);
});

it('a campaign that is deleted by force while an answer is on its way: the answer changes nothing', async () => {
  const { sandbox, runtime, context, redis, prefix, id, answered } = await holdFirstPost('after');
  await cancelCampaign(context, id);
  await deleteCampaign(runtime, id, { force: true });
  sandbox.release();
  await answered();
  expect((await keysOf(redis, prefix)).filter((key) => /:c:|:rows:|tombstones/.test(key))).toEqual([]);
});
