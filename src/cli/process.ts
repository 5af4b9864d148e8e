/** Signals that end a command: Ctrl-C, a kill, a closed terminal. */
import { once } from 'node:events';
import type { Runtime } from '../app/runtime/runtime.ts';
import { exitCodes } from './exit.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first signal, or a Redis that is stopped for good, asks to stop. A second signal ends the process at once. */
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

/** Runs `clean` if a signal ends the process, then lets it end. */
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
  if (!signal.aborted) await once(signal, 'abort');
}

/** @param options names of the options that set the address. */
export function addressFix(options: string): string {
  return `Choose another address with ${options}. Port 0 takes a free port.`;
}
