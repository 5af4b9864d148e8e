import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepEnd } from '../../src/ledger/steps.ts';
import { postOwners } from '../../src/processors/records/owners.ts';
import { stepStart, type TestLedger, testLedger } from '../support/ledger.ts';

const error = { step: 'post' as const, code: 'outcome_unknown', message: 'lost', at: 1 };
const record = { postId: 'p1', postStatus: 'SCHEDULED', fileIds: ['7'], at: 1000 };
const answer = (postId: string): StepEnd => ({
  verdict: 'posted',
  result: { ...record, postId },
  assets: [],
});

/** A campaign whose rows are all in review, each because its post's outcome is unknown. */
async function doubtfulRows(test: TestLedger, count: number) {
  const campaign = await test.campaign(count);
  const rows = Array.from({ length: count }, (_, row) => row);
  await test.admit(campaign, rows);
  for (const row of rows) {
    const ref = { campaign, row, revision: 0 };
    await test.ledger.steps.start({ ...stepStart(ref), effect: 'post', token: `t${row}` });
    await finish(test, ref, { verdict: 'review', error });
  }
  const doubts = await test.ledger.publishing.doubts(campaign, rows);
  return rows.map((row) => {
    const doubt = doubts[row];
    if (!doubt) throw new Error(`row ${row} is not in doubt`);
    return { ref: { campaign, row, revision: 0 }, doubt };
  });
}

type DoubtfulRow = Awaited<ReturnType<typeof doubtfulRows>>[number];
type DoubtfulRef = DoubtfulRow['ref'];

function finish({ ledger }: TestLedger, ref: DoubtfulRef, end: StepEnd) {
  const attempt = { step: 'post', jobId: 'job', effect: 'post', token: `t${ref.row}` } as const;
  return ledger.steps.finish({ ...ref, ...attempt, end });
}

async function outcomeOf({ ledger }: TestLedger, { campaign, row }: DoubtfulRef) {
  return (await ledger.rows.outcomes(campaign, 0))[row];
}

async function reconcile(test: TestLedger, { ref, doubt }: DoubtfulRow) {
  expect(await test.ledger.publishing.claim(ref, record.postId)).toBe(true);
  expect(await test.ledger.publishing.reconcile(ref, doubt, record)).toBe(true);
}

