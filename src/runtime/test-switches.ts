/** Moments at which crash tests kill or stop this process. */
import type { Failpoint } from '../processors/runner/context.ts';

/**
 * `CAMPAIGNS_FAILPOINT=NAME` or `NAME:N` kills this process when it reaches a moment for the N-th time. `NAME:N:stop` stops it
 * there until it gets SIGCONT.
 */
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

export function readHaste(text: string = process.env.CAMPAIGNS_HASTE ?? ''): number {
  return Math.max(1, Number(text) || 1);
}
