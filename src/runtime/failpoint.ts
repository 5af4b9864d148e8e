/** Moments at which crash tests kill or block this process. */
import type { Failpoint } from '../processors/frame/context.ts';

/**
 * `CAMPAIGNS_FAILPOINT=NAME` or `NAME:N` kills this process when it reaches a moment for the N-th time. `NAME:N:MS` blocks it
 * there for MS milliseconds.
 */
export function readFailpoint(
  text: string = process.env.CAMPAIGNS_FAILPOINT ?? '',
): (name: Failpoint) => void {
  const [wanted, count = '1', blockMs] = text.split(':');
  if (!wanted) return () => undefined;
  let left = Number(count);
  return (name) => {
    if (name !== wanted || --left !== 0) return;
    if (blockMs === undefined) process.kill(process.pid, 'SIGKILL');
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(blockMs));
  };
}