describe('a row in doubt', () => {
  it('tells when its post was sent', async () => {
    const test = testLedger();
    const [row] = await doubtfulRows(test, 1);
    expect(row?.doubt.sentAt).toBe(test.clock.now);
  });

  it('is posted with the record that was claimed for it', async () => {
    const test = testLedger();
    const [row] = await doubtfulRows(test, 1);
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
    const [row] = await doubtfulRows(test, 1);
    if (!row) return expect.unreachable();
    expect(await test.ledger.publishing.reconcile(row.ref, row.doubt, record)).toBe(false);
    await test.ledger.publishing.claim(row.ref, record.postId);
    await finish(test, row.ref, { verdict: 'cleared' });
    expect(await test.ledger.publishing.reconcile(row.ref, row.doubt, record)).toBe(false);
    expect(await outcomeOf(test, row.ref)).toMatchObject({ state: 'waiting' });
  });

  it('takes a note only while it is in doubt', async () => {
    const test = testLedger();
    const [row] = await doubtfulRows(test, 1);
    if (!row) return expect.unreachable();
    const { publishing } = test.ledger;
    const noted = { ...error, note: 'not found' };
    expect(await publishing.note(row.ref, row.doubt, noted)).toBe(true);
    expect(await outcomeOf(test, row.ref)).toMatchObject({ error: noted });
    await reconcile(test, row);
    expect(await publishing.note(row.ref, row.doubt, noted)).toBe(false);
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
      const [one, other] = await doubtfulRows(test, 2);
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
    const [one, other] = await doubtfulRows(test, 2);
    if (!one || !other) return expect.unreachable();
    await reconcile(test, one);
    expect(await test.ledger.publishing.claim(other.ref, record.postId)).toBe(false);
    expect(await test.ledger.publishing.reconcile(other.ref, other.doubt, record)).toBe(false);
    expect(await outcomeOf(test, other.ref)).toMatchObject({ state: 'review' });
  });

  it('belongs to one row of all accounts', async () => {
    const test = testLedger();
    const [one] = await doubtfulRows(test, 1);
    const [other] = await doubtfulRows(test, 1);
    if (!one || !other) return expect.unreachable();
    await test.redis.hset(test.ledger.keys.campaign(other.ref.campaign), 'account', 'north');
    expect(await test.ledger.publishing.claim(one.ref, record.postId)).toBe(true);
    expect(await test.ledger.publishing.claim(other.ref, record.postId)).toBe(false);
  });

  it('claimed by an earlier version stays claimed', async () => {
    const test = testLedger();
    const [one, other] = await doubtfulRows(test, 2);
    if (!one || !other) return expect.unreachable();
    const claims = test.ledger.keys.account('default', 'claims');
    await test.redis.hset(claims, record.postId, `${one.ref.campaign} 0`);
    expect(await test.ledger.publishing.claim(other.ref, record.postId)).toBe(false);
    await reconcile(test, one);
    await finish(test, one.ref, { verdict: 'cleared' });
    expect(await test.ledger.publishing.claim(other.ref, record.postId)).toBe(true);
  });

  it('can be claimed by another row once it is released', async () => {
    const test = testLedger();
    const [one, other] = await doubtfulRows(test, 2);
    if (!one || !other) return expect.unreachable();
    await test.ledger.publishing.claim(one.ref, record.postId);
    await test.ledger.publishing.release(one.ref, one.doubt, record.postId);
    await reconcile(test, other);
    expect(await outcomeOf(test, other.ref)).toMatchObject({ state: 'posted' });
  });
});

describe('a late answer', () => {
  it('agrees with the record of its row', async () => {
    const test = testLedger();
    const [row] = await doubtfulRows(test, 1);
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
    const [one, other] = await doubtfulRows(test, 2);
    if (!one || !other) return expect.unreachable();
    await reconcile(test, one);
    expect(await finish(test, one.ref, answer('p2'))).toBe('ok');
    expect(await outcomeOf(test, one.ref)).toMatchObject({ state: 'posted', result: { postId: 'p2' } });
    await reconcile(test, other);
  });

  it('of another row sends the row that took its record back to review', async () => {
    const test = testLedger();
    const [one, other] = await doubtfulRows(test, 2);
    if (!one || !other) return expect.unreachable();
    await reconcile(test, one);
    expect(await finish(test, other.ref, answer('p1'))).toBe('ok');
    expect(await outcomeOf(test, other.ref)).toMatchObject({ state: 'posted', result: { postId: 'p1' } });
    expect(await outcomeOf(test, one.ref)).toMatchObject({
      state: 'review',
      result: undefined,
      error: { code: 'outcome_unknown' },
    });
    expect(await test.ledger.publishing.doubts(one.ref.campaign, [0])).toEqual([one.doubt]);
    expect(await test.ledger.campaigns.find(one.ref.campaign)).toMatchObject({
      counts: { posted: 1, review: 1 },
      done: { post: 1 },
    });
  });

  it('finds no claim of a row that has not taken its record yet', async () => {
    const test = testLedger();
    const [one, other] = await doubtfulRows(test, 2);
    if (!one || !other) return expect.unreachable();
    await test.ledger.publishing.claim(one.ref, 'p1');
    await finish(test, other.ref, answer('p1'));
    expect(await test.ledger.publishing.reconcile(one.ref, one.doubt, record)).toBe(false);
    expect(await outcomeOf(test, one.ref)).toMatchObject({ state: 'review' });
  });
});

