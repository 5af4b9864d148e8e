/** `campaigns worker`: works off all campaigns until it is told to stop. */
import { queueName } from '../../app/campaigns/queues.ts';
import { type CheckReadiness, createProbesApp, readinessOf } from '../../app/runtime/health.ts';
import { listen } from '../../app/runtime/http-server.ts';
import { unlessAborted } from '../../app/runtime/patience.ts';
import { WorkerMetrics } from '../../app/runtime/worker-metrics.ts';
import { createWorkers } from '../../app/runtime/workers.ts';
import type { QueueName } from '../../queues/queues.ts';
import { addressFix, CommandError, listenForInterrupt, untilAborted } from '../exit.ts';
import { type Define, portNumber, refuseWithout } from '../flags/common.ts';
import { inSession, type Session } from '../session.ts';

interface WorkerFlags {
  readonly queues?: string;
  readonly healthPort?: number;
  readonly healthHost?: string;
}

export const worker: Define = (command) =>
  command
    .option('--queues <names>', 'take jobs only from these queues, separated by commas')
    .option('--health-port <port>', 'answer /healthz, /readyz and /metrics on this port', portNumber)
    .option('--health-host <address>', 'answer probes here (default: 127.0.0.1); 0.0.0.0 for Kubernetes')
    .notes(`
The queues: ${queueName.options.join(', ')}.

The log goes to standard error, as JSON lines. After SIGTERM it takes no new jobs, gives running jobs up to 25 seconds
to finish, and exits with 0. /healthz answers while the process is alive. /readyz answers 200 while Redis takes writes and the
workers run, else 503. /metrics is for Prometheus.

Examples:
  campaigns worker --queues upload,post
  campaigns worker --health-port 8080 --health-host 0.0.0.0`)
    .action(
      inSession({ log: 'stderr', lasts: true }, work, (flags) => {
        if (flags.healthPort === undefined) refuseWithout(flags, ['healthHost'], '--health-port');
      }),
    );

async function work({ runtime, output }: Session, flags: WorkerFlags): Promise<void> {
  const { service, log, redis } = runtime;
  const queues = readQueues(flags.queues);
  await service.need();
  const metrics = flags.healthPort === undefined ? undefined : new WorkerMetrics();
  const workers = await createWorkers(runtime, { queues, metrics });
  await using probes = metrics && (await answerProbes(readinessOf(runtime, workers), metrics, flags));
  using interrupt = listenForInterrupt(runtime);
  await unlessAborted(workers.start(), interrupt.signal);
  // Each line of the log has the process id.
  const { pid: _pid, ...facts } = workers.facts;
  const address = { redis: redis.description, probes: probes?.url };
  log.info({ ...facts, ...address }, 'worker started');
  await untilAborted(interrupt.signal);
  log.info('worker stops');
  // Answer probes until running jobs have ended.
  await workers.stop();
  log.info('worker stopped');
  output.document('worker', { stopped: true });
}

function answerProbes(
  readiness: CheckReadiness,
  metrics: WorkerMetrics,
  { healthHost = '127.0.0.1', healthPort = 0 }: WorkerFlags,
) {
  const app = createProbesApp(readiness, metrics);
  return listen(app, { host: healthHost, port: healthPort }, addressFix('--health-host and --health-port'));
}

/** @throws {CommandError} for an unknown queue. */
function readQueues(text: string | undefined): readonly QueueName[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const known = queueName.options;
  const wrong = names.find((name) => !known.some((each) => each === name));
  if (wrong !== undefined) {
    throw new CommandError(`--queues: there is no queue "${wrong}"`, {
      fix: `Choose from: ${known.join(', ')}`,
    });
  }
  return known.filter((name) => names.includes(name));
}
