/** Running rows without live jobs go on in their next revision, as by a retry. */
import type { RowVersion } from '../../ledger/transitions/steps.ts';
import type { ProcessorContext } from '../frame/context.ts';

/** Sends rows that still run in their revision back to waiting, and removes what is left of their flows. */
export async function sendAgain(
  { ledger, queues, log }: Pick<ProcessorContext, 'ledger' | 'queues' | 'log'>,
  campaign: string,
  rows: readonly RowVersion[],
): Promise<void> {
  if (rows.length === 0) return;
  const sent = await ledger.rows.runAgain(campaign, rows);
  if (sent.length === 0) return;
  log.warn({ campaign, rows: sent.length }, 'keeper: rows run again, because their jobs were lost');
  for (const { row, revision } of sent) await queues.removeFlow({ c: campaign, r: row, v: revision });
  await queues.wakeAdmission(campaign);
}
