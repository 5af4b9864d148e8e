/** What most commands open first: the runtime and their output. */

import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { ReplyError } from 'ioredis';
import { type Actor, actorOf, type Context } from '../app/operations/operation.ts';
import { quote } from '../app/runtime/command-line.ts';
import { readConfiguration, readSpeedUp } from '../app/runtime/configuration.ts';
import { systemUser } from '../app/runtime/machine.ts';
import { refusalOf } from '../app/runtime/redis.ts';
import { openRuntime, type Runtime, type RuntimeOptions } from '../app/runtime/runtime.ts';
import { UseCaseError } from '../manifest/problems/use-case-error.ts';
import { describeDuration } from '../manifest/wording.ts';
import { closeBeforeEnding } from './exit.ts';
import { createOutput, type Output } from './print/output.ts';

export interface CommonOptions {
  readonly json?: boolean | undefined;
  /** Settings file. */
  readonly config?: string | undefined;
}

/** A failover, or a full disk that somebody cleans, should not fail a command. Milliseconds. */
const longestRefusalMs = 30_000;
const askEveryMs = 500;

/** It acts in the name of the system's user. With `--json`, it prints the answers of operations. */
export interface Session extends AsyncDisposable, Actor<Context> {
  readonly runtime: Runtime;
  readonly output: Output;
  /** Name of the person. */
  readonly person: string;
}

interface SessionOptions extends Omit<RuntimeOptions, 'notify'> {
  /** Whether the command needs writes: to change something, or to take permits to call the service. Default: no. */
  readonly writes?: boolean | undefined;
  /** It runs until it is stopped, and waits for Redis without end: the warnings of its connections suffice. */
  readonly lasts?: boolean | undefined;
}

/**
 * @param flags `out`: file for a sheet. With `-` the sheet has standard output to itself: text goes to standard error.
 * @throws {UseCaseError} as `openRuntime` does, and as `waitForWrites`.
 */
export async function openSession(
  { json = false, config, out }: CommonOptions & { readonly out?: string | undefined },
  { writes = false, lasts = false, ...options }: SessionOptions = {},
): Promise<Session> {
  const output = createOutput(json, out === '-' ? 'stderr' : 'stdout');
  const runtime = await openUntilEnded({ configuration: config, ...options, notify: output.say });
  try {
    if (writes) await waitForWrites(runtime, output, longestRefusalMs / readSpeedUp());
  } catch (error) {
    await runtime[Symbol.asyncDispose]();
    throw error;
  }
  const watch = lasts ? undefined : watchRedis(runtime.redis, output.say, { givesUp: !writes });
  const context: Context = {
    runtime,
    person: { name: systemUser(), isAnybody: false },
    source: {
      from: `terminal on ${hostname()}`,
      by: ['campaigns', ...process.argv.slice(2)].map(quote).join(' '),
    },
    left: new AbortController().signal,
  };
  const actor = actorOf(context);
  return {
    ...actor,
    runtime,
    output,
    person: context.person.name,
    async carryOut(operation, given) {
      const answer = await actor.carryOut(operation, given);
      output.answer(answer);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      watch?.[Symbol.dispose]();
      await runtime[Symbol.asyncDispose]();
    },
  };
}

/** A runtime whose private Redis does not outlast a command that a signal ends. @throws {UseCaseError} as `openRuntime`. */
export async function openUntilEnded({ configuration: given, ...options }: RuntimeOptions): Promise<Runtime> {
  const configuration = typeof given === 'object' ? given : readConfiguration(given);
  const opening = openRuntime({ configuration, ...options });
  // A Redis that is given may take long to answer, and stays.
  if (configuration.environment.redisUrl !== undefined) return opening;
  const ending = closeBeforeEnding(async () => (await opening).redis.close());
  opening.catch(() => ending[Symbol.dispose]());
  const runtime = await opening;
  const dispose = runtime[Symbol.asyncDispose].bind(runtime);
  return Object.assign(runtime, {
    async [Symbol.asyncDispose]() {
      await dispose();
      ending[Symbol.dispose]();
    },
  });
}

/**
 * The action of a command that is carried out in a session from its beginning to its end.
 * @param options or what makes them of what commander gives: operands, then flags.
 * @param work gets the session, then what commander gives.
 * @param refuse throws for flags that do not go together, before the session is opened.
 */
export function inSession<Given extends readonly unknown[]>(
  options: SessionOptions | ((...given: Given) => SessionOptions),
  work: (session: Session, ...given: Given) => Promise<unknown>,
  refuse: (...given: Given) => void = () => undefined,
): (...given: Given) => Promise<void> {
  return async (...given) => {
    refuse(...given);
    const opening = typeof options === 'function' ? options(...given) : options;
    // The last one is the command itself.
    await using session = await openSession(given.at(-2) as CommonOptions, opening);
    await work(session, ...given);
  };
}

interface WatchOptions {
  readonly givesUp: boolean;
  readonly everyMs?: number;
  readonly longestMs?: number;
  /** Default: throws it from the timer, which ends the process. */
  readonly onGivenUp?: (error: UseCaseError) => void;
}

function fail(error: UseCaseError): never {
  throw error;
}

/**
 * Asks Redis now and then whether it answers, and says once for each outage that the command waits for it. A command that only reads gives up after a
 * minute.
 */
export function watchRedis(
  { connect, description }: Pick<Runtime['redis'], 'connect' | 'description'>,
  say: Output['say'],
  { givesUp, everyMs = 5000, longestMs = 60_000, onGivenUp = fail }: WatchOptions,
): Disposable {
  let probe: ReturnType<typeof connect> | undefined;
  let since: number | undefined;
  let isTold = false;
  const timer = setInterval(() => {
    if (since === undefined) {
      since = performance.now();
      probe ??= connect('watch');
      const onAnswer = () => {
        since = undefined;
        isTold = false;
      };
      probe.ping().then(onAnswer, (error: unknown) => {
        // Redis is there, and does not execute commands just now.
        if (error instanceof ReplyError) onAnswer();
      });
      return;
    }
    const end = givesUp
      ? `It gives up after ${describeDuration(longestMs)}.`
      : 'It continues once Redis answers.';
    if (!isTold) say(`This command waits for ${description}. ${end} To stop it, press Ctrl-C.`);
    isTold = true;
    if (!givesUp || performance.now() - since < longestMs) return;
    clearInterval(timer);
    const fix = 'Check that Redis runs and can be reached. Then run the same command again.';
    onGivenUp(new UseCaseError('redis_unusable', `${description} does not answer`, { fix }));
  }, everyMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
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
        fix: `${refusal.fix} Then run the same command again.`,
      });
    }
    if (!isTold) say(`Waiting up to ${describeDuration(longestMs)} until Redis takes writes`);
    await wait(askEveryMs);
  }
}
