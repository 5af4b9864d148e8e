/** Wires what works rows off: client, budgets, processors and workers of one process. */
import { join } from 'node:path';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from '../api/client.ts';
import { NotConfiguredError, NotSentError } from '../api/errors.ts';
import { AddressPolicy } from '../media/addresses.ts';
import { Downloader } from '../media/download.ts';
import { openSpool } from '../media/spool.ts';
import { CampaignViews } from '../processors/campaign-view.ts';
import type { Failpoint, ProcessorContext } from '../processors/context.ts';
import { Uploads } from '../processors/uploads.ts';
import { Workers } from '../processors/workers.ts';
import { Budgets } from '../queues/budgets.ts';
import type { QueueName } from '../queues/queues.ts';
import { requireClock } from './clock-check.ts';
import { CommandError } from './exit.ts';
import type { LedgerSession } from './ledger-session.ts';

/** There is one account of the service until more are configured. */
export const defaultAccount = 'default';

export interface Service extends AsyncDisposable {
  readonly client: ServiceClient;
  readonly budgets: Budgets;
}

/** Opens the client of the service. @throws {CommandError} when URL or key are not set. */
export function openService(session: LedgerSession): Service {
  const { environment, settings } = session;
  if (environment.apiUrl === undefined) {
    throw new CommandError('CREATOR_API_URL is not set', {
      cure: 'Give the base address of the service, or try things out with: campaigns sandbox',
    });
  }
  if (environment.apiKey === undefined) {
    throw new CommandError('CREATOR_API_KEY is not set', {
      cure: 'Give the API key of the service in CREATOR_API_KEY, or a file that holds it in CREATOR_API_KEY_FILE.',
    });
  }
  const { timeout: timeoutMs } = settings.api;
  const client = connectClient({
    baseUrl: environment.apiUrl,
    apiKey: environment.apiKey,
    timeoutMs,
    templates: settings.api,
  });
  const budgets = new Budgets({
    redis: session.redis.connect('budgets'),
    prefix: session.ledger.keys.prefix,
    account: defaultAccount,
    budgets: settings.budgets,
    retry: settings.retry,
  });
  return {
    client,
    budgets,
    async [Symbol.asyncDispose]() {
      budgets.close();
      await client.close();
    },
  };
}

/** @throws {CommandError} when no connection can be made: campaigns would only run into their deadlines. */
export async function requireService({ client, budgets }: Service): Promise<void> {
  try {
    await budgets.waitFor('listCreatorAccounts');
    await client.creators.list({ pageSize: 1, pageNumber: 1 });
  } catch (error) {
    // Whatever else the service answers concerns the campaign, and is dealt with there.
    if (!(error instanceof NotSentError)) return;
    throw new CommandError(`the service is not reachable: ${error.message}`, {
      cure: 'Check CREATOR_API_URL and the network. Nothing was sent.',
      cause: error,
    });
  }
}

/** @throws {CommandError} for a template of the settings that cannot work. */
function connectClient(options: ServiceClientOptions): ServiceClient {
  try {
    return createServiceClient(options);
  } catch (error) {
    if (!(error instanceof NotConfiguredError)) throw error;
    throw new CommandError(error.message, {
      cure: error.cure,
      cause: error,
    });
  }
}

export interface RunnerOptions {
  readonly service: Service;
  readonly log: Logger;
  readonly queues?: readonly QueueName[] | undefined;
}

/**
 * Makes the workers of this process; they take jobs once they are started.
 * @throws {CommandError} when the clock of this machine is wrong.
 */
export async function createWorkers(
  session: LedgerSession,
  { service, log, queues }: RunnerOptions,
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
    client: service.client,
    budgets: service.budgets,
    views: new CampaignViews(ledger),
    uploads: new Uploads({ ...service, files: ledger.files, media }),
    settings,
    now: Date.now,
    log,
    failpoint: readFailpoint(),
  };
  return new Workers({
    context,
    connect: (purpose) => session.redis.connect(purpose),
    queues,
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
