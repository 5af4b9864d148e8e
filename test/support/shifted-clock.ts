/** Shifts the clock of a process by CLOCK_SHIFT_MS milliseconds; loaded by `--import`. */
const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const now = Date.now.bind(Date);

Date.now = () => now() + shift;
globalThis.Date = new Proxy(Date, {
  construct: (target, args: unknown[]) => Reflect.construct(target, args.length === 0 ? [Date.now()] : args),
});

export {};
