import { expect, it, onTestFinished, vi } from 'vitest';
import { checkSettings } from '../../../../config/load.ts';
import { ProgressReader } from '../../../../src/app/campaigns/progress/reader.ts';
import type { Runtime } from '../../../../src/app/runtime/runtime.ts';
import { ServiceReach } from '../../../../src/ledger/service/service-reach.ts';
import type { Step } from '../../../../src/manifest/steps.ts';
import { Queues } from '../../../../src/queues/queues.ts';
import { rateLimitKey } from '../../../../src/queues/rate-limit-book.ts';
import { RateLimits } from '../../../../src/queues/rate-limits.ts';
import { postJobId } from '../../../../src/queues/row-jobs.ts';
import { asIf, testLedger } from '../../../support/ledger.ts';

const operation = 'createCreatorPost';
const rates = { default: { rate: 1, per: 60_000, burst: 1 } };

/** A campaign of 100 rows, of which as many as are wanted are said to have been posted, and who watches it. */
async function watchedCampaign() {
  const test = testLedger();
  const { ledger, redis, prefix, campaign, admit } = test;
  const id = await campaign(100, { isWhole: true });
  const queues = new Queues({ connection: redis, prefix, attempts: 3 });
  const retry = { base: 1000, cap: 60_000 };
  const rateLimits = new RateLimits({ redis, prefix, rateLimits: rates, retry });
  onTestFinished(async () => {
    rateLimits.close();
    await queues.close();
  });
  // Caches take a time of 0 for none.
  const clock = { now: 1 };
  const reach = new ServiceReach({ redis, keys: ledger.keys, host: 'hall' });
  const settings = checkSettings({ rateLimits: { default: { rate: 1, per: '60s', burst: 1 } } });
  const runtime = {
    ledger,
    queues,
    rateLimits,
    settings,
    redis: { connect: () => redis },
  } as unknown as Runtime;
  const reader = new ProgressReader(runtime, () => clock.now);
  const current = async () => {
    const found = await ledger.campaigns.find(id);
    if (!found) throw new Error('the campaign is missing');
    return reader.read(found);
  };
  const read = async (posted = 0) => {
    const rows = Array.from({ length: posted }, (_, row) => ({ row, state: 'posted' as const }));
    await asIf(test).ended(id, rows);
    return current();
  };
  /** A row of that campaign, or of another one, fails. */
  const fail = async (row: number, step: Step, of = id) => {
    await admit(of, [row]);
    const error = { step, code: 'http_400', message: 'It was refused.', at: 0 };
    const ref = { campaign: of, row, revision: 0, step, jobId: 'job' };
    await ledger.steps.finish({ ...ref, end: { verdict: 'failed', error } });
  };
  const bucket = rateLimitKey(prefix, operation);
  return {
    id,
    read,
    current,
    campaign,
    fail,
    clock,
    rateLimits,
    queues,
    reach,
    redis,
    bucket,
    presence: ledger.presence,
  };
}

it('counts the jobs of each step', async () => {
  const { id, read, queues } = await watchedCampaign();
  await queues.addFlows([
    { campaign: id, row: 0, revision: 0, plan: { uploads: [{ of: 'media', i: 0 }], generation: undefined } },
  ]);
  const { steps } = await read();
  expect(steps.upload).toMatchObject({ waiting: 1, active: 0, delayed: 0, failed: 0 });
});

it('counts rows that failed at each step, of this campaign only, as they come', async () => {
  const { current, fail, campaign, clock } = await watchedCampaign();
  await fail(0, 'upload');
  await fail(1, 'post');
  await fail(0, 'post', await campaign(1));
  expect((await current()).steps).toMatchObject({ upload: { failed: 1 }, post: { failed: 1 } });
  await fail(2, 'post');
  clock.now += 1001;
  expect((await current()).steps).toMatchObject({ upload: { failed: 1 }, post: { failed: 2 } });
});

