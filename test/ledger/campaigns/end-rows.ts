import { stepStart, type TestLedger } from '../../support/ledger.ts';

export const error = { step: 'post' as const, code: 'http_400', message: 'no', at: 5 };
export const result = { postId: 'p', postStatus: '', fileIds: [], at: 5 };

/** Ends running rows of a revision. */
export async function end(
  { ledger }: TestLedger,
  campaign: string,
  rows: readonly number[],
  as: 'posted' | 'failed' | 'review',
  revision = 0,
): Promise<void> {
  for (const row of rows) {
    const ref = { campaign, row, revision };
    const token = `t${row}`;
    if (as === 'failed') {
      const finish = { ...ref, step: 'upload' as const, jobId: 'job' };
      await ledger.steps.finish({ ...finish, end: { verdict: 'failed', error } });
      continue;
    }
    await ledger.steps.start({ ...stepStart(ref), effect: 'post', token });
    const finish = { ...ref, step: 'post' as const, jobId: 'job', effect: 'post' as const, token };
    await ledger.steps.finish(
      as === 'posted'
        ? {
            ...finish,
            end: { verdict: 'posted', result: { ...result, postId: `p${row}-${revision}` }, assets: [] },
          }
        : { ...finish, end: { verdict: 'review', error } },
    );
  }
}

export const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
