/** The clock of the test's own process, to be put forward or back. */
import { onTestFinished, vi } from 'vitest';

/** `Date.now` of this process is off by `shiftMs`, until the test ends. The steady clock and Redis are right. */
export function ownClock(): { shiftMs: number } {
  const clock = { shiftMs: 0 };
  const right = Date.now.bind(Date);
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => right() + clock.shiftMs);
  onTestFinished(() => spy.mockRestore());
  return clock;
}

export const hourMs = 3_600_000;
