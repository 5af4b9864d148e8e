/** What most commands open first: the runtime and their output. */
import { setTimeout as wait } from 'node:timers/promises';
import { recordCommand } from '../access/audit.ts';
import { refusalOf } from '../runtime/redis.ts';
import { openRuntime, type Runtime, type RuntimeOptions } from '../runtime/runtime.ts';
import { readSpeedUp } from '../runtime/test-switches.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { describeDuration } from '../runtime/wording.ts';
import { createOutput, type Output } from './print/output.ts';

/** Options that most commands have. */
export interface CommonOptions {
  readonly json?: boolean | undefined;
  /** Settings file. */
  readonly config?: string | undefined;
}

/** A failover, or a full disk that somebody cleans, should not fail a command. Milliseconds. */
const longestRefusalMs = 30_000;
const askEveryMs = 500;

export interface Session extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly output: Output;
  /** Notes a change that the command made, in the audit. @param what in words, a sentence. */
  record(what: string): Promise<void>;
}

export interface SessionOptions extends Omit<RuntimeOptions, 'notify'> {
  /** Whether the command needs writes: to change something, or to take permits to call the service. Default: no. */
  readonly writes?: boolean | undefined;
}

/** What they do is done for others, and never ends. */
const endless = ['serve', 'worker'];

/**
 * @param flags `out`: file for a sheet. With `-` the sheet has standard output to itself: text goes to standard error.
 * @throws {UseCaseError} as `openRuntime` does, and as `waitForWrites`.
 */
export async function openSession(
  { json = false, config, out }: CommonOptions & { readonly out?: string | undefined },
  { writes = false, ...options }: SessionOptions = {},
): Promise<Session> {
  const output = createOutput(json, out === '-' ? 'stderr' : 'stdout');
  const [command = ''] = process.argv.slice(2);
  const ends = !endless.includes(command);
  const runtime = await openRuntime({
    configuration: config,
    ...(ends && { command }),
    ...options,
    notify: output.say,
  });
  try {
    if (writes) await waitForWrites(runtime, output, longestRefusalMs / readSpeedUp());
  } catch (error) {
    await runtime[Symbol.asyncDispose]();
    throw error;
  }
  return {
    runtime,
    output,
    async record(what) {
      try {
        await recordCommand(runtime, what, ['campaigns', ...process.argv.slice(2)].join(' '));
      } catch (error) {
        // The change is made.
        runtime.log.error({ error: String(error), what }, 'change not noted in the audit');
      }
    },
    [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose](),
  };
}

/**
 * The action of a command that is carried out in a session from its beginning to its end.
 * @param work gets the session, then what commander gives: operands, then flags.
 */
export function inSession<Given extends readonly unknown[]>(
  options: SessionOptions,
  work: (session: Session, ...given: Given) => Promise<unknown>,
): (...given: Given) => Promise<void> {
  return async (...given) => {
    // The last one is the command itself.
    await using session = await openSession(given.at(-2) as CommonOptions, options);
    await work(session, ...given);
  };
}

/**
 * Waits while Redis takes no writes: later, a command might stop half-way.
 * @throws {UseCaseError} `redis_unusable` after `longestMs`.
 */
export async function waitForWrites(
  { ledger }: Pick<Runtime, 'ledger'>,
  { say }: Pick<Output, 'say'>,
  longestMs: number,
): Promise<void> {
  const deadline = performance.now() + longestMs;
  for (let isTold = false; ; isTold = true) {
    const refusal = refusalOf(await ledger.findRefusal());
    if (refusal === undefined) return;
    if (performance.now() >= deadline) {
      throw new UseCaseError('redis_unusable', `Redis takes no writes: ${refusal.why}; nothing was changed`, {
        cure: `${refusal.cure} Then run the same command again.`,
      });
    }
    if (!isTold) say(`Waiting up to ${describeDuration(longestMs)} until Redis takes writes`);
    await wait(askEveryMs);
  }
}
