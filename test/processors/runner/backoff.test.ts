import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../../src/processors/runner/retry-policy.ts';

describe('backoffMs', () => {
  it('doubles its bound with every failure, up to the cap', () => {
    const longest = [1, 2, 3, 4, 5, 6].map((failures) =>
      backoffMs(failures, { base: 100, cap: 1000 }, () => 1),
    );
    expect(longest).toEqual([100, 200, 400, 800, 1000, 1000]);
  });

  it('takes any part of the bound, down to nothing', () => {
    expect(backoffMs(3, { base: 100, cap: 1000 }, () => 0)).toBe(0);
    expect(backoffMs(3, { base: 100, cap: 1000 }, () => 0.5)).toBe(200);
  });

  it('stays within the cap however often it failed', () => {
    const times = fc.record({
      base: fc.integer({ min: 0, max: 60_000 }),
      cap: fc.integer({ min: 0, max: 600_000 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        times,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, t, r) => {
          const ms = backoffMs(n, t, () => r);
          expect(ms).toBeGreaterThanOrEqual(0);
          expect(ms).toBeLessThanOrEqual(t.cap);
        },
      ),
    );
  });
});