it('shows the pace after a while, at most the rate limit of posts, and the remaining time as a range', async () => {
  const { read, clock } = await watchedCampaign();
  expect((await read(0)).pace).toBeUndefined();
  clock.now += 60_000;
  const { pace } = await read(50);
  expect(pace?.rowsPerMinute).toBeCloseTo(1);
  expect(pace?.remaining.least).toBeLessThanOrEqual(pace?.remaining.most ?? 0);
});

it('names the rate limit that calls wait for, and no other', async () => {
  const { read, rateLimits, clock } = await watchedCampaign();
  await rateLimits.take('createFileUpload', 0);
  await rateLimits.take(operation, 0);
  expect((await read()).heldBackBy).toEqual([]);
  await rateLimits.take(operation, 0);
  clock.now += 1001;
  expect((await read()).heldBackBy).toMatchObject([{ operation, pausedMs: 0, isThrottled: false }]);
});

it.for([
  ['still names it while the queue is snoozed', '0', -20_000, 1],
  ['does not once a call could begin, and none has looked for it', '1', -40_000, 0],
] as const)('%s', async ([, tokens, shortMs, holds]) => {
  const { read, rateLimits, redis, bucket } = await watchedCampaign();
  await rateLimits.take(operation, 0);
  await rateLimits.take(operation, 0);
  await redis.hincrbyfloat(bucket, 'short', shortMs);
  await redis.hset(bucket, 'tokens', tokens);
  expect((await read()).heldBackBy).toHaveLength(holds);
});

it('says which campaign goes first, and when the turn of this one is likely', async () => {
  const { id, read, rateLimits, clock, queues, campaign } = await watchedCampaign();
  const other = await campaign(50);
  await rateLimits.take(operation, 0);
  await rateLimits.take(operation, 0);
  const post = async (of: string, row: number) =>
    (await queues.queue('post')).add('post', {}, { jobId: postJobId({ campaign: of, row, revision: 0 }) });
  for (const row of [0, 1]) await post(other, row);
  await post(id, 0);
  clock.now += 1001;
  // One post a minute: two before it, or all fifty.
  expect((await read()).turn).toMatchObject({ behind: [{ id: other }], least: 120_000, most: 3_000_000 });
  await (await queues.queue('post')).remove(postJobId({ campaign: other, row: 0, revision: 0 }));
  await (await queues.queue('post')).remove(postJobId({ campaign: other, row: 1, revision: 0 }));
  clock.now += 1001;
  expect((await read()).turn).toBeUndefined();
});

it('shows a pause after a 429', async () => {
  const { read, rateLimits } = await watchedCampaign();
  await rateLimits.throttled(operation, 20_000);
  const [hold] = (await read()).heldBackBy;
  expect(hold).toMatchObject({ operation, isThrottled: true });
  expect(hold?.pausedMs).toBeGreaterThan(15_000);
});

it('shows the workers, and machines without an answer of the service', async () => {
  const { read, presence, reach } = await watchedCampaign();
  await presence.announce({ host: 'hall', pid: 7, version: '1', queues: ['post'], since: 0 }).beat();
  reach.failed('refused');
  expect(await read()).toMatchObject({
    workers: [{ host: 'hall', isAlive: true }],
    unreachable: [{ host: 'hall', reason: 'refused' }],
  });
});

it('shows which queues are paused', async () => {
  const { read, queues } = await watchedCampaign();
  await (await queues.queue('post')).pause();
  expect((await read()).pausedQueues).toEqual(['post']);
});

it('looks around once for all campaigns that are watched at the same time', async () => {
  const { current, presence } = await watchedCampaign();
  const looks = vi.spyOn(presence, 'workers');
  await Promise.all([current(), current(), current()]);
  expect(looks).toHaveBeenCalledTimes(1);
});

it('looks around again after a look that failed', async () => {
  const { current, presence } = await watchedCampaign();
  vi.spyOn(presence, 'workers').mockRejectedValueOnce(new Error('away'));
  await expect(current()).rejects.toThrow('away');
  expect((await current()).workers).toEqual([]);
});
