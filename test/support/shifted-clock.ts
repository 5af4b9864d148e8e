/**
 * Shifts the clock of a process by CLOCK_SHIFT_MS milliseconds; loaded by `--import`. With CLOCK_SHIFT_BY=SIGUSR2, the clock is right
 * until that signal, and each further one turns it back or again.
 */
const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const now = Date.now.bind(Date);
let isShifted = process.env.CLOCK_SHIFT_BY === undefined;

if (!isShifted) {
  process.on('SIGUSR2', () => {
    isShifted = !isShifted;
  });
}
Date.now = () => now() + (isShifted ? shift : 0);
globalThis.Date = new Proxy(Date, {
  construct: (target, args: unknown[]) => Reflect.construct(target, args.length === 0 ? [Date.now()] : args),
});

export {};
