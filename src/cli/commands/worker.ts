/** `campaigns worker`: works off whatever campaigns are there, until it is told to stop. */
import type { Command } from 'commander';
import { queueName } from '../../campaigns/documents/progress.ts';
import { drainMs } from '../../campaigns/work-off.ts';
import type { Workers } from '../../processors/workers.ts';
import type { QueueName } from '../../queues/queues.ts';
import { requireAccounts } from '../../runtime/accounts.ts';
import { createHealthApp } from '../../runtime/health.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { createWorkers } from '../../runtime/workers.ts';
import { CommandError } from '../exit.ts';
import { configOption, jsonOption, portNumber } from '../flags/common.ts';
import { listenOrSay, readinessOf } from '../http.ts';
import { listenForInterrupt, untilAborted } from '../interrupt.ts';
import { type CommonOptions, openSession } from '../session.ts';

interface WorkerFlags extends CommonOptions {
  readonly queues?: string;
  readonly healthPort?: number;
  readonly healthHost: string;
}

export function define(command: Command): Command {
  return command
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

async function work(flags: WorkerFlags): Promise<void> {
  await using session = await openSession(flags, { log: 'stderr' });
  const { runtime, output } = session;
  const { accounts, log, redis } = runtime;
  const queues = readQueues(flags.queues);
  requireAccounts(accounts);
  const workers = await createWorkers(runtime, queues);
  await using probes =
    flags.healthPort === undefined ? undefined : await answerProbes(runtime, workers, flags);
  using interrupt = listenForInterrupt(runtime);
  await workers.start();
  const facts = { redis: redis.description, accounts: accounts.names, probes: probes?.url };
  log.info({ ...workers.facts, ...facts }, 'worker started');
  await untilAborted(interrupt.signal);
  log.info('worker stops');
  // Probes are answered until the jobs at work have ended.
  await workers.stop(drainMs);
  log.info('worker stopped');
  output.document('worker', { stopped: true });
}

function answerProbes(runtime: Runtime, workers: Workers, { healthHost, healthPort = 0 }: WorkerFlags) {
  const app = createHealthApp(readinessOf(runtime, workers));
  return listenOrSay(app, { host: healthHost, port: healthPort }, '--health-host and --health-port');
}

/** @throws {CommandError} for a queue that there is not. */
function readQueues(text: string | undefined): readonly QueueName[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const known = queueName.options;
  const wrong = names.find((name) => !known.some((each) => each === name));
  if (wrong !== undefined) {
    throw new CommandError(`--queues: there is no queue "${wrong}"`, {
      cure: `Take some of: ${known.join(', ')}`,
    });
  }
  return known.filter((name) => names.includes(name));
}