describe('the state of a post', () => {
  const before = record;

  it('is written', async () => {
    const test = testLedger();
    const [row] = await doubtfulRows(test, 1);
    if (!row) return expect.unreachable();
    await finish(test, row.ref, answer('p1'));
    const change = { row: 0, before, postStatus: 'PUBLISHED' };
    expect(await test.ledger.publishing.follow(row.ref.campaign, [change])).toEqual([change]);
    expect(await outcomeOf(test, row.ref)).toMatchObject({
      state: 'posted',
      result: { ...before, postStatus: 'PUBLISHED' },
    });
  });

  it('does not overwrite a result that has changed in the meantime', async () => {
    const test = testLedger();
    const [row] = await doubtfulRows(test, 1);
    if (!row) return expect.unreachable();
    await finish(test, row.ref, answer('p2'));
    const change = { row: 0, before, postStatus: 'PUBLISHED' };
    expect(await test.ledger.publishing.follow(row.ref.campaign, [change])).toEqual([]);
    expect(await outcomeOf(test, row.ref)).toMatchObject({
      result: { postId: 'p2', postStatus: 'SCHEDULED' },
    });
  });
});

describe('a record and its rows', { timeout: 60_000 }, () => {
  /** Who looks for a row's post, step by step, as the reconciliation does. */
  async function* taking(test: TestLedger, row: DoubtfulRow, postId: string) {
    const { publishing } = test.ledger;
    if (!(await publishing.claim(row.ref, postId))) return;
    yield;
    const owned = await postOwners(test.ledger, new Set([postId]), 0);
    yield;
    if (owned.has(postId)) await publishing.release(row.ref, row.doubt, postId);
    else await publishing.reconcile(row.ref, row.doubt, { ...record, postId });
  }

  /** The late answer to a row's own attempt. */
  // biome-ignore lint/correctness/useYield: one step, taken in turn with the steps of the others
  async function* answering(test: TestLedger, row: DoubtfulRow, postId: string) {
    await finish(test, row.ref, answer(postId));
  }

  it('belong together one to one, in any order of checks and answers', async () => {
    const test = testLedger();
    let run = 0;
    const rowsAlike = 3;
    const index = fc.nat(rowsAlike - 1);
    const looks = fc.array(fc.record({ row: index, post: index }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        looks,
        fc.subarray([0, 1, 2]),
        fc.array(fc.nat(99)),
        async (taken, answered, order) => {
          run += 1;
          const postOf = (post: number) => `p${run}-${post}`;
          const rows = await doubtfulRows(test, rowsAlike);
          const rowAt = (row: number) => rows[row] ?? expect.unreachable();
          const underWay = [
            ...taken.map(({ row, post }) => taking(test, rowAt(row), postOf(post))),
            ...answered.map((row) => answering(test, rowAt(row), postOf(row))),
          ];
          for (const turn of [...order, ...Array<number>(40).fill(0)]) {
            const at = turn % Math.max(1, underWay.length);
            if ((await underWay[at]?.next())?.done) underWay.splice(at, 1);
          }
          expect(underWay).toEqual([]);

          const campaign = rowAt(0).ref.campaign;
          const outcomes = await test.ledger.rows.outcomes(campaign, 0);
          const postIds = outcomes.flatMap(({ result }) => result?.postId ?? []);
          expect(new Set(postIds).size).toBe(postIds.length);
          for (const row of answered) {
            expect(outcomes[row]).toMatchObject({ state: 'posted', result: { postId: postOf(row) } });
          }
          const review = outcomes.filter(({ state }) => state === 'review').length;
          expect(await test.ledger.campaigns.find(campaign)).toMatchObject({
            counts: { posted: postIds.length, review, running: 0, waiting: 0 },
            done: { post: postIds.length },
          });
        },
      ),
      {
        numRuns: 40,
        examples: [
          // The answer is there before the look, between its claim and its taking, and after it.
          [[{ row: 1, post: 0 }], [0], [1]],
          [[{ row: 1, post: 0 }], [0], [0, 1]],
          [[{ row: 1, post: 0 }], [0], [0, 0, 1]],
          [[{ row: 1, post: 0 }], [0], [0, 0, 0]],
        ],
      },
    );
  });
});
