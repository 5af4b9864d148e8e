/** Switches of the environment that only tests set: moments at which a process is killed, and waits that are cut short. */
import type { Failpoint } from '../../processors/runner/context.ts';

/** `CAMPAIGNS_FAILPOINT=NAME[:N]` kills this process at a moment, the N-th time. `NAME:N:stop` stops it until SIGCONT. */
export function readFailpoint(
  text: string = process.env.CAMPAIGNS_FAILPOINT ?? '',
): (name: Failpoint) => void {
  const [wanted, count = '1', what] = text.split(':');
  if (!wanted) return () => undefined;
  let left = Number(count);
  return (name) => {
    if (name !== wanted || --left !== 0) return;
    process.kill(process.pid, what === 'stop' ? 'SIGSTOP' : 'SIGKILL');
  };
}

/**
 * Factor by which this process sooner takes over the work of a killed one, runs the rescuer, and gives up a Redis that refuses to
 * write: `CAMPAIGNS_HASTE=3` makes each three times as soon. Only for tests, which would otherwise wait. It is not a setting,
 * because a busy machine would lose the locks of its running jobs.
 */
export function readSpeedUp(text: string = process.env.CAMPAIGNS_HASTE ?? ''): number {
  return Math.max(1, Number(text) || 1);
}
