/**
 * Redis answers but refuses writes: its memory or disk is full, it has become a replica, it has too few replicas, or its
 * cluster has no master. This passes by itself or by an action of an operator, and is not a defect of the runner.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Redis, ReplyError } from 'ioredis';
import type { RunScript } from './script.ts';

/** The first word of the reply. For a refused script, an older Redis has it inside the message. */
const refusal =
  /\b(?<code>READONLY|OOM|MISCONF|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|LOADING|UNKILLABLE|BUSY)\b/;

/** @returns the code of a refusal to write, such as `OOM`; undefined for any other error. */
export function refusalCode(error: unknown): string | undefined {
  if (!(error instanceof ReplyError)) return undefined;
  // A transaction is given up because of one of its commands.
  const { message, previousErrors = [] } = error as Error & { readonly previousErrors?: readonly Error[] };
  return [message, ...previousErrors.map((each) => each.message)]
    .map((text) => refusal.exec(text)?.groups?.code)
    .find((code) => code !== undefined);
}

/** Whether a key has a wrong type, or a value is not what it should be. A repetition changes nothing. */
export function isDamage(error: unknown): error is Error {
  if (!(error instanceof ReplyError) || refusalCode(error) !== undefined) return false;
  const { message } = error as Error;
  return /^(?:WRONGTYPE|ERR) /.test(message) && !/^ERR (?:max number|unknown command|Client)/.test(message);
}

const wrongType = 'WRONGTYPE Operation against a key holding the wrong kind of value';

/** Names the key of a wrong type, which Redis does not: its client keeps the command. Scripts name theirs (`script.ts`). */
export function nameKey(error: Error): void {
  const { command } = error as Error & { readonly command?: { readonly args: readonly unknown[] } };
  if (error.message === wrongType && command) error.message = `${wrongType} (${String(command.args[0])})`;
}

/** Describes a damaged key for people, without the hash and the line of a script. */
export function describeDamage({ message }: Error): string {
  const [text = message] = message.replace(/^ERR /, '').split(' script: ');
  return text;
}

/** Redis is away, refuses writes, or has cut off a command to change its role. The owner of the connection reports that. */
export function isOutage(error: Error): boolean {
  if (refusalCode(error) !== undefined) return true;
  if (error instanceof ReplyError) return error.message.startsWith('UNBLOCKED ');
  const { code } = error as NodeJS.ErrnoException;
  return isRedisFailure(error) || (typeof code === 'string' && /^E(?!RR_)/.test(code));
}

/** Whether an error comes from Redis or the connection to it, so that the same call may work later. */
export function isRedisFailure(error: unknown): boolean {
  // The client's error classes share one base; for a closed connection it throws a plain Error.
  const clientError = Object.getPrototypeOf(ReplyError) as new () => Error;
  return (
    error instanceof clientError || (error instanceof Error && error.message === 'Connection is closed.')
  );
}

export const firstDelayMs = 100;
export const longestDelayMs = 2000;

/** Writes a key that matters to nobody. Does not end while Redis is away. @returns the refusal; undefined if it takes writes. */
export async function findRefusal(redis: Redis, key: string): Promise<Error | undefined> {
  try {
    await redis.set(key, '1', 'PX', 1);
    return undefined;
  } catch (error) {
    if (refusalCode(error) === undefined) throw error;
    return error as Error;
  }
}

/** @param find as `findRefusal`. Any other error ends the wait. @returns waits while it refuses. All who wait share the probes. */
export function untilWritable(find: () => Promise<Error | undefined>): () => Promise<void> {
  let waiting: Promise<void> | undefined;

  async function wait(): Promise<void> {
    for (let ms = firstDelayMs; ; ms = Math.min(ms * 2, longestDelayMs)) {
      await delay(ms, undefined, { ref: false });
      if ((await find().catch(() => undefined)) === undefined) return;
    }
  }

  return () => {
    waiting ??= wait().finally(() => {
      waiting = undefined;
    });
    return waiting;
  };
}

/** Repeats a write while Redis refuses it. @param mayWait whether to go on; else the refusal is thrown. */
export async function patiently<T>(
  write: () => Promise<T>,
  wait: () => Promise<unknown>,
  mayWait: () => boolean = () => true,
): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (refusalCode(error) === undefined || !mayWait()) throw error;
    }
    await wait();
  }
}

/** Writes until Redis accepts it: for facts that must not be lost, such as the answer to a call. @param withinMs throws the last refusal after this long. */
export function untilWritten(run: RunScript, withinMs = 600_000): RunScript {
  return (args) => {
    const deadline = performance.now() + withinMs;
    let ms = firstDelayMs / 2;
    const wait = () => {
      ms = Math.min(ms * 2, longestDelayMs);
      return delay(ms);
    };
    return patiently(
      () => run(args),
      wait,
      () => performance.now() <= deadline,
    );
  };
}
