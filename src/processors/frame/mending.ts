/** Mends the data of a campaign when work for it finds keys of a wrong type. */
import { isDamage } from '../../redis/refusal.ts';
import type { ProcessorContext } from './context.ts';

/** @throws every error of the work: it can be tried again. */
export async function mendingCampaign<T>(
  { ledger, log }: Pick<ProcessorContext, 'ledger' | 'log'>,
  campaign: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDamage(error)) {
      log.error({ campaign, error: String(error) }, 'damaged data in Redis');
      await ledger.damage.mend(campaign);
    }
    throw error;
  }
}
