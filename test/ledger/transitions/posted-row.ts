import type { PostedResult } from '../../../src/ledger/rows/results.ts';
import { undoWindowMs } from '../../../src/ledger/transitions/decisions.ts';
import { retryNow, stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';

export const result = { postId: 'p1', postStatus: 'SCHEDULED', fileIds: ['7', '8'], at: 1000 };
export const error = { step: 'post' as const, code: 'publishing_failed', message: 'not taken', at: 1 };
export const generation = { scheduleId: 's1', taskIds: ['t1'], outputs: 2, since: 5 };
export const cover = { fileId: '9', uri: 'uri-9' };
export const progress = [
  ['file:0', '7'],
  ['file:1', '8'],
  ['assets', '["https://a/1","https://a/2"]'],
  ['gen2', JSON.stringify(generation)],
  ['cover', JSON.stringify(cover)],
] as const;

/** Posts a row that runs, as the post step does. */
export async function post(
  { ledger }: TestLedger,
  campaign: string,
  postId = 'p1',
  revision = 0,
  plannedAt?: number,
) {
  const ref = { campaign, row: 0, revision };
  await ledger.steps.start({ ...stepStart(ref), effect: 'post', token: postId });
  const attempt = { step: 'post', jobId: 'job', effect: 'post', token: postId } as const;
  const assets = ['https://a/1', 'https://a/2'];
  return ledger.steps.finish({
    ...ref,
    ...attempt,
    end: { verdict: 'posted', result: { ...result, postId, plannedAt }, assets },
  });
}

/** A campaign of one posted row that had all kinds of progress. */
export async function postedRow({
  plannedAt,
  ...options
}: {
  readonly stopAfter?: number;
  readonly plannedAt?: number;
} = {}) {
  const test = testLedger();
  const campaign = await test.campaign(1, options);
  await test.admit(campaign, [0]);
  const ref = { campaign, row: 0, revision: 0 };
  await test.ledger.steps.finish({
    ...ref,
    step: 'upload',
    jobId: 'job',
    end: { verdict: 'ok', fields: progress },
  });
  await post(test, campaign, 'p1', 0, plannedAt);
  const fail = (before: PostedResult = result) =>
    test.ledger.failedPosts.fail(campaign, [{ row: 0, before, postStatus: 'FAILED', error }]);
  const outcome = async () => (await test.ledger.rows.outcomes(campaign, 0))[0];
  const earlier = async () => (await test.ledger.failedPosts.all(campaign)).get(0) ?? [];
  /** As after a look into the records that found the post failed. */
  const look = async () => test.ledger.failedPosts.recordRechecks(campaign, new Map([[0, await earlier()]]));
  const retry = async () => {
    await look();
    return retryNow(test.ledger, campaign, [0]);
  };
  /** Lets a held row go, and admits it. */
  const admit = async () => {
    test.clock.now += undoWindowMs;
    await test.ledger.admission.releaseHeld(campaign);
    await test.admit(campaign, [0]);
  };
  return { ...test, test, campaign, fail, outcome, earlier, look, retry, admit };
}
