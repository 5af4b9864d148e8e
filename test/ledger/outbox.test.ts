/** The outbox: which transitions write which events, once, and within bounds. */
import { describe, expect, it } from 'vitest';
import { type NotificationEvent, notificationEvents } from '../../config/notify.ts';
import type { CampaignEvent, OutboxEvent } from '../../src/ledger/outbox.ts';
import type { StepEnd } from '../../src/ledger/transitions/step-outcomes.ts';
import { ledgerOn, retryNow, type TestLedger, testLedger } from '../support/ledger.ts';
import { keysOf, redisNamespace } from '../support/redis/redis.ts';

const tenMinutes = 600_000;
const postedAs = (postId: string) =>
  ({
    verdict: 'posted',
    result: { postId, postStatus: 'CREATED', at: 0, fileIds: [] },
    assets: [],
  }) as const satisfies StepEnd;
const posted = postedAs('p');
const ended = (verdict: 'failed' | 'review', code: string): StepEnd => ({
  verdict,
  error: { step: 'post', code, message: 'said', at: 0 },
});

async function wanting(events: readonly NotificationEvent[] = notificationEvents): Promise<TestLedger> {
  const test = testLedger();
  await test.ledger.outbox.want(events);
  return test;
}

/** Ends rows from the first on, each as given. */
async function endRows({ ledger }: TestLedger, campaign: string, ends: readonly StepEnd[], revision = 0) {
  for (const [row, end] of ends.entries()) {
    await ledger.steps.finish({ campaign, row, revision, step: 'upload', jobId: 'job', end });
  }
}

/** A campaign whose rows have ended. @returns its id. */
async function endedCampaign(test: TestLedger, ends: readonly StepEnd[]): Promise<string> {
  const id = await test.campaign(ends.length);
  await test.admit(id, [...ends.keys()]);
  await endRows(test, id, ends);
  return id;
}

/** Events that are due now. They are handed out to one receiver. */
async function take({ ledger }: TestLedger): Promise<readonly OutboxEvent[]> {
  const due = await ledger.outbox.due(1000);
  for (const { id } of due) await ledger.outbox.handOut(id, '{}', ['r']);
  return due;
}

const refused = ended('failed', 'refused');
const unknown = ended('review', 'outcome_unknown');

describe('the end of a campaign', () => {
  it('is told once, with its counts', async () => {
    const test = await wanting();
    const campaign = await endedCampaign(test, [posted, refused, unknown]);
    const counts = { waiting: 0, running: 0, posted: 1, failed: 1, review: 1, cancelled: 0 };
    expect(await take(test)).toMatchObject([
      { event: 'campaign.ended', campaign, name: 'test', at: test.clock.now, counts, reason: undefined },
    ]);
    expect(await take(test)).toEqual([]);
  });

  it('is told anew after a retry, under another id', async () => {
    const test = await wanting();
    const campaign = await endedCampaign(test, [refused]);
    const [first] = await take(test);
    await retryNow(test.ledger, campaign, [0]);
    expect(await take(test)).toEqual([]);
    await test.admit(campaign, [0]);
    await endRows(test, campaign, [posted], 1);
    const [second, ...others] = await take(test);
    expect(second).toMatchObject({ event: 'campaign.ended', counts: { posted: 1, failed: 0 } });
    expect(others).toEqual([]);
    expect(second?.id).not.toBe(first?.id);
  });

  it('is told of a cancelled campaign', async () => {
    const test = await wanting();
    const campaign = await test.campaign(2);
    await test.ledger.cancellation.begin(campaign);
    await test.ledger.cancellation.cancelRows(campaign, 0, 2);
    expect(await take(test)).toMatchObject([{ event: 'campaign.ended', counts: { cancelled: 2 } }]);
  });
});

describe('a pause', () => {
  it('is told with its reason, each time', async () => {
    const test = await wanting();
    const campaign = await test.campaign(1);
    const reason = { code: 'paused', message: 'Paused by a person.' };
    await test.ledger.campaigns.pause(campaign, reason);
    await test.ledger.campaigns.pause(campaign, reason);
    expect(await take(test)).toMatchObject([{ event: 'campaign.paused', campaign, reason }]);
    await test.ledger.campaigns.resume(campaign);
    await test.ledger.campaigns.pause(campaign, reason);
    expect(await take(test)).toMatchObject([{ event: 'campaign.paused' }]);
  });

  it('by the canary is told', async () => {
    const test = await wanting();
    const campaign = await test.campaign(2, { canary: 1 });
    await test.admit(campaign, [0]);
    await endRows(test, campaign, [posted]);
    expect(await take(test)).toMatchObject([{ event: 'campaign.paused', reason: { code: 'canary' } }]);
  });
});

