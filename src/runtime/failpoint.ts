/** Where crash tests kill or hold up this process. */
import type { Failpoint } from '../processors/frame/context.ts';

/**
 * `CAMPAIGNS_FAILPOINT=NAME` or `NAME:N` kills this process at the N-th passing of a moment; `NAME:N:MS` blocks it there for
 * so many milliseconds.
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
