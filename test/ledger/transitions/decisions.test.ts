import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/ledger/states.ts';
import { type Decision, undoableMs, undoWindowMs } from '../../../src/ledger/transitions/decisions.ts';
import type { StepEnd } from '../../../src/ledger/transitions/step-outcomes.ts';
import { stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';

const result = { postId: 'by-hand', postStatus: '', fileIds: ['7'], at: 5000 };
const late = { postId: 'by-answer', postStatus: '', fileIds: ['7'], at: 5000 };
const error = { step: 'post' as const, code: 'outcome_unknown', message: 'no answer', at: 5 };
const record = (scheduleId: string) => JSON.stringify({ scheduleId, taskIds: [], outputs: 1, since: 5 });

const posted: Decision = { kind: 'posted', result, assets: [] };
const again: Decision = { kind: 'again', fields: [] };

/** A row in review whose call, by the attempt `a`, is of unknown outcome. */
async function inReview(effect: Effect = 'post') {
  const test = testLedger();
  const id = await test.campaign(1);
  await test.admit(id, [0]);
  const ref = { campaign: id, row: 0, revision: 0 };
  await test.ledger.steps.start({ ...stepStart(ref), effect, token: 'a' });
  const finish = (end: StepEnd) => {
    const step = effect === 'post' ? 'post' : 'generate';
    return test.ledger.steps.finish({ ...ref, step, jobId: 'job', effect, token: 'a', end });
  };
  await finish({ verdict: 'review', error });
  const decide = (decision: Decision, unknownEffect: Effect | undefined = effect) =>
    test.ledger.decisions.decide(ref, unknownEffect, decision);
  return { ...test, id, ref, finish, decide, row: async () => rowOf(test, id) };
}

async function rowOf({ ledger }: TestLedger, id: string) {
  const [outcome] = await ledger.rows.outcomes(id, 0);
  return outcome;
}

describe('a decision about a row in review', () => {
  it('records the post that a person has found', async () => {
    const { decide, row, ledger, id } = await inReview();
    expect(await decide(posted)).toEqual({ kind: 'decided', state: 'posted' });
    expect(await row()).toMatchObject({ state: 'posted', result, error: undefined });
    expect(await ledger.campaigns.find(id)).toMatchObject({
      state: 'ended',
      counts: { posted: 1, review: 0 },
    });
  });

  it('sends the row back in its next revision when nothing was posted', async () => {
    const { decide, row, ledger, id } = await inReview();
    expect(await decide(again)).toEqual({ kind: 'decided', state: 'waiting' });
    expect(await row()).toMatchObject({
      state: 'waiting',
      revision: 1,
      progress: { unknownEffect: undefined },
    });
    expect((await ledger.campaigns.find(id))?.state).toBe('running');
  });

  it('is made by one of two operators, and the other one sees the new state', async () => {
    const { decide, row } = await inReview();
    const decisions = await Promise.all([decide(posted), decide(again)]);
    expect(decisions).toEqual([
      { kind: 'decided', state: 'posted' },
      { kind: 'changed', state: 'posted' },
    ]);
    expect(await row()).toMatchObject({ state: 'posted', result });
  });

  it('is refused for a call that is not in doubt', async () => {
    const { decide, row } = await inReview('gen1');
    expect(await decide(posted, 'post')).toEqual({ kind: 'changed', state: 'review' });
    expect(await decide(again, 'gen2')).toEqual({ kind: 'changed', state: 'review' });
    expect((await row())?.state).toBe('review');
  });

  it('is refused for a row that does not exist', async () => {
    const { ledger, ref } = await inReview();
    expect(await ledger.decisions.decide({ ...ref, row: 9 }, 'post', posted)).toBeUndefined();
  });

  it('fails a row that must be changed first', async () => {
    const { decide, row, ledger, id } = await inReview();
    expect(await decide({ kind: 'failed', error: { ...error, code: 'late' } })).toMatchObject({
      state: 'failed',
    });
    expect((await row())?.error?.code).toBe('late');
    expect(await ledger.rows.inState(id, 'failed')).toEqual([0]);
  });

  it('cancels the row of a cancelled campaign instead of sending it again', async () => {
    const { ledger, id, decide, redis } = await inReview();
    await redis.hset(ledger.keys.campaign(id), 'cancelled-at', '1');
    expect(await decide(again)).toEqual({ kind: 'decided', state: 'cancelled' });
    expect((await ledger.campaigns.find(id))?.state).toBe('ended');
  });
});

describe('the answer of the same attempt that comes after the decision', () => {
  it('with another post than the one that was found: there are two, and a person must know', async () => {
    const { decide, finish, row } = await inReview();
    await decide(posted);
    expect(await finish({ verdict: 'posted', result: late, assets: [] })).toBe('late');
    expect(await row()).toMatchObject({
      state: 'review',
      error: { code: 'posted_twice', message: expect.stringContaining('by-hand and by-answer') },
    });
  });

  it('decides a row that was waiting to be sent again: it is not sent', async () => {
    const { decide, finish, row, ledger, ref } = await inReview();
    await decide(again);
    await finish({ verdict: 'posted', result: late, assets: [] });
    expect(await row()).toMatchObject({ state: 'posted', result: { postId: 'by-answer' } });
    const next = { ...stepStart({ ...ref, revision: 1 }), effect: 'post' as const, token: 'b' };
    expect(await ledger.steps.start(next)).toEqual({ kind: 'ended', state: 'posted' });
  });

  it('does not decide a row that is being sent again: the newer call does', async () => {
    const { decide, finish, row, ledger, ref, id, admit } = await inReview();
    await decide(again);
    await admit(id, [0]);
    const next = { ...ref, revision: 1 };
    await ledger.steps.start({ ...stepStart(next), effect: 'post', token: 'b' });
    expect(await finish({ verdict: 'posted', result: late, assets: [] })).toBe('late');
    expect((await row())?.state).toBe('running');
  });

  it.for(['failed', 'review'] as const)('does not end a row again as %s', async (verdict) => {
    const { decide, finish, row } = await inReview();
    await decide(again);
    expect(await finish({ verdict, error })).toBe('stale');
    expect((await row())?.state).toBe('waiting');
  });

  it('does not replace the schedule that was found', async () => {
    const { decide, finish, row } = await inReview('gen1');
    await decide({ kind: 'again', fields: [['gen1', record('found')]] });
    expect(await finish({ verdict: 'ok', fields: [['gen1', record('late')]] })).toBe('stale');
    expect((await row())?.progress?.generations.get(1)?.scheduleId).toBe('found');
  });

  it('replaces a new generation that has not been sent yet', async () => {
    const { decide, finish, row } = await inReview('gen1');
    await decide(again);
    await finish({ verdict: 'ok', fields: [['gen1', record('late')]] });
    expect((await row())?.progress?.generations.get(1)?.scheduleId).toBe('late');
  });
});

describe('a decided row', () => {
  it('goes on after its wait, and not before', async () => {
    const { decide, ledger, id, clock } = await inReview();
    await decide(again);
    clock.now += undoWindowMs - 1;
    expect(await ledger.admission.releaseHeld(id)).toBe(0);
    expect(await ledger.admission.rowsToRedo(id, 10)).toEqual([]);
    clock.now += 1;
    expect(await ledger.admission.releaseHeld(id)).toBe(1);
    expect(await ledger.admission.rowsToRedo(id, 10)).toEqual([0]);
    expect((await ledger.campaigns.find(id))?.held).toBe(0);
  });

  it('lets the admission sleep while no other row waits', async () => {
    const { decide, ledger, id, clock } = await inReview();
    await decide(again);
    expect(await ledger.admission.sleep(id, 0)).toBe('asleep');
    clock.now += undoWindowMs;
    await ledger.admission.releaseHeld(id);
    expect(await ledger.admission.sleep(id, 0)).toBe('awake');
  });

  it('is held no longer once a late answer has ended it', async () => {
    const { decide, finish, ledger, id, clock } = await inReview();
    await decide(again);
    await finish({ verdict: 'posted', result: late, assets: [] });
    expect((await ledger.campaigns.find(id))?.held).toBe(0);
    clock.now += undoWindowMs;
    expect(await ledger.admission.releaseHeld(id)).toBe(0);
  });
});

describe('a decision that is taken back', () => {
  const undone = { kind: 'undone', state: 'review' } as const;

  it.for([
    ['posted', posted],
    ['again', again],
    ['failed', { kind: 'failed', error: { ...error, code: 'late' } }],
  ] as const)('(%s) leaves the row as it was', async ([, decision]) => {
    const { decide, row, ledger, id } = await inReview();
    const before = await row();
    const campaign = await ledger.campaigns.find(id);
    await decide(decision);
    expect(await ledger.decisions.undo(id, 0)).toEqual(undone);
    expect(await row()).toEqual({ ...before, revision: decision.kind === 'again' ? 1 : 0 });
    const { counts, done, held } = (await ledger.campaigns.find(id)) ?? {};
    expect({ counts, done, held }).toEqual({ counts: campaign?.counts, done: campaign?.done, held: 0 });
    expect(await ledger.rows.inState(id, 'review')).toEqual([0]);
  });

  it('lets the late answer decide', async () => {
    const { decide, finish, row, ledger, id } = await inReview();
    await decide(posted);
    await ledger.decisions.undo(id, 0);
    await finish({ verdict: 'posted', result: late, assets: [] });
    expect((await row())?.result?.postId).toBe('by-answer');
  });

  it('can be replaced by another one', async () => {
    const { decide, row, ledger, id } = await inReview();
    await decide(posted);
    await ledger.decisions.undo(id, 0);
    expect(await decide(again)).toEqual({ kind: 'decided', state: 'waiting' });
    expect((await row())?.result).toBeUndefined();
  });

  it('forgets the generation that it named', async () => {
    const { decide, row, ledger, id } = await inReview('gen1');
    await decide({ kind: 'again', fields: [['gen1', record('found')]] });
    expect(await ledger.decisions.undo(id, 0)).toEqual(undone);
    expect((await row())?.progress).toMatchObject({ unknownEffect: 'gen1', generations: new Map() });
  });

  it('is refused once the row runs', async () => {
    const { decide, ledger, id, admit } = await inReview();
    await decide(again);
    await admit(id, [0]);
    expect(await ledger.decisions.undo(id, 0)).toEqual({ kind: 'changed', state: 'running' });
  });

  it('is refused once a late answer has told about the post', async () => {
    const { decide, finish, ledger, id } = await inReview();
    await decide(again);
    await finish({ verdict: 'posted', result: late, assets: [] });
    expect(await ledger.decisions.undo(id, 0)).toEqual({ kind: 'changed', state: 'posted' });
  });

  it('is refused once a late answer has told about the generation', async () => {
    const { decide, finish, row, ledger, id } = await inReview('gen1');
    await decide(again);
    await finish({ verdict: 'ok', fields: [['gen1', record('late')]] });
    expect(await ledger.decisions.undo(id, 0)).toEqual({ kind: 'changed', state: 'waiting' });
    expect((await row())?.progress?.generations.get(1)?.scheduleId).toBe('late');
  });

  it('is refused ten minutes later', async () => {
    const { decide, ledger, id, clock } = await inReview();
    await decide(posted);
    clock.now += undoableMs;
    expect(await ledger.decisions.undo(id, 0)).toEqual({ kind: 'none', state: 'posted' });
  });

  it('can be taken back only once', async () => {
    const { decide, ledger, id } = await inReview();
    await decide(posted);
    await ledger.decisions.undo(id, 0);
    expect(await ledger.decisions.undo(id, 0)).toEqual({ kind: 'none', state: 'review' });
  });
});
