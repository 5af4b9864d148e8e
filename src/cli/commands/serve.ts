/** `campaigns serve`: a worker that shows its queues, with Bull Board, to the operators of this machine. */
import { Command } from 'commander';
import type { Logger } from 'pino';
import type { Workers } from '../../processors/workers.ts';
import type { CommonOptions, LedgerSession } from '../../runtime/runtime.ts';
import { CommandError } from '../exit.ts';
import { configOption, jsonOption, portNumber } from '../flags/common.ts';

interface Flags extends CommonOptions {
  readonly host?: string;
  readonly port?: number;
  readonly work: boolean;
}

const help = `
Bull Board is at /board: every queue and job, with retry, removal and pause where they are safe (docs/operations.md).
/healthz answers while the process is alive, /readyz with 200 while Redis answers and the workers run, else with 503.

There is no sign-in: it listens on loopback only. From elsewhere, come by a tunnel:
  ssh -N -L 3000:127.0.0.1:3000 HOST        then http://localhost:3000/board

The log goes to standard error, as JSON lines. After SIGTERM it takes no new jobs, lets those at work finish for up
to 25 seconds, and ends with 0.

Examples:
  campaigns serve                           work campaigns off, with Bull Board at http://127.0.0.1:3000/board
  campaigns serve --no-work --port 8080     only the pages; workers run elsewhere`;

export function serveCommand(): Command {
  return new Command('serve')
    .description('work off all campaigns, with Bull Board at /board, until SIGTERM or Ctrl-C')
    .option('--host <address>', 'loopback address to listen on (default: CONSOLE_HOST, else 127.0.0.1)')
    .option('--port <port>', 'port; 0 takes a free one (default: CONSOLE_PORT, else 3000)', portNumber)
    .option('--no-work', 'only the pages: take no jobs, call no service')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', help)
    .action(serve);
}

async function serve(flags: Flags): Promise<void> {
  const [{ openLedgerOf, readConfiguration }, { createOutput }, { createLog }] = await Promise.all([
    import('../../runtime/runtime.ts'),
    import('../print/output.ts'),
    import('../../runtime/workers.ts'),
  ]);
  const configuration = readConfiguration(flags);
  const address = await readAddress(flags, configuration.environment);
  await using session = await openLedgerOf(configuration, createOutput(flags.json ?? false));
  const log = createLog(configuration.environment.logLevel, 'stderr');
  if (flags.work) return await serveAndWork(session, log, address);
  await serveUntilStopped(session, log, address, undefined);
}

interface Address {
  readonly host: string;
  readonly port: number;
}

async function serveAndWork(session: LedgerSession, log: Logger, address: Address): Promise<void> {
  const [{ createWorkers }, { openAccounts, requireAccounts }] = await Promise.all([
    import('../../runtime/workers.ts'),
    import('../../runtime/accounts.ts'),
  ]);
  await using accounts = openAccounts(session);
  requireAccounts(accounts);
  const workers = await createWorkers(session, { accounts, log });
  await serveUntilStopped(session, log, address, workers);
}

async function serveUntilStopped(
  session: LedgerSession,
  log: Logger,
  address: Address,
  workers: Workers | undefined,
): Promise<void> {
  const [{ boardPath, createConsoleApp }, { listenOrSay, readinessOf }, { keysOfAccounts }, stopping] =
    await Promise.all([
      import('../../console/app.ts'),
      import('../http.ts'),
      import('../../runtime/accounts.ts'),
      import('../work-off.ts'),
    ]);
  const app = createConsoleApp({
    queues: session.queues,
    readiness: readinessOf(session, workers),
    log,
    secrets: [...keysOfAccounts(session), session.environment.consolePassword],
  });
  await using server = await listenOrSay(app, address, '--host and --port');
  using interrupt = stopping.listenForInterrupt(session);
  await workers?.start();
  announce(session, server.url, `${server.url}${boardPath}`);
  log.info({ redis: session.redis.description, url: server.url, works: workers !== undefined }, 'serving');
  await stopping.untilAborted(interrupt.signal);
  log.info('server stops');
  // Pages and probes are answered until the jobs at work have ended.
  await workers?.stop(session.redis.gone.aborted ? 0 : stopping.drainMs);
  await server.close();
  log.info('server stopped');
}

/** @throws {CommandError} for an address that others can reach. */
async function readAddress(
  flags: Flags,
  environment: { readonly consoleHost: string; readonly consolePort: number },
): Promise<Address> {
  const { isLoopback } = await import('../../console/own-origin.ts');
  const host = flags.host ?? environment.consoleHost;
  if (!isLoopback(host)) {
    const from = flags.host === undefined ? 'CONSOLE_HOST' : '--host';
    throw new CommandError(
      `${from} is ${host}: there is no sign-in yet, so pages are served on loopback only`,
      {
        cure: 'Take 127.0.0.1, and come from elsewhere by a tunnel: ssh -N -L 3000:127.0.0.1:3000 HOST',
      },
    );
  }
  return { host, port: flags.port ?? environment.consolePort };
}

function announce({ output }: LedgerSession, url: string, boardUrl: string): void {
  output.print(`Bull Board   ${boardUrl}`);
  output.print(`Probes       ${url}/healthz  ${url}/readyz`);
  output.print();
  output.print('Ctrl-C ends it, once the jobs at work have finished.');
  output.document({ url, boardUrl, pid: process.pid });
}
