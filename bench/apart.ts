/** Measurements in a process of their own, with fresh memory and cold code. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The flags that the launcher gives to Node. */
export const launcherFlags = ['--max-semi-space-size=16'];

/**
 * Runs a benchmark's file again in a new process, for one measurement.
 * @param file `import.meta.url` of the benchmark, which calls `measureHere`.
 * @returns the measurement.
 */
export async function measureApart<T>(file: string, task: object, flags: readonly string[] = []): Promise<T> {
  const child = fork(fileURLToPath(file), [], {
    env: { ...process.env, MEASURE: JSON.stringify(task) },
    execArgv: [...launcherFlags, ...flags],
  });
  const [measurement] = await once(child, 'message');
  await once(child, 'exit');
  return measurement as T;
}

/** In a process of `measureApart`: measures, and sends the result. @returns whether this is such a process. */
export async function measureHere<Task, T>(measure: (task: Task) => Promise<T>): Promise<boolean> {
  const { MEASURE: task } = process.env;
  if (task === undefined || process.send === undefined) return false;
  process.send(await measure(JSON.parse(task) as Task));
  await turn();
  process.disconnect();
  return true;
}
