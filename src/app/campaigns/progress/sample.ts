/** Samples the number of ended rows of running campaigns, so that their pace is known as soon as somebody looks. */
import type { Runtime } from '../../runtime/runtime.ts';
import type { ProgressReader } from './reader.ts';

const everyMs = 5000;

/** Samples in the background until the signal. Skips samples while Redis does not answer. */
export function sampleProgress(
  { ledger }: Pick<Runtime, 'ledger'>,
  reader: ProgressReader,
  signal: AbortSignal,
): void {
  let isReading = false;
  const sample = async () => {
    // Without Redis, readings would pile up.
    if (isReading || signal.aborted) return;
    isReading = true;
    try {
      for (const { id, ended } of await ledger.campaigns.underWay()) reader.note(id, ended);
    } catch {
      // The next sample comes by itself.
    } finally {
      isReading = false;
    }
  };
  const timer = setInterval(() => void sample(), everyMs);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  void sample();
}
