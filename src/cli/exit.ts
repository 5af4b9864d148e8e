/** How a command ends: exit codes, the errors that end it with one, and signals (Ctrl-C, a kill, a closed terminal). */

import { once } from 'node:events';
import type { Runtime } from '../app/runtime/runtime.ts';
import type { Campaign } from '../ledger/campaigns/campaign.ts';

export const exitCodes = {
  /** All rows posted, or ready for their day; or nothing to do. */
  ok: 0,
  /** The manifest has problems; nothing was sent. */
  problems: 1,
  /** Wrong usage or settings; Redis or the service is not reachable; the manifest was imported before and has ended. */
  usage: 2,
  /** Ended, with rows failed, in review, cancelled or left out; or not done for every row. */
  incomplete: 3,
  paused: 4,
  /** Interrupted; `campaigns run` goes on. */
  interrupted: 130,
} as const;

/** Wrong use of the command line, or a no to a question: `message` says what is wrong, `fix` what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;
  readonly fix: string | undefined;

  constructor(
    message: string,
    options: { exitCode?: number; fix?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? exitCodes.usage;
    this.fix = options.fix;
  }
}

/** Exit code for the state of a campaign. */
export function exitCodeOf({ state, counts, rows, leftOut }: Campaign): number {
  if (state === 'paused') return exitCodes.paused;
  return counts.posted + counts.ready === rows && leftOut === 0 ? exitCodes.ok : exitCodes.incomplete;
}

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
  const listening = onSignals(onSignal);
  redis.gone.addEventListener('abort', onGone);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      listening[Symbol.dispose]();
      redis.gone.removeEventListener('abort', onGone);
    },
  };
}

function onSignals(listener: (signal: NodeJS.Signals) => void): Disposable {
  for (const signal of signals) process.on(signal, listener);
  return {
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}

/** Runs `clean` if a signal ends the process, then lets it end. */
export function cleanBeforeEnding(clean: () => void): Disposable {
  const listening = onSignals((signal) => {
    clean();
    listening[Symbol.dispose]();
    process.kill(process.pid, signal);
  });
  return listening;
}

let isClosing = false;

/** Whether a signal is about to end the process: what fails from now on fails because of that. */
export function isEnding(): boolean {
  return isClosing;
}

/**
 * Where no other part of the command waits for signals, the first one ends the process once `close` is done, so that a private Redis does
 * not stay behind. The next one ends it at once.
 */
export function closeBeforeEnding(close: () => Promise<unknown>): Disposable {
  const listening = onSignals(async (signal) => {
    if (process.listenerCount(signal) > 1) return;
    if (!isClosing) {
      isClosing = true;
      await close().catch(() => undefined);
    }
    listening[Symbol.dispose]();
    process.kill(process.pid, signal);
  });
  return listening;
}

export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** @param options names of the options that set the address. */
export function addressFix(options: string): string {
  return `Choose another address with ${options}. Port 0 takes a free port.`;
}
