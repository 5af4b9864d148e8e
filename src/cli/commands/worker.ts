/** `campaigns worker`: works off whatever campaigns are there, until it is told to stop. */
import { Command } from 'commander';
import type { CommonOptions } from '../ledger-session.ts';
import { configOption, jsonOption } from '../options.ts';

export function workerCommand(): Command {
  return new Command('worker')
    .description('work off all campaigns, beside other workers, until SIGTERM or Ctrl-C')
    .option('--queues <names>', 'only these queues, by comma (default: all)')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The log goes to standard error, as JSON lines. After SIGTERM it takes no new jobs, lets those at work finish for up
to 25 seconds, and ends with 0.

Example:
  campaigns worker --queues upload,post`,
    )
    .action(work);
}

async function work(options: CommonOptions & { readonly queues?: string }): Promise<void> {
  const [
    { openLedger },
    { openAccounts, requireAccounts },
    { createLog, createWorkers },
    { drainMs, listenForInterrupt },
  ] = await Promise.all([
    import('../ledger-session.ts'),
    import('../accounts.ts'),
    import('../runner.ts'),
    import('../work-off.ts'),
  ]);
  await using session = await openLedger(options);
  const queues = await readQueues(options.queues);
  await using accounts = openAccounts(session);
  requireAccounts(accounts);
  const log = createLog(session.environment.logLevel, 'stderr');
  const workers = await createWorkers(session, { accounts, log, queues });
  using interrupt = listenForInterrupt(session);
  await workers.start();
  log.info(
    { redis: session.redis.description, queues: queues ?? 'all', accounts: accounts.names },
    'worker started',
  );
  await new Promise<void>((resolve) => {
    if (interrupt.signal.aborted) resolve();
    interrupt.signal.addEventListener('abort', () => resolve());
  });
  log.info('worker stops');
  await workers.stop(drainMs);
  log.info('worker stopped');
  session.output.document({ stopped: true });
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
