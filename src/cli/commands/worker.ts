/** `campaigns worker`: works off all campaigns until it is told to stop. */
import { queueName } from '../../campaigns/documents/progress.ts';

import type { QueueName } from '../../queues/queues.ts';
import { listen } from '../../runtime/http-server.ts';
import { type CheckReadiness, createProbesApp, readinessOf } from '../../runtime/observability/health.ts';
import { WorkerMetrics } from '../../runtime/observability/worker-metrics.ts';
import { unlessAborted } from '../../runtime/patience.ts';
import { requireAccounts } from '../../runtime/service/accounts.ts';
import { createWorkers, drainMs, requireCurrent } from '../../runtime/workers.ts';
import { CommandError } from '../exit.ts';
import { type Define, portNumber } from '../flags/common.ts';
import { addressCure, listenForInterrupt, untilAborted } from '../process.ts';
import { inSession, type Session } from '../session.ts';

interface WorkerFlags {
  readonly queues?: string;
  readonly healthPort?: number;
  readonly healthHost: string;
}

const worker: Define = (command) =>
  command
    .option('--queues <names>', 'take jobs of these queues only, separated by commas')
    .option('--health-port <port>', 'answer /healthz, /readyz and /metrics on this port', portNumber)
    .option('--health-host <address>', 'answer probes here; 0.0.0.0 for Kubernetes', '127.0.0.1')
    .addHelpText(
      'after',
      `
The log goes to standard error, as JSON lines. After SIGTERM it takes no new jobs, gives running jobs up to 25 seconds
to finish, and ends with 0. /healthz answers while the process is alive. /readyz answers 200 while Redis takes writes and the
workers run, else 503. /metrics is for Prometheus.

Examples:
  campaigns worker --queues upload,post
  campaigns worker --health-port 8080 --health-host 0.0.0.0`,
    )
    .action(inSession({ log: 'stderr' }, work));

async function work({ runtime, output }: Session, flags: WorkerFlags): Promise<void> {
  const { accounts, log, redis } = runtime;
  const queues = readQueues(flags.queues);
  requireAccounts(accounts);
  const metrics = flags.healthPort === undefined ? undefined : new WorkerMetrics();
  const workers = await createWorkers(runtime, { queues, metrics });
  await using probes = metrics && (await answerProbes(readinessOf(runtime, workers), metrics, flags));
  using interrupt = listenForInterrupt(runtime);
  await unlessAborted(workers.start(), interrupt.signal);
  // Each line of the log has the process id.
  const { pid: _pid, ...facts } = workers.facts;
  const address = { redis: redis.description, accounts: accounts.names, probes: probes?.url };
  log.info({ ...facts, ...address }, 'worker started');
  await untilAborted(AbortSignal.any([interrupt.signal, workers.outdated]));
  log.info('worker stops');
  // Answer probes until running jobs have ended.
  await workers.stop(drainMs);
  log.info('worker stopped');
  requireCurrent(workers);
  output.document('worker', { stopped: true });
}

function answerProbes(
  readiness: CheckReadiness,
  metrics: WorkerMetrics,
  { healthHost, healthPort = 0 }: WorkerFlags,
) {
  const app = createProbesApp(readiness, metrics);
  return listen(app, { host: healthHost, port: healthPort }, addressCure('--health-host and --health-port'));
}

/** @throws {CommandError} for an unknown queue. */
function readQueues(text: string | undefined): readonly QueueName[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const known = queueName.options;
  const wrong = names.find((name) => !known.some((each) => each === name));
  if (wrong !== undefined) {
    throw new CommandError(`--queues: there is no queue "${wrong}"`, {
      cure: `Choose from: ${known.join(', ')}`,
    });
  }
  return known.filter((name) => names.includes(name));
}

export const commands = { worker };
