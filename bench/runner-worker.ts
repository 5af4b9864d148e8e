/** A process with workers only. It answers each message with its CPU time, and ends with its parent. */
import { openRunner } from './open-runner.ts';

const { workers } = await openRunner(JSON.parse(process.env.BENCH ?? '{}'));
await workers.start();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6 });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ started: true });
