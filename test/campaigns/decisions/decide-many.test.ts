import { describe, expect, it } from 'vitest';
import { decideMany } from '../../../src/campaigns/decisions/decide-many.ts';
import { openRunner } from '../../support/in-process.ts';
import { listPostsSetting } from '../../support/processes/scene.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { findAlike, findNothing, openReview } from './review.ts';

const notPosted = { kind: 'not-posted' } as const;
const records = { api: { listPosts: listPostsSetting() } };

describe('one decision about many rows', () => {
  it('is about all rows in review that wait for it', async () => {
    const review = await openReview(records);
    await findNothing(review, [0, 1, 2]);
    const decided = await decideMany(review.context, await review.campaign(), notPosted, { dryRun: false });
    expect(decided).toMatchObject({
      matched: 3,
      states: { waiting: 3 },
      changed: 0,
      left: 1,
      leftOut: [],
      keys: ['a', 'b', 'c'],
    });
    expect(await review.states()).toEqual(['waiting', 'waiting', 'waiting', 'review', 'posted']);
  });

  it('is about the rows of a creator', async () => {
    const review = await openReview(records);
    const filter = { creator: 'demo_ben', dryRun: false };
    expect(await decideMany(review.context, await review.campaign(), notPosted, filter)).toMatchObject({
      matched: 1,
      keys: ['c'],
      left: 3,
    });
  });

  it('reports posts that were not searched for', async () => {
    const review = await openReview(records);
    await findNothing(review, [1]);
    expect(
      await decideMany(review.context, await review.campaign(), notPosted, { dryRun: true }),
    ).toMatchObject({
      matched: 3,
      leftOut: [],
      unproven: [
        {
          rows: 2,
          keys: ['a', 'c'],
          why: expect.stringContaining('nobody has looked'),
          commands: [`campaigns refresh ${review.id}`],
        },
      ],
    });
  });

  it('reports posts whose records may still appear', async () => {
    const review = await openReview(records);
    await findNothing(review, [0, 1, 2], false);
    const decided = await decideMany(review.context, await review.campaign(), notPosted, { dryRun: true });
    expect(decided).toMatchObject({
      matched: 3,
      unproven: [{ rows: 3, why: expect.stringContaining('may still appear') }],
    });
  });

  it('reports that the records cannot be read', async () => {
    const review = await openReview();
    const decided = await decideMany(review.context, await review.campaign(), notPosted, { dryRun: false });
    expect(decided).toMatchObject({
      matched: 3,
      unproven: [{ rows: 3, why: expect.stringContaining('api.listPosts'), commands: [] }],
    });
  });

  it('leaves out rows with a record that looks like theirs', async () => {
    const review = await openReview(records);
    await findAlike(review, 0);
    const { id } = review;
    const decided = await decideMany(review.context, await review.campaign(), notPosted, { dryRun: false });
    expect(decided).toMatchObject({
      matched: 2,
      keys: ['b', 'c'],
      leftOut: [
        {
          rows: 1,
          keys: ['a'],
          commands: [
            `campaigns settle ${id} a --not-posted`,
            `campaigns report ${id} --only review --out ${id}.review.csv`,
            `campaigns settle ${id} --from ${id}.review.csv`,
          ],
        },
      ],
      kinds: undefined,
    });
    expect(await review.states()).toEqual(['review', 'waiting', 'waiting', 'review', 'posted']);
  });

  it('is about rows that were never sent, because their time had passed', async () => {
    const { context, ledger, ...runner } = await openRunner();
    const id = await runner.handIn([videoRow('a', { scheduled_at: '2026-01-01T10:00Z' })]);
    await runner.start();
    await runner.ended(id);
    const campaign = (await ledger.campaigns.find(id)) ?? expect.unreachable();
    expect(await decideMany(context, campaign, notPosted, { dryRun: true })).toMatchObject({
      matched: 1,
      states: { failed: 1 },
      leftOut: [],
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
