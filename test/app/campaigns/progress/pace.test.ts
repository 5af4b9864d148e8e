import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PaceWindow } from '../../../../src/app/campaigns/progress/pace.ts';

/** Rows ending evenly, so many a second, looked at four times a second. */
function steadily(perSecond: number, seconds: number, window = new PaceWindow(), from = 0, ended = 0) {
  for (let at = 0; at <= seconds * 1000; at += 250) {
    window.add(from + at, ended + Math.floor((at / 1000) * perSecond));
  }
  return window;
}

describe('the pace of a campaign', () => {
  it('is undefined while there are too few samples', () => {
    expect(new PaceWindow().pace(10)).toBeUndefined();
    expect(steadily(100, 2).pace(10)).toBeUndefined();
    expect(steadily(0.1, 20).pace(10)).toBeUndefined();
  });

  it('is a range around the time that the same pace would need', () => {
    const { rowsPerMinute, remaining } = steadily(10, 60).pace(6000) ?? { remaining: undefined };
    expect(rowsPerMinute).toBeCloseTo(600, -1);
    expect(remaining?.least).toBeGreaterThan(550_000);
    expect(remaining?.least).toBeLessThan(600_000);
    expect(remaining?.most).toBeGreaterThan(600_000);
    expect(remaining?.most).toBeLessThan(650_000);
  });

  it('is wide where few rows have ended', () => {
    const { remaining } = steadily(0.5, 20).pace(100) ?? { remaining: undefined };
    expect((remaining?.most ?? 0) / (remaining?.least ?? 1)).toBeGreaterThan(1.5);
  });

  it('has no upper limit while no row ends', () => {
    const window = steadily(0, 40, steadily(10, 60), 60_000, 600);
    expect(window.pace(100)).toMatchObject({ rowsPerMinute: 0, remaining: { most: undefined } });
  });

  it('counts rows that a retry sends back as ended, and is never negative', () => {
    const window = steadily(0, 4, steadily(10, 40), 41_000, 250);
    expect(window.pace(150)?.rowsPerMinute).toBeGreaterThan(400);
    expect(steadily(10, 20, window, 46_000, 250).pace(1)?.rowsPerMinute).toBeGreaterThan(300);
  });

  it('follows the recent pace', () => {
    const window = steadily(100, 40, steadily(1, 60), 60_000, 60);
    expect(window.pace(1000)?.rowsPerMinute).toBeCloseTo(6000, -2);
  });

  it('does not jump where the pace goes up and down', () => {
    const window = new PaceWindow();
    const ranges = [];
    let ended = 0;
    // A minute at ten a second, then one at two a second, by turns.
    for (let second = 0; second < 1200; second += 1) {
      ended += Math.floor(second / 60) % 2 === 0 ? 10 : 2;
      window.add(second * 1000, ended);
      const { remaining } = window.pace(10_000) ?? { remaining: undefined };
      if (second > 600) ranges.push([remaining?.least ?? 0, remaining?.most ?? 0] as const);
    }
    const [least, most] = [ranges.map(([from]) => from), ranges.map(([, to]) => to)];
    expect(Math.max(...least) / Math.min(...least)).toBeLessThan(1.2);
    expect(Math.max(...most) / Math.min(...most)).toBeLessThan(1.2);
  });

  it('is never faster than the rate limit of posts allows', () => {
    const remaining = steadily(100, 20).pace(1000, 5)?.remaining;
    expect(remaining).toEqual({ least: 200_000, most: 200_000 });
  });

  it('is a range in order, whatever was seen', () => {
    const steps = fc.array(fc.record({ ms: fc.nat(20_000), rows: fc.nat(50) }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, fc.nat(100_000), (seen, left) => {
        const window = new PaceWindow();
        let at = 0;
        let ended = 0;
        for (const { ms, rows } of seen) {
          at += ms;
          ended += rows;
          window.add(at, ended);
        }
        const pace = window.pace(left);
        const { least = 0, most = Number.POSITIVE_INFINITY } = pace?.remaining ?? {};
        expect(least).toBeGreaterThanOrEqual(0);
        expect(least).toBeLessThanOrEqual(most);
        expect(pace?.rowsPerMinute ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
