/** Stands in for the process that the fuzzer tries inputs in: the kind of an input says what goes wrong. */
import type { Input, Tried } from '../../fuzz/supervisor.ts';

const good: Tried = { failure: undefined, cpuMs: 1, peakBytes: 1 };
let tried = 0;

process.on('disconnect', () => process.exit());
process.on('message', ({ kind }: Input) => {
  tried += 1;
  switch (kind) {
    case 'hang':
      return;
    case 'crash':
      setImmediate(() => {
        throw new Error('nobody catches this');
      });
      return;
    case 'error':
      return void process.send?.({ ...good, failure: 'TypeError: x is not iterable' });
    case 'slow':
      return void process.send?.({ ...good, cpuMs: 5000 });
    case 'large':
      return void process.send?.({ ...good, peakBytes: 1_000_000_000 });
    case 'garbage':
      return void process.send?.({ ...good, peakBytes: tried * 300_000_000 });
    default:
      return void process.send?.(good);
  }
});
