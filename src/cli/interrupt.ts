/** Signals that end a command: Ctrl-C, a kill, a terminal that is closed. */
import type { Runtime } from '../runtime/runtime.ts';
import { exitCodes } from './exit.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first signal asks to stop, and so does a Redis that was stopped for good; the second signal ends at once. */
export function listenForInterrupt({ redis }: Pick<Runtime, 'redis'>): {
  readonly signal: AbortSignal;
} & Disposable {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
  };
  const onGone = () => controller.abort();
  for (const signal of signals) process.on(signal, onSignal);
  redis.gone.addEventListener('abort', onGone);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, onSignal);
      redis.gone.removeEventListener('abort', onGone);
    },
  };
}

/** Runs `clean` should a signal end the process, and then lets it end. */
export function cleanBeforeEnding(clean: () => void): Disposable {
  const release = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    clean();
    release();
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return { [Symbol.dispose]: release };
}

/** Resolves once the signal is aborted. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
