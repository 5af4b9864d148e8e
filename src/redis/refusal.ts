/**
 * Redis answers, and takes no writes: its memory or its disk is full, it has become a replica, it has too few replicas, its
 * cluster is without a master. That passes by itself or by a hand; nothing of ours is at fault.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ReplyError } from 'ioredis';
import type { RunScript } from './script.ts';

/** The first word of an answer; an older Redis has it within the message when a script was refused. */
const refusal =
  /\b(?<code>READONLY|OOM|MISCONF|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|LOADING|UNKILLABLE|BUSY)\b/;

/** The code of a refusal to write, such as `OOM`; undefined for any other error. */
export function refusalCode(error: unknown): string | undefined {
  return error instanceof ReplyError ? refusal.exec((error as Error).message)?.groups?.code : undefined;
}

/** Whether an error is one of Redis or of the way there, and no defect: the same may work the next time. */
export function isRedisFailure(error: unknown): boolean {
  // All errors of the client with a class of their own share one base; a connection that was ended has none.
  const clientError = Object.getPrototypeOf(ReplyError) as new () => Error;
  return (
    error instanceof clientError || (error instanceof Error && error.message === 'Connection is closed.')
  );
}

const firstDelayMs = 100;
const longestDelayMs = 2000;

/**
 * Repeats a script for as long as Redis refuses to write: for what is known already, and must not be lost.
 * @param withinMs gives up after this long, with the last refusal.
 */
export function untilWritten(run: RunScript, withinMs = 600_000): RunScript {
  return async (args) => {
    const deadline = performance.now() + withinMs;
    for (let wait = firstDelayMs; ; wait = Math.min(wait * 2, longestDelayMs)) {
      try {
        return await run(args);
      } catch (error) {
        if (refusalCode(error) === undefined || performance.now() > deadline) throw error;
      }
      await delay(wait);
    }
  };
}
