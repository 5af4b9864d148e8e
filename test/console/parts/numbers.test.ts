import { describe, expect, it } from 'vitest';
import { clock, clockWithSeconds, isoDay, isZone, moment } from '../../../src/console/parts/numbers.ts';

const beforeMidnight = Date.UTC(2027, 2, 12, 15, 59, 59);
const midnight = beforeMidnight + 1000;

describe('times', () => {
  it('change their day at midnight of the zone, however often they were shown', () => {
    for (const _time of ['first', 'again']) {
      expect(isoDay(beforeMidnight, 'Asia/Shanghai')).toBe('2027-03-12');
      expect(isoDay(midnight, 'Asia/Shanghai')).toBe('2027-03-13');
      expect(isoDay(midnight, 'UTC')).toBe('2027-03-12');
      expect(moment(midnight, 'Asia/Shanghai', midnight)).toBe('00:00');
      expect(moment(beforeMidnight, 'Asia/Shanghai', midnight)).toBe('Fri 12 Mar, 23:59');
    }
  });

  it('tell seconds apart that share a minute', () => {
    expect(clock(beforeMidnight - 1000, 'UTC')).toBe(clock(beforeMidnight, 'UTC'));
    expect(clockWithSeconds(beforeMidnight - 1000, 'UTC')).toBe('15:59:58');
    expect(clockWithSeconds(beforeMidnight, 'UTC')).toBe('15:59:59');
  });

  it('know the zones of the computer', () => {
    expect(['UTC', 'Asia/Shanghai', 'Mars/Olympus', ''].map(isZone)).toEqual([true, true, false, false]);
  });
});
