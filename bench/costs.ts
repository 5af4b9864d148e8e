/** Loaded into a process by `--import`: when it ends, appends what it has cost to the file `BENCH_COSTS`. */
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

export interface Costs {
  readonly cpuSeconds: number;
  /** Most memory. */
  readonly megabytes: number;
}

const { BENCH_COSTS: file } = process.env;
if (file !== undefined && isMainThread) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const costs: Costs = {
      cpuSeconds: (user + system) / 1e6,
      megabytes: process.resourceUsage().maxRSS / 1000,
    };
    appendFileSync(file, `${JSON.stringify(costs)}\n`);
  });
}
