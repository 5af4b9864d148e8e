/** Workers alone, in a process of their own: it says what its processor time is when asked, and ends with its parent. */
import { openRunner } from './open-runner.ts';

const { workers } = await openRunner(JSON.parse(process.env.BENCH ?? '{}'));
await workers.start();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6 });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ started: true });
