import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTime } from '../../../src/manifest/cells/time.ts';
import { Zones } from '../../../src/manifest/cells/zone.ts';
import { readSerialDate } from '../../../src/sheets/xlsx/cell.ts';
import { readFormatCode } from '../../../src/sheets/xlsx/styles.ts';
import { readOne } from './workbook-rows.ts';

/** 1 December 2026. */
const day = 46_357;

test.each([
  [14, day, '2026-12-01'],
  [14, day + 0.5, '2026-12-01 12:00'],
  [22, day, '2026-12-01 00:00'],
  [22, day + 0.416666666666667, '2026-12-01 10:00'],
  [22, day + 0.416678240740741, '2026-12-01 10:00:01'],
  [20, 0.75, '18:00'],
  [18, day + 0.75, '18:00'],
  ['h:mm AM/PM', day + 0.8125, '19:30'],
  [46, 1.5, '36:00'],
  [31, day, '2026-12-01'],
  [57, day, '2026-12-01'],
  ['yyyy/m/d h:mm;@', day + 0.25, '2026-12-01 06:00'],
  ['[$-804]yyyy"年"m"月"d"日"', day, '2026-12-01'],
])('format %s shows %d as %s', async (format, serial, text) => {
  expect((await readOne(`<c s="1"><v>${serial}</v></c>`, { formats: [format] })).text).toBe(text);
});

test.each([
  [22, '2027-05-06T19:45:00.000Z', '2027-05-06 19:45'],
  [22, '2027-05-06T19:45:10.5', '2027-05-06 19:45:10'],
  [22, '2027-05-06T00:00:00.000Z', '2027-05-06 00:00'],
  [14, '2027-05-06T19:45:00Z', '2027-05-06 19:45'],
  [14, '2027-05-06T00:00:00.000Z', '2027-05-06'],
  [14, '2027-05-06', '2027-05-06'],
  [20, '19:45:00', '19:45'],
  [20, '1899-12-31T19:45:00.000Z', '19:45'],
])('format %s shows the date %s as %s, in no zone', async (format, value, text) => {
  expect((await readOne(`<c s="1" t="d"><v>${value}</v></c>`, { formats: [format] })).text).toBe(text);
});

test('days may be counted from 1904', async () => {
  const contents = { formats: [22], date1904: true };
  expect((await readOne(`<c s="1"><v>${day - 1462}.5</v></c>`, contents)).text).toBe('2026-12-01 12:00');
});

test.each(['-1', '2958466'])('day %s does not exist and is a fault', async (serial) => {
  const { fault } = await readOne(`<c s="1"><v>${serial}</v></c>`, { formats: [22] });
  expect(fault).toMatchObject({ code: 'impossible_time', value: serial });
});

test.each([
  [1, '1900-01-01'],
  [59, '1900-02-28'],
  [61, '1900-03-01'],
])('day %d of 1900 is %s, though it had no 29 February', (serial, date) => {
  expect(readSerialDate(serial, false, false)).toBe(date);
});

test('every minute reads back as the same instant', () => {
  const zone = new Zones().find('UTC');
  const minute = fc.integer({ min: Date.UTC(2000, 0, 1) / 60_000, max: Date.UTC(2100, 0, 1) / 60_000 });
  fc.assert(
    fc.property(minute, (minutes) => {
      const text = readSerialDate(minutes / 1440 + 25_569, true, false) ?? '';
      expect(readTime(text, zone)).toEqual({ at: minutes * 60_000 });
    }),
  );
});

describe('format codes', () => {
  test.each([
    ['General', 'number'],
    ['0.00E+00', 'number'],
    ['#,##0.00\\ "days"', 'number'],
    ['[Red]0_d', 'number'],
    ['0" h"', 'number'],
    ['@', 'number'],
    ['000', 'digits'],
    ['d-mmm-yy', 'date'],
    ['mmmm', 'date'],
    ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 'date'],
    ['mm:ss', 'clock'],
    ['m/d/yy h:mm', 'time'],
    ['yyyy-mm-dd\\Thh:mm', 'time'],
    ['上午/下午h"时"mm"分"', 'clock'],
    ['[h]:mm:ss', 'elapsed'],
    ['[Blue][mm]:ss', 'elapsed'],
  ])('%s is a %s', (code, kind) => {
    expect(readFormatCode(code).kind).toBe(kind);
  });
});
