/** Rows at a gate, and what a person saw of them. */
import type { TestLedger } from '../../support/ledger.ts';

const error = { step: 'post', code: 'rejected', message: 'mei rejected the post.' } as const;
export const rejection = { by: 'mei', reason: '', error };
type GateName = 'ready' | 'unapproved' | 'unpaid';

/** Running rows come to a gate. */
export async function close(
  { ledger, clock }: TestLedger,
  campaign: string,
  rows: readonly number[],
  name: GateName,
) {
  const at = { verdict: 'ready', gate: { name, at: clock.now }, fields: [] } as const;
  for (const row of rows)
    await ledger.steps.finish({ campaign, row, revision: 0, step: 'post', jobId: 'job', end: at });
}

export const seen = ({ clock }: TestLedger, row: number) => ({
  row,
  revision: 0,
  digest: 'as shown',
  opensAt: clock.now + 60_000,
});
