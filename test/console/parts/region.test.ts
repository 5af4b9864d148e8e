import { expect, it } from 'vitest';
import { aheadInRegion, timeInRegion } from '../../../src/console/parts/numbers.ts';

const at = Date.UTC(2031, 2, 12, 10);
const now = Date.UTC(2031, 0, 1);

it.each([
  ['TH', 'Wed 12 Mar, 17:00 in Thailand', 'Thailand, 1 h earlier'],
  ['my', 'Wed 12 Mar, 18:00 in Malaysia', 'Malaysia, the same time'],
  ['CN', 'Wed 12 Mar, 18:00 in China', 'China, the same time'],
  ['DE', 'Wed 12 Mar, 11:00 in Germany', 'Germany, 7 h earlier'],
  ['IN', 'Wed 12 Mar, 15:30 in India', 'India, 2 h 30 min earlier'],
  ['JP', 'Wed 12 Mar, 19:00 in Japan', 'Japan, 1 h later'],
  ['US', 'United States, several time zones', 'United States, several time zones'],
  ['ID', 'Indonesia, several time zones', 'Indonesia, several time zones'],
])('the time in %s', (region, time, ahead) => {
  expect(timeInRegion(at, region, now)).toBe(time);
  expect(aheadInRegion(at, region, 'Asia/Shanghai')).toBe(ahead);
});

it.each([undefined, '', 'ZZ', 'Europe', '\u202eTH', '<b>'])('%s is no region', (region) => {
  expect(timeInRegion(at, region, now)).toBeUndefined();
});
