/** Rows in review whose post may have been sent, and what can happen to them. */
import { expect } from 'vitest';
import type { StepEnd } from '../../../src/ledger/transitions/step-outcomes.ts';
import { stepStart, type TestLedger } from '../ledger.ts';

export const error = { step: 'post' as const, code: 'outcome_unknown', message: 'lost', at: 1 };
export const record = { postId: 'p1', postStatus: 'SCHEDULED', fileIds: ['7'], at: 1000 };
export const answer = (postId: string): StepEnd => ({
  verdict: 'posted',
  result: { ...record, postId },
  assets: [],
});

/** A campaign whose rows are all in review, each because its post's outcome is unknown. */
export async function unknownRows(test: TestLedger, count: number) {
  const campaign = await test.campaign(count);
  const rows = Array.from({ length: count }, (_, row) => row);
  await test.admit(campaign, rows);
  for (const row of rows) {
    const ref = { campaign, row, revision: 0 };
    await test.ledger.steps.start({ ...stepStart(ref), effect: 'post', token: `t${row}` });
    await finish(test, ref, { verdict: 'review', error });
  }
  const unknownCalls = await test.ledger.publishing.unknownCalls(campaign, rows);
  return rows.map((row) => {
    const unknownCall = unknownCalls[row];
    if (!unknownCall) throw new Error(`row ${row} is not in doubt`);
    return { ref: { campaign, row, revision: 0 }, unknownCall };
  });
}

export type UnknownRow = Awaited<ReturnType<typeof unknownRows>>[number];
type UnknownRef = UnknownRow['ref'];

export function finish({ ledger }: TestLedger, ref: UnknownRef, end: StepEnd) {
  const attempt = { step: 'post', jobId: 'job', effect: 'post', token: `t${ref.row}` } as const;
  return ledger.steps.finish({ ...ref, ...attempt, end });
}

export async function outcomeOf({ ledger }: TestLedger, { campaign, row }: UnknownRef) {
  return (await ledger.rows.outcomes(campaign, 0))[row];
}

export async function reconcile(test: TestLedger, { ref, unknownCall }: UnknownRow) {
  expect(await test.ledger.publishing.claim(ref, record.postId)).toBe(true);
  expect(await test.ledger.publishing.reconcile(ref, unknownCall, record)).toBe(true);
}
