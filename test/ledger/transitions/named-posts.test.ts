import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/ledger/transitions/decisions.ts';
import { testLedger } from '../../support/ledger.ts';
import {
  answer,
  finish,
  outcomeOf,
  record as publishedRecord,
  type UnknownRow,
  unknownRows,
} from '../../support/sheets/unknown-rows.ts';

const record = (scheduleId: string) => JSON.stringify({ scheduleId, taskIds: [], outputs: 1, since: 5 });
const error = { step: 'post' as const, code: 'outcome_unknown', message: 'no answer', at: 5 };

describe('a post that a person names', () => {
  const byHand = (postId: string): Decision => ({
    kind: 'posted',
    result: { ...publishedRecord, postId },
    assets: ['https://a/1'],
  });

  /** Two campaigns of one doubtful row each, as two operators see them. */
  async function twoRows() {
    const test = testLedger();
    const [one] = await unknownRows(test, 1);
    const [other] = await unknownRows(test, 1);
    if (!one || !other) return expect.unreachable();
    const decide = ({ ref }: UnknownRow, postId = 'p1') =>
      test.ledger.decisions.decide(ref, 'post', byHand(postId));
    return { test, one, other, decide };
  }

  it('is given to one of two rows, also of other campaigns', async () => {
    const { test, one, other, decide } = await twoRows();
    expect(await Promise.all([decide(one), decide(other)])).toEqual([
      { kind: 'decided', state: 'posted' },
      { kind: 'changed', state: 'review' },
    ]);
    expect(await outcomeOf(test, other.ref)).toMatchObject({ state: 'review', result: undefined });
    expect(await test.ledger.publishing.unknownCalls(other.ref.campaign, [0])).toEqual([other.unknownCall]);
    expect(await test.ledger.publishing.claim(other.ref, 'p1')).toBe(false);
  });

  it('is free again once the decision is taken back', async () => {
    const { test, one, other, decide } = await twoRows();
    await decide(one);
    await test.ledger.decisions.undo(one.ref.campaign, 0);
    expect(await decide(other)).toEqual({ kind: 'decided', state: 'posted' });
  });

  it('is not given to a row while it was another row’s that has failed', async () => {
    const { test, one, other, decide } = await twoRows();
    await decide(one);
    const failure = { row: 0, before: { ...publishedRecord, postId: 'p1' }, postStatus: 'FAILED', error };
    expect(await test.ledger.failedPosts.fail(one.ref.campaign, [failure])).toHaveLength(1);
    expect(await decide(other)).toEqual({ kind: 'changed', state: 'review' });
  });

  it('stays its row’s when the search that claimed it comes too late, and it was not published', async () => {
    const { test, one, other, decide } = await twoRows();
    await test.ledger.publishing.claim(one.ref, 'p1');
    await decide(one);
    const failure = { row: 0, before: { ...publishedRecord, postId: 'p1' }, postStatus: 'FAILED', error };
    await test.ledger.failedPosts.fail(one.ref.campaign, [failure]);
    expect(await test.ledger.publishing.reconcile(one.ref, one.unknownCall, publishedRecord)).toBe(false);
    expect(await test.ledger.publishing.claim(other.ref, 'p1')).toBe(false);
  });

  it('stays its row’s, and cannot be taken back, once the answer of its call names it too', async () => {
    const { test, one, other, decide } = await twoRows();
    await decide(one);
    await finish(test, one.ref, answer('p1'));
    expect(await test.ledger.decisions.undo(one.ref.campaign, 0)).toEqual({ kind: 'none', state: 'posted' });
    expect(await outcomeOf(test, one.ref)).toMatchObject({ state: 'posted', result: { postId: 'p1' } });
    expect(await decide(other)).toEqual({ kind: 'changed', state: 'review' });
  });

  it('stays its row’s when a late answer brings another post', async () => {
    const { test, one, other, decide } = await twoRows();
    await decide(one);
    await finish(test, one.ref, answer('p2'));
    expect(await outcomeOf(test, one.ref)).toMatchObject({ error: { code: 'posted_twice' } });
    expect(await test.ledger.publishing.claim(other.ref, 'p1')).toBe(false);
  });

  it('is not given to a row once the late answer of another row has brought it', async () => {
    const { test, one, other, decide } = await twoRows();
    await finish(test, other.ref, answer('p1'));
    expect(await decide(one)).toEqual({ kind: 'changed', state: 'review' });
    expect(await outcomeOf(test, other.ref)).toMatchObject({ state: 'posted', result: { postId: 'p1' } });
  });

  it('is given to a row although a search that was cut off had claimed it for another one', async () => {
    const { test, one, other, decide } = await twoRows();
    await test.ledger.publishing.claim(one.ref, 'p1');
    expect(await decide(other)).toEqual({ kind: 'decided', state: 'posted' });
    expect(await test.ledger.publishing.reconcile(one.ref, one.unknownCall, publishedRecord)).toBe(false);
  });

  it('goes to the row whose answer brings it: the decided one is of unknown outcome again, with its progress', async () => {
    const { test, one, other, decide } = await twoRows();
    const { ledger } = test;
    await ledger.steps.finish({
      ...one.ref,
      step: 'upload',
      jobId: 'job',
      end: { verdict: 'ok', fields: [['gen1', record('s1')]] },
    });
    await decide(one);
    expect(await finish(test, other.ref, answer('p1'))).toBe('ok');
    expect(await outcomeOf(test, other.ref)).toMatchObject({ state: 'posted', result: { postId: 'p1' } });
    expect(await outcomeOf(test, one.ref)).toMatchObject({ state: 'review', result: undefined });
    expect(await ledger.publishing.unknownCalls(one.ref.campaign, [0])).toEqual([one.unknownCall]);
    expect(await ledger.rows.progress(one.ref.campaign, 0)).toMatchObject({
      files: new Map([[0, '7']]),
      assets: ['https://a/1'],
      generations: new Map([[1, expect.objectContaining({ scheduleId: 's1' })]]),
    });
    expect(await finish(test, one.ref, answer('p2'))).toBe('ok');
    expect(await outcomeOf(test, one.ref)).toMatchObject({ state: 'posted', result: { postId: 'p2' } });
  });
});
