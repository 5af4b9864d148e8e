import { describe, expect, it } from 'vitest';
import { undoDecision } from '../../../src/app/decisions/carry-out.ts';
import { decideRow } from '../../../src/app/decisions/decide-row.ts';
import { hint } from '../../../src/manifest/problems/hint.ts';
import { listPostsSetting } from '../../support/processes/scene.ts';
import { openReview, postOf, scheduleIn } from './review.ts';

const records = { api: { listPosts: listPostsSetting() } };

describe('an id', () => {
  it('that the service has is taken', async () => {
    const review = await openReview(records);
    const campaign = await review.campaign();
    const { context } = review;
    expect(await decideRow(context, campaign, 'a', { decision: 'posted', postId: postOf(review, 'a') })).toBe(
      'posted',
    );
    const generated = { decision: 'generated', scheduleId: scheduleIn(review) } as const;
    expect(await decideRow(context, campaign, 'g', generated)).toBe('waiting');
  });

  it.for([
    ['a', { decision: 'posted', postId: '123' }, 'no post 123 of demo_anna', 'posted 123'],
    ['g', { decision: 'generated', scheduleId: 's9' }, 'schedule s9', 'generated s9'],
  ] as const)(
    'that the service does not have is refused (row %s)',
    async ([key, verdict, looked, decision]) => {
      const review = await openReview(records);
      await expect(decideRow(review.context, await review.campaign(), key, verdict)).rejects.toMatchObject({
        code: 'decision_refused',
        message: expect.stringContaining(looked),
        fix: expect.arrayContaining([
          hint('decideRow', { campaign: review.id, key, decision, unchecked: true }),
        ]),
      });
    },
  );

  it('that is not among the records shown is refused, with their number', async () => {
    const review = await openReview(records);
    const body = { code: 0, message: 'ok', data: { list: [], totalPages: 1, total: 35 } };
    review.sandbox.faults.add({ operation: 'listPosts', kind: 'status', status: 200, body, times: 'always' });
    const posted = { decision: 'posted', postId: '123' } as const;
    await expect(decideRow(review.context, await review.campaign(), 'a', posted)).rejects.toMatchObject({
      message: expect.stringContaining(
        'the publishing records of the service (0 of 35 shown) have no post 123',
      ),
    });
  });

  it('of a schedule is taken if the service counts its tasks without showing them', async () => {
    const review = await openReview();
    const body = { code: 0, message: 'ok', data: { list: [], total: 3 } };
    review.sandbox.faults.add({ operation: 'listAiTasksByScheduleId', kind: 'status', status: 200, body });
    const generated = { decision: 'generated', scheduleId: 's9' } as const;
    expect(await decideRow(review.context, await review.campaign(), 'g', generated)).toBe('waiting');
  });

  it('is not unknown because the key may not look it up', async () => {
    const review = await openReview(records);
    const fault = { operation: 'listAiTasksByScheduleId', kind: 'code', code: 403 } as const;
    review.sandbox.faults.add({ ...fault, message: 'ai.read is not granted' });
    const verdict = { decision: 'generated', scheduleId: 's9' } as const;
    await expect(decideRow(review.context, await review.campaign(), 'g', verdict)).rejects.toMatchObject({
      code: 'service_failed',
      message: expect.stringContaining('code 403: ai.read is not granted.'),
      fix: expect.arrayContaining([hint('setting', { name: 'CREATOR_API_KEY' })]),
    });
  });

  it('of another creator’s post is refused', async () => {
    const review = await openReview(records);
    const verdict = { decision: 'posted', postId: postOf(review, 'c') } as const;
    await expect(decideRow(review.context, await review.campaign(), 'a', verdict)).rejects.toMatchObject({
      code: 'decision_refused',
    });
  });

  it('that two people give to two rows at once goes to one of them', async () => {
    const review = await openReview();
    const campaign = await review.campaign();
    const posted = { decision: 'posted', postId: '123' } as const;
    const decisions = ['a', 'b'].map((key) =>
      decideRow(review.context, campaign, key, posted, { unchecked: true }).catch((error) => error.message),
    );
    const taken = 'the post 123 already belongs to another row';
    expect((await Promise.all(decisions)).sort()).toEqual(['posted', taken]);
    expect((await review.states()).slice(0, 2).sort()).toEqual(['posted', 'review']);
  });

  it('is not looked up where the person insists', async () => {
    const review = await openReview(records);
    const campaign = await review.campaign();
    const posted = { decision: 'posted', postId: '123' } as const;
    expect(await decideRow(review.context, campaign, 'a', posted, { unchecked: true })).toBe('posted');
    expect(review.sandbox.counts().listPosts ?? 0).toBe(0);
  });
});

it('a decision that is taken back leaves the row in review, and is refused later', async () => {
  const review = await openReview();
  const campaign = await review.campaign();
  await decideRow(review.context, campaign, 'a', { decision: 'not-posted' });
  expect(await undoDecision(review.context, campaign, 'a')).toBe('review');
  await expect(undoDecision(review.context, campaign, 'a')).rejects.toMatchObject({
    code: 'decision_refused',
    message: expect.stringContaining('not decided within the last 10 min'),
  });
  await expect(undoDecision(review.context, campaign, 'nobody')).rejects.toMatchObject({
    code: 'row_not_found',
  });
});
