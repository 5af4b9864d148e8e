import { describe, expect, it } from 'vitest';
import { testLedger } from '../../support/ledger.ts';
import {
  answer,
  error,
  finish,
  outcomeOf,
  reconcile,
  record,
  unknownRows,
} from '../../support/sheets/unknown-rows.ts';

describe('a row of unknown outcome', () => {
  it('tells when its post was sent', async () => {
    const test = testLedger();
    const [row] = await unknownRows(test, 1);
    expect(row?.unknownCall.sentAt).toBe(test.clock.now);
  });

  it('is posted with the record that was claimed for it', async () => {
    const test = testLedger();
    const [row] = await unknownRows(test, 1);
    if (!row) return expect.unreachable();
    await reconcile(test, row);
    expect(await outcomeOf(test, row.ref)).toMatchObject({
      state: 'posted',
      result: record,
      error: undefined,
    });
    expect(await test.ledger.campaigns.find(row.ref.campaign)).toMatchObject({
      counts: { review: 0, posted: 1 },
      done: { post: 1 },
    });
    expect(await test.ledger.rows.inState(row.ref.campaign, 'review')).toEqual([]);
  });

  it('stays as it is without a claim, and when it was decided otherwise', async () => {
    const test = testLedger();
    const [row] = await unknownRows(test, 1);
    if (!row) return expect.unreachable();
    expect(await test.ledger.publishing.reconcile(row.ref, row.unknownCall, record)).toBe(false);
    await test.ledger.publishing.claim(row.ref, record.postId);
    await finish(test, row.ref, { verdict: 'cleared' });
    expect(await test.ledger.publishing.reconcile(row.ref, row.unknownCall, record)).toBe(false);
    expect(await outcomeOf(test, row.ref)).toMatchObject({ state: 'waiting' });
  });

  it('takes a note only while it is of unknown outcome', async () => {
    const test = testLedger();
    const [row] = await unknownRows(test, 1);
    if (!row) return expect.unreachable();
    const { publishing } = test.ledger;
    const noted = { ...error, note: 'not found' };
    expect(await publishing.recordNote(row.ref, row.unknownCall, noted)).toBe(true);
    expect(await outcomeOf(test, row.ref)).toMatchObject({ error: noted });
    await reconcile(test, row);
    expect(await publishing.recordNote(row.ref, row.unknownCall, noted)).toBe(false);
    expect(await outcomeOf(test, row.ref)).toMatchObject({ error: undefined });
  });
});

describe('a record', () => {
  it.for([
    ['failed', { verdict: 'failed', error }, 'failed'],
    ['cleared', { verdict: 'cleared' }, 'waiting'],
  ] as const)(
    'that was taken for a row is let go when its own call turns out to have been refused: %s',
    async ([, end, state]) => {
      const test = testLedger();
      const [one, other] = await unknownRows(test, 2);
      if (!one || !other) return expect.unreachable();
      await reconcile(test, one);
      await finish(test, one.ref, end);
      expect(await outcomeOf(test, one.ref)).toMatchObject({ state });
      expect(await test.ledger.campaigns.find(one.ref.campaign)).toMatchObject({
        counts: { posted: 0 },
        done: { post: 0 },
      });
      expect(await test.ledger.publishing.claim(other.ref, record.postId)).toBe(true);
    },
  );

  it('belongs to one row', async () => {
    const test = testLedger();
    const [one, other] = await unknownRows(test, 2);
    if (!one || !other) return expect.unreachable();
    await reconcile(test, one);
    expect(await test.ledger.publishing.claim(other.ref, record.postId)).toBe(false);
    expect(await test.ledger.publishing.reconcile(other.ref, other.unknownCall, record)).toBe(false);
    expect(await outcomeOf(test, other.ref)).toMatchObject({ state: 'review' });
  });

  it('belongs to one row of all campaigns', async () => {
    const test = testLedger();
    const [one] = await unknownRows(test, 1);
    const [other] = await unknownRows(test, 1);
    if (!one || !other) return expect.unreachable();
    expect(await test.ledger.publishing.claim(one.ref, record.postId)).toBe(true);
    expect(await test.ledger.publishing.claim(other.ref, record.postId)).toBe(false);
  });
});

describe('a late answer', () => {
  it('agrees with the record of its row', async () => {
    const test = testLedger();
    const [row] = await unknownRows(test, 1);
    if (!row) return expect.unreachable();
    await reconcile(test, row);
    expect(await finish(test, row.ref, answer('p1'))).toBe('ok');
    expect(await test.ledger.campaigns.find(row.ref.campaign)).toMatchObject({
      counts: { posted: 1 },
      done: { post: 1 },
    });
  });

  it('has the last word over the record, which is free then', async () => {
    const test = testLedger();
    const [one, other] = await unknownRows(test, 2);
    if (!one || !other) return expect.unreachable();
    await reconcile(test, one);
    expect(await finish(test, one.ref, answer('p2'))).toBe('ok');
    expect(await outcomeOf(test, one.ref)).toMatchObject({ state: 'posted', result: { postId: 'p2' } });
    await reconcile(test, other);
  });

  it('of another row sends the row that took its record back to review', async () => {
    const test = testLedger();
    const [one, other] = await unknownRows(test, 2);
    if (!one || !other) return expect.unreachable();
    await reconcile(test, one);
    expect(await finish(test, other.ref, answer('p1'))).toBe('ok');
    expect(await outcomeOf(test, other.ref)).toMatchObject({ state: 'posted', result: { postId: 'p1' } });
    expect(await outcomeOf(test, one.ref)).toMatchObject({
      state: 'review',
      result: undefined,
      error: { code: 'outcome_unknown' },
    });
    expect(await test.ledger.publishing.unknownCalls(one.ref.campaign, [0])).toEqual([one.unknownCall]);
    expect(await test.ledger.campaigns.find(one.ref.campaign)).toMatchObject({
      counts: { posted: 1, review: 1 },
      done: { post: 1 },
    });
  });

  it('finds no claim of a row that has not taken its record yet', async () => {
    const test = testLedger();
    const [one, other] = await unknownRows(test, 2);
    if (!one || !other) return expect.unreachable();
    await test.ledger.publishing.claim(one.ref, 'p1');
    await finish(test, other.ref, answer('p1'));
    expect(await test.ledger.publishing.reconcile(one.ref, one.unknownCall, record)).toBe(false);
    expect(await outcomeOf(test, one.ref)).toMatchObject({ state: 'review' });
  });
});
