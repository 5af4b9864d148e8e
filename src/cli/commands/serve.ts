/** `campaigns serve`: a worker that serves the console, with Bull Board. */

import type { Environment } from '../../../config/load.ts';
import { addFirstAdmin, listUsers } from '../../app/access/users.ts';
import { accessOperations } from '../../app/operations/access.ts';
import { readConfiguration } from '../../app/runtime/configuration.ts';
import { readinessOf } from '../../app/runtime/health.ts';
import { listen } from '../../app/runtime/http-server.ts';
import { documentPlace, readPackageFacts } from '../../app/runtime/package.ts';
import { unlessAborted } from '../../app/runtime/patience.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { WorkerMetrics } from '../../app/runtime/worker-metrics.ts';
import { createWorkers } from '../../app/runtime/workers.ts';
import { boardPath, createConsoleApp } from '../../console/app.ts';
import { canBeOpen, type Reach } from '../../console/http/gate.ts';
import { isLoopback } from '../../console/http/own-origin.ts';
import type { Workers } from '../../processors/workers.ts';
import { addressFix, listenForInterrupt, untilAborted } from '../exit.ts';
import { type Define, portNumber } from '../flags/common.ts';
import type { Output } from '../print/output.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';
import { withoutAdmin } from './users.ts';

interface ServeFlags extends CommonOptions {
  readonly host?: string;
  readonly port?: number;
  readonly work: boolean;
}

const help = `
Bull Board at /board shows every queue and job. It allows only safe retries, removals and pauses.
/healthz answers while the process is alive. /readyz answers 200 while Redis takes writes and the workers run, else 503.

On this machine the console is open until it has a user (campaigns users add). On another address or behind a proxy it
requires a sign-in, and answers only as CONSOLE_ORIGIN. A tunnel from another machine needs neither:
  ssh -N -L 3000:127.0.0.1:3000 HOST        then http://localhost:3000

More: ${documentPlace('console.md')} and ${documentPlace('access.md')}

The log goes to standard error, as JSON lines. After SIGTERM it takes no new jobs, gives running jobs up to 25 seconds
to finish, and exits with 0.

Examples:
  campaigns serve                        the console at http://127.0.0.1:3000
  campaigns serve --no-work --port 8080  only the pages; workers run elsewhere`;

export const serve: Define = (command) =>
  command
    .option('--host <address>', 'listen here (default: CONSOLE_HOST, else 127.0.0.1)')
    .option('--port <port>', 'listen on this port (default: CONSOLE_PORT, else 3000)', portNumber)
    .option('--no-work', 'serve only pages: take no jobs, call no service')
    .notes(help)
    .action(serveConsole);

async function serveConsole(flags: ServeFlags): Promise<void> {
  const configuration = readConfiguration(flags.config);
  const { environment } = configuration;
  const { host = environment.consoleHost, port = environment.consolePort } = flags;
  await using session = await openSession(flags, { configuration, log: 'stderr', lasts: true });
  const { runtime } = session;
  if (flags.work) await runtime.service.need();
  const metrics = flags.work ? new WorkerMetrics() : undefined;
  const workers = metrics && (await createWorkers(runtime, { metrics }));
  await serveUntilStopped(session, { host, port }, { workers, metrics });
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** @param atWork workers of this process; undefined if it takes no jobs. */
async function serveUntilStopped(
  { runtime, output, record }: Session,
  address: Address,
  atWork: { readonly workers: Workers | undefined; readonly metrics: WorkerMetrics | undefined },
): Promise<void> {
  const { workers, metrics } = atWork;
  const { log, redis, environment } = runtime;
  const reach = reachOf(address, environment);
  if (environment.consoleAdminPassword !== undefined) {
    const added = await addFirstAdmin(runtime, environment.consoleAdminPassword);
    if (added !== undefined) {
      await record(accessOperations.addUser, {}, { name: added, role: 'admin' });
      output.say(`The first user is made, with the password of CONSOLE_ADMIN_PASSWORD_FILE: ${added}`);
    }
  }
  const ended = new AbortController();
  const app = createConsoleApp({
    runtime,
    readiness: readinessOf(runtime, workers),
    metrics,
    secrets: [environment.apiKey, environment.consoleAdminPassword],
    version: readPackageFacts().version,
    until: ended.signal,
    reach,
  });
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const isProxy = (from: string) => isTrusted(from, 0);
  await using server = await listen(app, { ...address, isProxy }, addressFix('--host and --port'));
  using interrupt = listenForInterrupt(runtime);
  if (workers) await unlessAborted(workers.start(), interrupt.signal);
  // Workers look at every heartbeat.
  using _watch = workers ? undefined : runtime.ledger.journal.watch();
  announce(output, server.url, reach);
  await announceSignIn(runtime, output, reach);
  log.info({ redis: redis.description, url: server.url, works: workers !== undefined }, 'serving');
  await untilAborted(interrupt.signal);
  log.info('server stops');
  // Answer pages and probes until running jobs have ended.
  await workers?.stop();
  await server.close();
  ended.abort();
  log.info('server stopped');
}

function reachOf({ host }: Address, environment: Environment): Reach {
  return {
    isLoopback: isLoopback(host),
    origin: environment.consoleOrigin,
    base: environment.consoleBase,
    trustedProxies: environment.consoleTrustedProxies,
  };
}

function announce(output: Output, server: string, { origin = server, base }: Reach): void {
  const url = `${origin}${base}`;
  output.print(`Console      ${url}/campaigns`);
  output.print(`Bull Board   ${url}${boardPath}`);
  output.print(`Probes       ${server}/healthz  ${server}/readyz`);
  output.print(`Metrics      ${url}/metrics`);
  output.print();
  output.print('Ctrl-C ends it once running jobs have finished.');
  output.document('serve', { url: server, boardUrl: `${server}${base}${boardPath}`, pid: process.pid });
}

/** Says what keeps people from signing in. */
async function announceSignIn(runtime: Runtime, output: Output, reach: Reach): Promise<void> {
  const users = await listUsers(runtime);
  if (users.length > 0 && !users.some(({ role }) => role === 'admin')) output.say(withoutAdmin);
  if (!canBeOpen(reach) && users.length === 0) {
    output.say(
      'A sign-in is needed, and there are no users yet. Add one:\n  campaigns users add NAME --role admin',
    );
  }
  if (!reach.isLoopback && reach.origin === undefined) {
    output.say(
      'It answers only as localhost. For another name, set CONSOLE_ORIGIN, such as https://console.example.',
    );
  }
}
