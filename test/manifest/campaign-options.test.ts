import { expect, it } from 'vitest';
import {
  asFileName,
  handedOverAt,
  readLead,
  roundedLead,
  writeLead,
} from '../../src/manifest/campaign-options.ts';
import type { Row } from '../../src/manifest/row.ts';

const hour = 3_600_000;

it.each([
  ['now', null],
  [' NOW ', null],
  ['5m', hour / 12],
  ['90m', 1.5 * hour],
  ['12 h', 12 * hour],
  ['2d', 48 * hour],
  ['366d', 366 * 24 * hour],
])('reads %s', (text, ms) => {
  expect(readLead(text)).toBe(ms);
});

it.each(['', '4m', '367d', '0', '-2d', '1.5d', '2 days', '2w', '9999999m'])('takes no %s', (text) => {
  expect(readLead(text)).toBeUndefined();
});

it.each([null, 5 * 60_000, 90 * 60_000, 36 * hour, 48 * hour])('writes %s as it reads it', (ms) => {
  expect(readLead(writeLead(ms))).toBe(ms);
});

it('rounds up to what people write', () => {
  const written = [1, 15 * 60_000 + 1, hour + 1, 24 * hour + 1].map((ms) => writeLead(roundedLead(ms)));
  expect(written).toEqual(['15m', '30m', '2h', '2d']);
});

it('the lead of a row goes before that of its campaign, and needs a time', () => {
  const schedule = { at: 100 * hour };
  const of = (row: Partial<Row>, usual: number | null) => handedOverAt(row as Row, usual);
  expect(of({ schedule }, 2 * hour)).toBe(98 * hour);
  expect(of({ schedule, lead: hour }, 2 * hour)).toBe(99 * hour);
  expect(of({ schedule, lead: null }, 2 * hour)).toBeUndefined();
  expect(of({ schedule }, null)).toBeUndefined();
  expect(of({ lead: hour }, 2 * hour)).toBeUndefined();
});

it.each([
  ['Spring 2027', 'Spring 2027'],
  ['Spring / Summer', 'Spring - Summer'],
  ['../../etc/cron', '-.-..-etc-cron'],
  ['.hidden', '-hidden'],
  ['a\\b\u0000\u202ec', 'a-b--c'],
])('the name %j stays in its folder, as %j', (name, expected) => {
  expect(asFileName(name)).toBe(expected);
});
