/** Wires what works rows off: processors and workers of one process. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { defaultAccount } from '../../config/access.ts';
import { NotSentError } from '../api/errors.ts';
import { CommandError } from '../cli/exit.ts';
import { AddressPolicy } from '../media/addresses.ts';
import { Downloader } from '../media/download.ts';
import { openSpool } from '../media/spool.ts';
import type { Account, Accounts } from '../processors/frame/accounts.ts';
import { CampaignViews } from '../processors/frame/campaign-view.ts';
import type { Failpoint, ProcessorContext } from '../processors/frame/context.ts';
import { Uploads } from '../processors/steps/uploads.ts';
import { Workers } from '../processors/workers.ts';
import type { QueueName } from '../queues/queues.ts';
import { requireClock } from './clock-check.ts';
import { readPackageFacts } from './package-facts.ts';
import type { LedgerSession } from './runtime.ts';

/** @throws {CommandError} when no connection can be made: campaigns would only run into their deadlines. */
export async function requireService({ name, client, budgets }: Account): Promise<void> {
  try {
    await budgets.waitFor('listCreatorAccounts');
    await client.creators.list({ pageSize: 1, pageNumber: 1 });
  } catch (error) {
    // Whatever else the service answers concerns the campaign, and is dealt with there.
    if (!(error instanceof NotSentError)) return;
    throw new CommandError(`the service is not reachable: ${error.message}`, {
      cure: `Check ${addressOf(name)} and the network. Nothing was sent.`,
      cause: error,
    });
  }
}

/** What says where an account is called. */
function addressOf(name: string): string {
  return name === defaultAccount ? 'CREATOR_API_URL' : `the setting accounts.${name}.url`;
}

export interface RunnerOptions {
  readonly accounts: Accounts;
  readonly log: Logger;
  readonly queues?: readonly QueueName[] | undefined;
}

/**
 * Makes the workers of this process; they take jobs once they are started.
 * @throws {CommandError} when the clock of this machine is wrong.
 */
export async function createWorkers(
  session: LedgerSession,
  { accounts, log, queues }: RunnerOptions,
): Promise<Workers> {
  const { ledger, settings, environment } = session;
  await requireClock(session.redis);
  const { maxBytes } = settings.media;
  const directory = join(environment.dataDir, 'spool');
  const spool = await openSpool({ directory, quotaBytes: settings.media.spool });
  const addresses = new AddressPolicy(settings.media.allowPrivateAddresses);
  const downloader = new Downloader({ spool, addresses, maxBytes });
  const media = { maxBytes, downloader };
  const context: ProcessorContext = {
    ledger,
    queues: session.queues,
    accounts,
    views: new CampaignViews(ledger),
    uploads: new Uploads({ files: ledger.files, media }),
    settings,
    now: Date.now,
    log,
    failpoint: readFailpoint(),
  };
  return new Workers({
    context,
    connect: (purpose) => session.redis.connect(purpose),
    queues,
    self: { host: hostname(), pid: process.pid, version: readPackageFacts().version },
    release: () => downloader[Symbol.asyncDispose](),
  });
}

/** The log of a process: JSON lines, to standard error, or to a file while a progress display has the terminal. */
export function createLog(level: string, to: 'stderr' | { readonly file: string }): Logger {
  const target: DestinationStream =
    to === 'stderr'
      ? destination({ dest: 2, sync: true })
      : destination({ dest: to.file, mkdir: true, sync: true });
  return pino({ level, base: { pid: process.pid } }, target);
}

/**
 * `CAMPAIGNS_FAILPOINT=NAME` or `NAME:N` kills this process at the N-th passing of a moment, `NAME:N:MS` holds it up for so
 * many milliseconds: crash tests say with it when.
 */
function readFailpoint(): (name: Failpoint) => void {
  const [wanted, count = '1', blockMs] = (process.env.CAMPAIGNS_FAILPOINT ?? '').split(':');
  if (!wanted) return () => undefined;
  let left = Number(count);
  return (name) => {
    if (name !== wanted || --left !== 0) return;
    if (blockMs === undefined) process.kill(process.pid, 'SIGKILL');
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(blockMs));
  };
}