describe('rows that need a decision', () => {
  it('are told together after ten minutes, by code', async () => {
    const test = await wanting(['review.waiting']);
    const campaign = await test.campaign(5);
    await test.admit(campaign, [0, 1, 2, 3]);
    await endRows(test, campaign, [unknown, refused, ended('review', 'late'), unknown]);
    test.clock.now += tenMinutes - 1;
    expect(await take(test)).toEqual([]);
    test.clock.now += 1;
    expect(await take(test)).toMatchObject([
      { event: 'review.waiting', campaign, counts: undefined, codes: { outcome_unknown: 2, late: 1 } },
    ]);
  });

  it('are counted anew for the next message', async () => {
    const test = await wanting(['review.waiting']);
    const campaign = await test.campaign(3);
    await test.admit(campaign, [0, 1]);
    await endRows(test, campaign, [unknown]);
    test.clock.now += tenMinutes;
    await take(test);
    await endRows(test, campaign, [posted, ended('review', 'late')]);
    expect(await take(test)).toEqual([]);
    test.clock.now += tenMinutes;
    expect(await take(test)).toMatchObject([{ event: 'review.waiting', codes: { late: 1 } }]);
  });

  it('do not wait for the ten minutes when nobody will be there', async () => {
    const test = await wanting(['review.waiting']);
    const campaign = await endedCampaign(test, [unknown]);
    await endedCampaign(test, [unknown]);
    await test.ledger.outbox.endGathering([campaign]);
    expect(await take(test)).toMatchObject([{ event: 'review.waiting', campaign }]);
  });

  it('of two campaigns are not mixed', async () => {
    const test = await wanting(['review.waiting']);
    const campaigns = [await endedCampaign(test, [unknown]), await endedCampaign(test, [unknown, unknown])];
    test.clock.now += tenMinutes;
    expect(await take(test)).toMatchObject([
      { campaign: campaigns[0], codes: { outcome_unknown: 1 } },
      { campaign: campaigns[1], codes: { outcome_unknown: 2 } },
    ]);
  });

  it('cannot fill an event with codes', async () => {
    const test = await wanting(['review.waiting']);
    await endedCampaign(
      test,
      Array.from({ length: 100 }, (_, row) => ended('review', `code-${row}`)),
    );
    test.clock.now += tenMinutes;
    const [event] = (await take(test)) as readonly CampaignEvent[];
    const codes = event?.codes ?? {};
    expect(Object.keys(codes).length).toBeLessThanOrEqual(50);
    expect(Object.values(codes).reduce((sum, rows) => sum + rows, 0)).toBe(100);
  });
});

it('posts that were not published are told together after ten minutes, and rows that failed otherwise are not', async () => {
  const test = await wanting(['post.failed']);
  const campaign = await endedCampaign(test, [posted, postedAs('q'), refused]);
  const { ledger } = test;
  const failures = await Promise.all(
    [0, 1].map(async (row) => ({
      row,
      before: (await ledger.rows.outcome(campaign, row))?.result ?? posted.result,
      postStatus: 'FAILED',
      error: { step: 'post', code: 'publishing_failed', message: 'said', at: 0 } as const,
    })),
  );
  expect(await ledger.failedPosts.fail(campaign, failures)).toHaveLength(2);
  test.clock.now += tenMinutes;
  expect(await take(test)).toMatchObject([{ event: 'post.failed', campaign, codes: {}, rows: [0, 1] }]);
});

