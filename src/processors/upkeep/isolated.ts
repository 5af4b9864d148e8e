/** Keeps repairs apart. */
import { refusalCode } from '../../redis/refusal.ts';
import type { ProcessorContext } from '../frame/context.ts';

/** An error with one repair must not stop the others. */
export async function isolated(
  context: ProcessorContext,
  subject: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    // All other repairs would be refused as well.
    if (refusalCode(error) !== undefined) throw error;
    context.log.error({ subject, error: String(error) }, 'keeper: not repaired');
  }
}
