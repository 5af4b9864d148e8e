import { describe, expect, it } from 'vitest';
import { retryNow, stepStart, testLedger } from '../../support/ledger.ts';

const result = { postId: 'p1', postStatus: '', fileIds: ['7'], at: 5 };
const error = { step: 'upload' as const, code: 'media_missing', message: 'no such file', at: 5 };

describe('cancelling a campaign', () => {
  it('cancels what waits and runs, leaves what has ended, and ends the campaign', async () => {
    const test = testLedger();
    const id = await test.campaign(1203);
    await test.admit(id, [0, 1]);
    const finish = { campaign: id, row: 0, revision: 0, step: 'upload' as const, jobId: 'job' };
    await test.ledger.steps.finish({ ...finish, end: { verdict: 'failed', error } });
    expect(await test.ledger.cancellation.begin(id)).toBe('cancelling');
    const first = await test.ledger.cancellation.cancelRows(id, 0, 1000);
    expect(first).toEqual({ cancelled: 999, review: 0, ran: [{ row: 1, revision: 0 }] });
    expect((await test.ledger.campaigns.find(id))?.state).toBe('cancelling');
    await test.ledger.cancellation.cancelRows(id, 1000, 1000);
    expect(await test.ledger.campaigns.find(id)).toMatchObject({
      state: 'ended',
      endedAt: test.clock.now,
      counts: { waiting: 0, running: 0, failed: 1, cancelled: 1202 },
    });
    expect((await test.ledger.rows.statuses(id, 1202, 1))[0]).toEqual({ state: 'cancelled', revision: 0 });
  });

  it('finds nothing left the second time', async () => {
    const test = testLedger();
    const id = await test.campaign(3);
    await test.ledger.cancellation.begin(id);
    await test.ledger.cancellation.cancelRows(id, 0, 3);
    expect(await test.ledger.cancellation.begin(id)).toBe('ended');
    expect(await test.ledger.cancellation.cancelRows(id, 0, 3)).toEqual({ cancelled: 0, review: 0, ran: [] });
  });

  it('of an ended campaign is the end of its rows in review: a decision cancels them', async () => {
    const test = testLedger();
    const id = await test.campaign(1);
    await test.admit(id, [0]);
    const ref = { campaign: id, row: 0, revision: 0 };
    const attempt = { effect: 'post', token: 't1' } as const;
    await test.ledger.steps.start({ ...stepStart(ref), ...attempt });
    const end = { verdict: 'review', error } as const;
    await test.ledger.steps.finish({ ...ref, ...attempt, step: 'post', jobId: 'job', end });
    expect(await test.ledger.cancellation.begin(id)).toBe('ended');
    expect(await test.ledger.campaigns.find(id)).toMatchObject({
      cancelledAt: test.clock.now,
      counts: { review: 1 },
    });
    await test.ledger.decisions.decide(ref, 'post', { kind: 'again', fields: [] });
    expect(await test.ledger.campaigns.find(id)).toMatchObject({ state: 'ended', counts: { cancelled: 1 } });
  });

  it('changes nothing of an ended campaign without rows in review', async () => {
    const test = testLedger();
    const id = await test.campaign(1);
    await test.admit(id, [0]);
    const finish = { campaign: id, row: 0, revision: 0, step: 'upload' as const, jobId: 'job' };
    await test.ledger.steps.finish({ ...finish, end: { verdict: 'failed', error } });
    expect(await test.ledger.cancellation.begin(id)).toBe('ended');
    expect(await test.ledger.campaigns.find(id)).toMatchObject({ cancelledAt: undefined });
  });

  it('admits and begins nothing after the mark', async () => {
    const test = testLedger();
    const id = await test.campaign(3);
    await test.admit(id, [0]);
    await test.ledger.cancellation.begin(id);
    await test.admit(id, [1]);
    expect((await test.ledger.campaigns.find(id))?.counts).toMatchObject({ waiting: 2, running: 1 });
    const start = stepStart({ campaign: id, row: 0, revision: 0 });
    expect(await test.ledger.steps.start(start)).toEqual({ kind: 'paused' });
    expect(await test.ledger.campaigns.pause(id, { code: 'paused', message: '' })).toBe('cancelling');
    expect(await test.ledger.campaigns.resume(id)).toBe('cancelling');
  });

  it('cancels a row that waits to be done again', async () => {
    const test = testLedger();
    const id = await test.campaign(1);
    await test.admit(id, [0]);
    const finish = { campaign: id, row: 0, revision: 0, step: 'upload' as const, jobId: 'job' };
    await test.ledger.steps.finish({ ...finish, end: { verdict: 'failed', error } });
    await retryNow(test.ledger, id, [0]);
    await test.ledger.cancellation.begin(id);
    await test.ledger.cancellation.cancelRows(id, 0, 1);
    expect((await test.ledger.campaigns.find(id))?.counts).toMatchObject({ waiting: 0, cancelled: 1 });
    expect(await test.ledger.admission.rowsToRedo(id, 10)).toEqual([]);
  });
});

