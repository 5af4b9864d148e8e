import { expect, test } from 'vitest';
import { hint } from '../../../src/manifest/problems/hint.ts';
import { fileSource } from '../../../src/sheets/sheet.ts';
import { textRow, writeWorkbook } from '../../support/sheets/workbook.ts';
import { check, confirmUpload } from '../manifest-source.ts';

const names = ['creator', 'media', 'caption', 'product_id', 'product_title', 'Date', 'Time'];
const row = ['demo_anna', 'a.mp4', 'Hi', '1', 'Serum', '2031-01-12', '18:00'];
const sheet = (...above: readonly string[]) => [...above, names, row].join('\n');
const titled = 'Autumn plan,,all times Lisbon,,,,';

const toldIn = async (content: Parameters<typeof check>[0], timezone: string | null = null) => {
  const settings = { api: { confirmUpload }, ...(timezone !== null && { timezone }) };
  const { notices } = await check(content, { settings });
  return notices.filter(({ code }) => code === 'zone_told');
};

test('a line above the headers says in which zone the times are', async () => {
  expect(await toldIn(sheet(titled))).toMatchObject([
    {
      line: 1,
      problem: 'line 1, "all times Lisbon", says that times are in Europe/Lisbon',
      fix: ['Add a column scheduled_tz with that zone.', hint('timezone', { zone: 'Europe/Lisbon' })],
    },
  ]);
});

test('so does one of a workbook', async () => {
  const rows = [['Autumn plan', 'all times Lisbon'], names, row];
  const path = await writeWorkbook({ rows: rows.map((cells) => textRow(cells)).join('') });
  expect(await toldIn(fileSource(path))).toMatchObject([{ line: 1, value: 'all times Lisbon' }]);
});

test('the header of the times says it, and wins over a line', async () => {
  const text = sheet(titled).replace(',Time', ',Time (Seoul)');
  expect(await toldIn(text)).toMatchObject([
    { line: 2, problem: 'the header "Time (Seoul)" says that times are in Asia/Seoul' },
  ]);
});

test.each(['Europe/Lisbon', 'Europe/London'])(
  'it is not told of times that are read by that clock: %s',
  async (zone) => {
    expect(await toldIn(sheet(titled), zone)).toEqual([]);
  },
);

test('it is told of times that are read in another zone', async () => {
  expect(await toldIn(sheet(titled), 'Europe/Rome')).toMatchObject([
    {
      problem:
        'line 1, "all times Lisbon", says that times are in Europe/Lisbon, but they are read in Europe/Rome',
    },
  ]);
});

test.each([
  ['lines that name two zones', sheet(titled, 'All times Madrid,,,,,,')],
  ['a sheet without times', sheet(titled).replaceAll(/,(?:Date|2031-01-12),(?:Time|18:00)/g, ',')],
  ['a sheet with a column of zones', sheet(titled).replace('Time', 'scheduled_tz').replace('18:00', 'UTC')],
])('it is not told of %s', async (_what, text) => expect(await toldIn(text)).toEqual([]));
