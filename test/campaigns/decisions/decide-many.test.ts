import { describe, expect, it } from 'vitest';
import { decideMany } from '../../../src/campaigns/decisions/decide-many.ts';
import { openReview } from './review.ts';

const notPosted = { kind: 'not-posted' } as const;

describe('one decision about many rows', () => {
  it('is about all rows in review that wait for it', async () => {
    const review = await openReview();
    const decided = await decideMany(review.context, await review.campaign(), notPosted, { dryRun: false });
    expect(decided).toMatchObject({
      matched: 3,
      states: { waiting: 3 },
      changed: 0,
      left: 1,
      keys: ['a', 'b', 'c'],
    });
    expect(await review.states()).toEqual(['waiting', 'waiting', 'waiting', 'review', 'posted']);
  });

  it('is about the rows of a creator', async () => {
    const review = await openReview();
    const filter = { creator: 'demo_ben', dryRun: false };
    expect(await decideMany(review.context, await review.campaign(), notPosted, filter)).toMatchObject({
      matched: 1,
      keys: ['c'],
      left: 3,
    });
  });

  it('is about the rows with an error code; else the codes are named', async () => {
    const review = await openReview();
    const filter = { error: 'late', dryRun: false };
    expect(await decideMany(review.context, await review.campaign(), notPosted, filter)).toMatchObject({
      matched: 0,
      left: 4,
      kinds: { codes: ['outcome_unknown'], creators: ['demo_anna', 'demo_ben'] },
    });
  });

  it('is only shown in a dry run', async () => {
    const review = await openReview();
    const verdict = { kind: 'not-generated' } as const;
    const decided = await decideMany(review.context, await review.campaign(), verdict, { dryRun: true });
    expect(decided).toMatchObject({ matched: 1, states: { waiting: 1 }, keys: ['g'] });
    expect(await review.states()).toEqual(['review', 'review', 'review', 'review', 'posted']);
  });
});