describe('a call under way when its campaign is cancelled', () => {
  async function underWay(effect: 'post' | 'gen1') {
    const test = testLedger();
    const id = await test.campaign(2);
    await test.admit(id, [0]);
    const ref = { campaign: id, row: 0, revision: 0 };
    await test.ledger.steps.start({ ...stepStart(ref), effect, token: 'a' });
    await test.ledger.cancellation.begin(id);
    expect(await test.ledger.cancellation.cancelRows(id, 0, 2)).toMatchObject({ cancelled: 1, review: 1 });
    const step = effect === 'post' ? ('post' as const) : ('generate' as const);
    const finish = { ...ref, step, jobId: 'job', effect, token: 'a' } as const;
    const counts = async () => (await test.ledger.campaigns.find(id))?.counts;
    const state = async () => (await test.ledger.campaigns.find(id))?.state;
    return { ...test, id, finish, counts, state };
  }

  it('leaves its row in review, where the campaign can end', async () => {
    const { ledger, id, counts, state } = await underWay('post');
    expect(await counts()).toMatchObject({ review: 1, cancelled: 1 });
    expect(await state()).toBe('ended');
    expect((await ledger.rows.errors(id, [0]))[0]).toMatchObject({ code: 'outcome_unknown', step: 'post' });
  });

  it('decides the row when the answer comes: posted wins', async () => {
    const { ledger, finish, counts } = await underWay('post');
    await ledger.steps.finish({ ...finish, end: { verdict: 'posted', result, assets: [] } });
    expect(await counts()).toMatchObject({ posted: 1, review: 0, cancelled: 1 });
  });

  it('cancels the row when the answer says that nothing was sent', async () => {
    const { ledger, finish, counts, state } = await underWay('post');
    await ledger.steps.finish({ ...finish, end: { verdict: 'cleared' } });
    expect(await counts()).toMatchObject({ review: 0, cancelled: 2 });
    expect(await state()).toBe('ended');
  });

  it('cancels the row when its generation was created, and keeps the schedule', async () => {
    const { ledger, finish, counts, id } = await underWay('gen1');
    const record = { scheduleId: 's1', taskIds: [], outputs: 1, since: 5 };
    await ledger.steps.finish({
      ...finish,
      end: { verdict: 'ok', fields: [['gen1', JSON.stringify(record)]] },
    });
    expect(await counts()).toMatchObject({ review: 0, cancelled: 2 });
    expect((await ledger.rows.progress(id, 0)).generations.get(1)).toEqual(record);
  });
});

describe('a cancelled campaign', () => {
  it('does not revive a failed row for the job that failed it', async () => {
    const test = testLedger();
    const id = await test.campaign(2);
    await test.admit(id, [0]);
    const ref = { campaign: id, row: 0, revision: 0 };
    const finish = { ...ref, step: 'upload' as const, jobId: 'job' };
    await test.ledger.steps.finish({ ...finish, end: { verdict: 'failed', error } });
    await test.ledger.cancellation.begin(id);
    await test.ledger.cancellation.cancelRows(id, 0, 2);
    expect(await test.ledger.steps.start(stepStart(ref))).toEqual({ kind: 'ended', state: 'failed' });
  });

  it('cancels a row that a retry sends back at the same moment', async () => {
    const test = testLedger();
    const id = await test.campaign(2);
    await test.admit(id, [0]);
    const finish = { campaign: id, row: 0, revision: 0, step: 'upload' as const, jobId: 'job' };
    await test.ledger.steps.finish({ ...finish, end: { verdict: 'failed', error } });
    await test.ledger.cancellation.begin(id);
    await retryNow(test.ledger, id, [0]);
    await test.ledger.cancellation.cancelRows(id, 0, 2);
    expect(await test.ledger.campaigns.find(id)).toMatchObject({
      state: 'ended',
      counts: { waiting: 0, failed: 0, cancelled: 2 },
    });
  });
});
