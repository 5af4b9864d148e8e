/** `campaigns worker`: works off whatever campaigns are there, until it is told to stop. */
import { Command } from 'commander';
import type { Workers } from '../../processors/workers.ts';
import type { CommonOptions, LedgerSession } from '../../runtime/runtime.ts';
import { configOption, jsonOption, portNumber } from '../flags/common.ts';

export function workerCommand(): Command {
  return new Command('worker')
    .description('work off all campaigns, beside other workers, until SIGTERM or Ctrl-C')
    .option('--queues <names>', 'only these queues, by comma (default: all)')
    .option('--health-port <port>', 'answer probes at /healthz and /readyz on this port', portNumber)
    .option(
      '--health-host <address>',
      'address that probes come to; 0.0.0.0 for those of Kubernetes',
      '127.0.0.1',
    )
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The log goes to standard error, as JSON lines. After SIGTERM it takes no new jobs, lets those at work finish for up
to 25 seconds, and ends with 0. /healthz answers while the process is alive, /readyz with 200 while Redis answers and
the workers run, else with 503.

Examples:
  campaigns worker --queues upload,post
  campaigns worker --health-port 8080 --health-host 0.0.0.0`,
    )
    .action(work);
}

interface Flags extends CommonOptions {
  readonly queues?: string;
  readonly healthPort?: number;
  readonly healthHost: string;
}

async function work(options: Flags): Promise<void> {
  const [
    { openLedger },
    { openAccounts, requireAccounts },
    { createLog, createWorkers },
    { drainMs, listenForInterrupt, untilAborted },
  ] = await Promise.all([
    import('../../runtime/runtime.ts'),
    import('../../runtime/accounts.ts'),
    import('../../runtime/workers.ts'),
    import('../work-off.ts'),
  ]);
  await using session = await openLedger(options);
  const queues = await readQueues(options.queues);
  await using accounts = openAccounts(session);
  requireAccounts(accounts);
  const log = createLog(session.environment.logLevel, 'stderr');
  const workers = await createWorkers(session, { accounts, log, queues });
  await using probes =
    options.healthPort === undefined ? undefined : await answerProbes(session, workers, options);
  using interrupt = listenForInterrupt(session);
  await workers.start();
  const facts = { redis: session.redis.description, accounts: accounts.names, probes: probes?.url };
  log.info({ ...workers.facts, ...facts }, 'worker started');
  await untilAborted(interrupt.signal);
  log.info('worker stops');
  // Probes are answered until the jobs at work have ended.
  await workers.stop(drainMs);
  log.info('worker stopped');
  session.output.document({ stopped: true });
}

async function answerProbes(session: LedgerSession, workers: Workers, { healthHost, healthPort = 0 }: Flags) {
  const [{ createHealthApp }, { listenOrSay, readinessOf }] = await Promise.all([
    import('../../runtime/health.ts'),
    import('../http.ts'),
  ]);
  const app = createHealthApp(readinessOf(session, workers));
  return listenOrSay(app, { host: healthHost, port: healthPort }, '--health-host and --health-port');
}

async function readQueues(text: string | undefined) {
  if (text === undefined) return undefined;
  const [{ queueNames }, { CommandError }] = await Promise.all([
    import('../../queues/queues.ts'),
    import('../exit.ts'),
  ]);
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !queueNames.some((known) => known === name));
  if (wrong !== undefined) {
    throw new CommandError(`--queues: there is no queue "${wrong}"`, {
      cure: `Take some of: ${queueNames.join(', ')}`,
    });
  }
  return queueNames.filter((known) => names.includes(known));
}
