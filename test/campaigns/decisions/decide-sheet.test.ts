import { describe, expect, it } from 'vitest';
import { decideSheet } from '../../../src/campaigns/decisions/decide-sheet.ts';
import { listPostsSetting } from '../../support/processes/scene.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { openReview, postOf, type ReviewCampaign, scheduleIn } from './review.ts';

const header = ['key', 'campaign', 'status', 'post_id', 'decision'] as const;

async function decide(
  review: ReviewCampaign,
  rows: readonly (readonly [key: string, decision: string, postId?: string])[],
  options: { readonly unchecked?: boolean; readonly dryRun?: boolean } = {},
) {
  const lines = rows.map(([key, decision, postId = '']) => [key, review.id, 'review', postId, decision]);
  const sheet = review.sheet([header, ...lines]);
  return decideSheet(review.context, await review.campaign(), sheet, { dryRun: false, ...options });
}

describe('a sheet of decisions', () => {
  it('is carried out row by row', async () => {
    const review = await openReview();
    const rows = [
      ['g', `generated ${scheduleIn(review)}`],
      ['a', `posted ${postOf(review, 'a')}`],
      ['b', ''],
      ['c', 'Not posted'],
    ] as const;
    expect(await decide(review, rows)).toMatchObject({
      rows: 4,
      empty: 1,
      matched: 3,
      states: { posted: 1, waiting: 2 },
      ended: {},
      problems: { total: 0 },
    });
    expect(await review.states()).toEqual(['posted', 'review', 'waiting', 'waiting', 'posted']);
  });

  it.each([true, false])(
    'keeps rows for later whose call may be under way, and names them (dry run: %s)',
    async (dryRun) => {
      const review = await openReview();
      const at = Date.now();
      const over = at + 60_000;
      // As the worker of `c` had left it, if it had been killed in the call.
      const work = review.ledger.keys.progress(review.id, 2);
      await review.redis.hset(work, 'journal:post', `unknown token ${at} ${at} ${over}`);
      const rows = [
        ['a', `posted ${postOf(review, 'a')}`],
        ['c', 'not-posted'],
      ] as const;
      const decided = await decide(review, rows, { dryRun });
      expect(decided).toMatchObject({
        matched: 2,
        states: { posted: 1 },
        changed: 0,
        early: { rows: 1, keys: ['c'], from: new Date(over).toISOString() },
        problems: { total: 0 },
      });
      expect((await review.states())[2]).toBe('review');
    },
  );

  it('can be handed in again: decided rows stay as they are', async () => {
    const review = await openReview();
    const rows = [
      ['a', `posted ${postOf(review, 'a')}`],
      ['c', 'not-posted'],
    ] as const;
    await decide(review, rows);
    expect(await decide(review, rows)).toMatchObject({
      matched: 0,
      ended: { posted: 1, waiting: 1 },
      problems: { total: 0 },
    });
  });

  it('is refused if the row came to review once more after the sheet was written', async () => {
    const review = await openReview();
    const [error] = await review.ledger.rows.errors(review.id, [2]);
    const written = (at: number, dryRun: boolean) => {
      const updatedAt = new Date(at).toISOString();
      const rows = [
        ['key', 'campaign', 'decision', 'updated_at'],
        ['c', review.id, 'not-posted', updatedAt],
      ];
      return review
        .campaign()
        .then((campaign) => decideSheet(review.context, campaign, review.sheet(rows), { dryRun }));
    };
    const { at } = error ?? expect.unreachable();
    const { problems, changed } = await written(at - 1000, false);
    expect([problems.kept.map(({ code }) => code), changed]).toEqual([['decision_outdated'], 0]);
    expect(await written(at, true)).toMatchObject({ matched: 1, problems: { total: 0 } });
    expect((await review.states())[2]).toBe('review');
  });

  it('reports all its problems at once, and decides nothing', async () => {
    const review = await openReview({ api: { listPosts: listPostsSetting() } });
    const taken = postOf(review, 'd');
    const { problems, matched } = await decide(review, [
      ['a', 'posted 123'],
      ['b', `posted ${taken}`],
      ['c', 'not-generated'],
      ['d', 'posted 123'],
      ['g', 'perhaps'],
      ['nobody', 'not-posted'],
      ['b', 'not-posted'],
      ['a', '', '456'],
      ['', 'not-posted'],
    ]);
    expect(problems.kept.map(({ line, key, code }) => [line, key, code])).toEqual([
      [2, 'a', 'post_unknown'],
      [3, 'b', 'post_taken'],
      [4, 'c', 'wrong_decision'],
      [5, 'd', 'posted_otherwise'],
      [6, 'g', 'invalid_decision'],
      [7, 'nobody', 'row_not_found'],
      [8, 'b', 'duplicate_key'],
      [9, 'a', 'decision_missing'],
      [10, null, 'key_missing'],
    ]);
    expect(matched).toBe(2);
    expect(problems.kept.every(({ cure }) => cure !== '')).toBe(true);
    expect(await review.states()).toEqual(['review', 'review', 'review', 'review', 'posted']);
  });

  it('names an id once', async () => {
    const review = await openReview();
    const rows = [
      ['a', 'posted 123'],
      ['b', 'posted 123'],
    ] as const;
    expect((await decide(review, rows)).problems.kept).toMatchObject([{ line: 3, code: 'duplicate_id' }]);
  });

  it('reads the records of a creator with many posts once, not post by post', async () => {
    const more = Array.from({ length: 11 }, (_, index) => videoRow(`m${index}`));
    const review = await openReview({ api: { listPosts: listPostsSetting() } }, more);
    const rows = more.map(({ key = '' }) => [key, `posted ${postOf(review, key)}`] as const);
    expect(await decide(review, rows)).toMatchObject({ states: { posted: 11 }, problems: { total: 0 } });
    expect(review.sandbox.counts().listPosts).toBe(1);
  });

  it('takes ids unseen where the person insists', async () => {
    const review = await openReview({ api: { listPosts: listPostsSetting() } });
    expect(await decide(review, [['a', 'posted 123']], { unchecked: true })).toMatchObject({
      states: { posted: 1 },
    });
  });

  it('changes nothing in a dry run', async () => {
    const review = await openReview();
    expect(await decide(review, [['a', 'not-posted']], { dryRun: true })).toMatchObject({
      matched: 1,
      states: { waiting: 1 },
    });
    expect(await review.states()).toEqual(['review', 'review', 'review', 'review', 'posted']);
  });

  it.for([
    [['key', 'campaign'], 'decision'],
    [['campaign', 'decision'], 'key'],
  ] as const)('needs its columns (%j)', async ([columns, missing]) => {
    const review = await openReview();
    const sheet = review.sheet([columns, ['a', 'b']]);
    const { problems } = await decideSheet(review.context, await review.campaign(), sheet, { dryRun: false });
    expect(problems.kept).toMatchObject([{ line: 1, column: missing, code: 'missing_column' }]);
  });

  it('of another campaign is refused', async () => {
    const review = await openReview();
    const sheet = review.sheet([header, ['a', 'c99', 'review', '', 'not-posted']]);
    const { problems } = await decideSheet(review.context, await review.campaign(), sheet, { dryRun: false });
    expect(problems.kept).toMatchObject([{ code: 'other_campaign' }]);
  });
});
