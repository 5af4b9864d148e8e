import { expect, test } from 'vitest';
import { shortTime, timeText } from '../../../src/cli/print/time.ts';

const at = Date.parse('2026-11-27T18:00:07Z');
const now = Date.parse('2026-11-20T00:00:00Z');

test('a time is in the zone of the sheet, which is named', () => {
  expect(timeText(at, 'Asia/Shanghai', now)).toBe('Sat 28 Nov, 02:00 (Asia/Shanghai)');
});

test('without a zone it is in UTC', () => {
  expect(timeText(at, null, now)).toBe('Fri 27 Nov, 18:00 (UTC)');
});

test('another year is named', () => {
  expect(shortTime(Date.parse('2030-03-04T14:00:00Z'), null, now)).toBe('Mon 4 Mar 2030, 14:00');
});

test('where the order matters, seconds are shown', () => {
  expect(shortTime(at, null, now, { second: '2-digit' })).toBe('Fri 27 Nov, 18:00:07');
});
