/** `campaigns serve`: a worker that shows the queues in Bull Board, on this machine only. */
import type { Command } from 'commander';
import { createJobDescriber } from '../../campaigns/progress/shown-jobs.ts';

import { boardPath, createConsoleApp } from '../../console/app.ts';
import { isLoopback } from '../../console/own-origin.ts';
import type { Workers } from '../../processors/workers.ts';
import { keysOfAccounts, requireAccounts } from '../../runtime/accounts.ts';
import { readConfiguration } from '../../runtime/configuration.ts';
import { listen } from '../../runtime/http-server.ts';
import { readPackageFacts } from '../../runtime/package-facts.ts';
import { createWorkers, drainMs, requireCurrent } from '../../runtime/workers.ts';
import { CommandError } from '../exit.ts';
import { portNumber } from '../flags/common.ts';
import { addressCure, readinessOf } from '../http.ts';
import { listenForInterrupt, untilAborted } from '../interrupt.ts';
import type { Output } from '../print/output.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';

interface ServeFlags extends CommonOptions {
  readonly host?: string;
  readonly port?: number;
  readonly work: boolean;
}

const help = `
Bull Board at /board shows every queue and job. It allows only safe retries, removals and pauses (docs/operations.md).
/healthz answers while the process is alive. /readyz answers 200 while Redis answers and the workers run, else 503.

There is no sign-in, so it listens on loopback only. From another machine, use a tunnel:
  ssh -N -L 3000:127.0.0.1:3000 HOST        then http://localhost:3000/board

The log goes to standard error, as JSON lines. After SIGTERM it takes no new jobs, gives running jobs up to 25 seconds
to finish, and ends with 0.

Examples:
  campaigns serve                           work campaigns off, with Bull Board at http://127.0.0.1:3000/board
  campaigns serve --no-work --port 8080     only the pages; workers run elsewhere`;

export function define(command: Command): Command {
  return command
    .option('--host <address>', 'listen here (default: CONSOLE_HOST, else 127.0.0.1)')
    .option('--port <port>', 'listen on this port (default: CONSOLE_PORT, else 3000)', portNumber)
    .option('--no-work', 'serve only pages: take no jobs, call no service')
    .addHelpText('after', help)
    .action(serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  const configuration = readConfiguration(flags.config);
  const address = readAddress(flags, configuration.environment);
  await using session = await openSession(flags, { configuration, log: 'stderr' });
  const { runtime } = session;
  if (flags.work) requireAccounts(runtime.accounts);
  await serveUntilStopped(session, address, flags.work ? await createWorkers(runtime) : undefined);
}

interface Address {
  readonly host: string;
  readonly port: number;
}

async function serveUntilStopped(
  { runtime, output }: Session,
  address: Address,
  workers: Workers | undefined,
): Promise<void> {
  const { log, redis, environment } = runtime;
  const ended = new AbortController();
  const app = createConsoleApp({
    runtime,
    describe: createJobDescriber(runtime),
    readiness: readinessOf(runtime, workers),
    secrets: [...keysOfAccounts(runtime), environment.consolePassword],
    version: readPackageFacts().version,
    until: ended.signal,
  });
  await using server = await listen(app, address, addressCure('--host and --port'));
  using interrupt = listenForInterrupt(runtime);
  await workers?.start();
  announce(output, server.url, `${server.url}${boardPath}`);
  log.info({ redis: redis.description, url: server.url, works: workers !== undefined }, 'serving');
  const outdated = workers === undefined ? [] : [workers.outdated];
  await untilAborted(AbortSignal.any([interrupt.signal, ...outdated]));
  log.info('server stops');
  ended.abort();
  // Answer pages and probes until running jobs have ended.
  await workers?.stop(redis.gone.aborted ? 0 : drainMs);
  await server.close();
  log.info('server stopped');
  if (workers) requireCurrent(workers);
}

/** @throws {CommandError} for an address that other machines can reach. */
function readAddress(
  flags: ServeFlags,
  environment: { readonly consoleHost: string; readonly consolePort: number },
): Address {
  const host = flags.host ?? environment.consoleHost;
  if (!isLoopback(host)) {
    const from = flags.host === undefined ? 'CONSOLE_HOST' : '--host';
    throw new CommandError(`${from} is ${host}, but without a sign-in pages are served on loopback only`, {
      cure: 'Use 127.0.0.1. From another machine, use a tunnel:\n  ssh -N -L 3000:127.0.0.1:3000 HOST',
    });
  }
  return { host, port: flags.port ?? environment.consolePort };
}

function announce(output: Output, url: string, boardUrl: string): void {
  output.print(`Console      ${url}/campaigns`);
  output.print(`Bull Board   ${boardUrl}`);
  output.print(`Probes       ${url}/healthz  ${url}/readyz`);
  output.print();
  output.print('Ctrl-C ends it once running jobs have finished.');
  output.document('serve', { url, boardUrl, pid: process.pid });
}