describe('the outbox', () => {
  it('gets no event that nobody wants', async () => {
    const test = testLedger();
    await endedCampaign(test, [refused]);
    expect((await keysOf(test.redis, test.prefix)).filter((key) => key.includes(':outbox'))).toEqual([]);
  });

  it('forgets in time what nobody wants any longer', async () => {
    const { redis, ledger } = await wanting();
    const left = await redis.pttl(ledger.keys.outbox('wanted'));
    expect(left).toBeGreaterThan(0);
  });

  it('forgets it also while others are still wanted', async () => {
    const test = await wanting(['campaign.paused', 'campaign.ended']);
    const { redis, ledger } = test;
    test.clock.now += 8 * 86_400_000;
    await ledger.outbox.want(['campaign.ended']);
    expect(await redis.hkeys(ledger.keys.outbox('wanted'))).toEqual(['campaign.ended']);
  });

  it('keeps at most 1,000 events: the oldest give way', async () => {
    const test = await wanting(['campaign.paused']);
    const campaign = await test.campaign(1);
    for (let count = 0; count < 1005; count += 1) {
      test.clock.now += 1;
      await test.ledger.campaigns.pause(campaign, { code: 'paused', message: String(count) });
      await test.ledger.campaigns.resume(campaign);
    }
    const due = await test.ledger.outbox.due(2000);
    expect(due).toHaveLength(1000);
    expect(due[0]).toMatchObject({ reason: { message: '5' } });
    const hashes = (await keysOf(test.redis, test.prefix)).filter((key) => key.includes(':outbox:e:'));
    expect(hashes).toHaveLength(1000);
  });

  it('hands out an event once, whoever comes first', async () => {
    const test = await wanting();
    await endedCampaign(test, [posted]);
    const [event] = await test.ledger.outbox.due(1);
    const id = event?.id ?? '';
    expect(await test.ledger.outbox.handOut(id, '{"a":1}', ['one', 'two'])).toBe(true);
    expect(await test.ledger.outbox.handOut(id, '{"b":1}', ['one'])).toBe(false);
    expect(await test.ledger.outbox.message(id, 'two')).toEqual({ body: '{"a":1}', since: test.clock.now });
  });

  it('drops an event when its last receiver has it, and keeps no trace', async () => {
    const test = await wanting(['campaign.ended']);
    await endedCampaign(test, [posted]);
    const { outbox } = test.ledger;
    const [event] = await outbox.due(1);
    const id = event?.id ?? '';
    await outbox.handOut(id, '{}', ['one', 'two']);
    await outbox.end(id, 'one');
    expect(await outbox.message(id, 'one')).toBeUndefined();
    expect(await outbox.open()).toMatchObject([{ id, receiver: 'two', problem: '' }]);
    await outbox.noteProblem(id, 'two', 'HTTP 500');
    expect(await outbox.open()).toMatchObject([{ problem: 'HTTP 500' }]);
    await outbox.end(id, 'two');
    await outbox.noteProblem(id, 'two', 'too late');
    expect(await outbox.pending()).toBe(0);
    const left = (await keysOf(test.redis, test.prefix)).filter((key) => key.includes(':outbox'));
    expect(left.map((key) => key.split(':').at(-1))).toEqual(['number', 'wanted']);
  });

  it('gives events of another ledger other ids', async () => {
    const ids = [];
    for (const ledgerId of ['one', 'two']) {
      const { redis, prefix } = redisNamespace();
      const test = ledgerOn(redis, prefix);
      await redis.hset(`${prefix}:format`, 'ledger', ledgerId);
      await test.ledger.outbox.want(['campaign.ended']);
      await endedCampaign(test, [posted]);
      ids.push((await take(test))[0]?.id);
    }
    expect(ids[0]).toMatch(/^msg_one_\d+_1$/);
    expect(ids[1]).toMatch(/^msg_two_\d+_1$/);
  });
});

it('rows that turn out to have two posts are told together after ten minutes', async () => {
  const test = await wanting(['post.twice']);
  const campaign = await endedCampaign(test, [posted, postedAs('q'), refused]);
  const late = (row: number, postId: string) =>
    test.ledger.steps.finish({
      campaign,
      row,
      revision: 0,
      step: 'post',
      jobId: 'job',
      effect: 'post',
      token: 'late',
      end: postedAs(postId),
    });
  for (const row of [0, 1]) expect(await late(row, `second-${row}`)).toBe('late');
  expect(await take(test)).toEqual([]);
  test.clock.now += tenMinutes;
  expect(await take(test)).toMatchObject([{ event: 'post.twice', campaign, codes: { posted_twice: 2 } }]);
});
