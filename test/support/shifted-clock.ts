/**
 * Shifts the clock of a process by CLOCK_SHIFT_MS milliseconds; loaded by `--import`. With CLOCK_SHIFT_FILE the clock jumps at
 * each SIGUSR2, to the shift that stands in that file.
 */
import { readFileSync } from 'node:fs';

const { CLOCK_SHIFT_MS, CLOCK_SHIFT_FILE: file } = process.env;
let shift = Number(CLOCK_SHIFT_MS ?? 0);
const now = Date.now.bind(Date);

Date.now = () => now() + shift;
globalThis.Date = new Proxy(Date, {
  construct: (target, args: unknown[]) => Reflect.construct(target, args.length === 0 ? [Date.now()] : args),
});

if (file !== undefined)
  process.on('SIGUSR2', () => {
    shift = Number(readFileSync(file, 'utf8'));
  });
