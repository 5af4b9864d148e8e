import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TestLedger, testLedger } from '../../support/ledger.ts';
import { answer, finish, record, type UnknownRow, unknownRows } from '../../support/sheets/unknown-rows.ts';

describe('a record and its rows', () => {
  /** Who looks for a row's post, step by step, as the reconciliation does. */
  async function* taking(test: TestLedger, row: UnknownRow, postId: string) {
    const { publishing } = test.ledger;
    if (!(await publishing.claim(row.ref, postId))) return;
    yield;
    await publishing.reconcile(row.ref, row.unknownCall, { ...record, postId });
  }

  /** The late answer to a row's own attempt. */
  // biome-ignore lint/correctness/useYield: one step, taken in turn with the steps of the others
  async function* answering(test: TestLedger, row: UnknownRow, postId: string) {
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
          const rows = await unknownRows(test, rowsAlike);
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
          // The answer is there before the claim, between claim and taking, and after it.
          [[{ row: 1, post: 0 }], [0], [1]],
          [[{ row: 1, post: 0 }], [0], [0, 1]],
          [[{ row: 1, post: 0 }], [0], [0, 0, 1]],
        ],
      },
    );
  });
});
