import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createOutput,
  type Output,
  shortTime,
  table,
  timesIn,
  timeText,
} from '../../../src/cli/print/output.ts';
import { fold, unbroken, widthOf, wrap } from '../../../src/cli/print/wrap.ts';

test('lines break between words, and the others are indented', () => {
  expect(wrap('to do ', 'take another product of the shop', 24)).toEqual([
    'to do take another',
    '      product of the',
    '      shop',
  ]);
});

test('a long beginning leaves room for the other lines', () => {
  expect(wrap('  2 rows without proof: ', 'their posts may still appear', 34)).toEqual([
    '  2 rows without proof: their',
    '      posts may still appear',
  ]);
});

test('a command stays whole, on a line of its own below the text', () => {
  const command = 'campaigns report --only failed --out c1.csv c1';
  expect(wrap('  paused: ', `its key was refused. See:\n${command}`, 32)).toEqual([
    '  paused: its key was refused.',
    '          See:',
    `          ${command}`,
  ]);
});

test.each([
  'campaigns retry --error media_missing --creator demo_anna c1',
  '  $ campaigns run examples/campaign.csv --out results.csv',
  '    retry  campaigns retry --error media_missing c1',
  '  --map "Their first header=caption" --map "Their second=_"',
])('%j is pasted: it stays on one line, and is indented', (command) => {
  expect(fold(command, 20)).toBe(command.startsWith(' ') ? command : `  ${command}`);
});

test('a sentence that only names commands is wrapped, but not within a command', () => {
  expect(fold('All campaigns that wait are resumed by `campaigns run`.', 30)).toBe(
    'All campaigns that wait are\nresumed by `campaigns run`.',
  );
});

test('a path with spaces stays whole', () => {
  const path = '/home/lin yue/spring sheets/posts.csv';
  expect(fold(`Results: ${unbroken(path)}`, 20)).toBe(`Results:\n${path}`);
});

test('lines that follow are indented as the first', () => {
  expect(fold('a\n  take another product', 12)).toBe('a\n  take\n  another\n  product');
});

test('a word wider than the terminal stays whole', () => {
  expect(wrap('', 'see https://shop.example/a/long/path now', 10)).toEqual([
    'see',
    'https://shop.example/a/long/path',
    'now',
  ]);
});

test('East Asian characters count for two columns', () => {
  expect(wrap('', 'code: 授权已过期', 16)).toEqual(['code:', '授权已过期']);
  expect(wrap('', 'code: 授权已过期', 18)).toEqual(['code: 授权已过期']);
});

test('emoji count for two columns, marks above letters for none', () => {
  expect(widthOf('🎄e\u0301')).toBe(3);
});

test('columns of a table begin below each other, whatever the letters', () => {
  const lines = table(
    ['标题', 'ROWS'],
    [
      ['春季', '1'],
      ['spring', '2'],
    ],
  );
  expect(lines).toEqual(['标题    ROWS', '春季    1', 'spring  2']);
});

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

test('ISO times in a text are read for people, and those of a command stay', () => {
  const text =
    'late since 2030-03-04T14:00:00.000Z:\n  campaigns decide --before 2030-03-04T14:00:00.000Z c1';
  expect(timesIn(text, 'America/New_York')).toBe(
    'late since Mon 4 Mar 2030, 09:00 (America/New_York):\n  campaigns decide --before 2030-03-04T14:00:00.000Z c1',
  );
});

/** What a command writes to a standard output of 80 columns. */
function written(command: (output: Output) => void): string {
  const lines: unknown[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(text) > 0);
  onTestFinished(() => write.mockRestore());
  command(createOutput(false));
  return lines.join('');
}

test('in a table that does not fit, cells that follow are indented', () => {
  const cell = `${'x'.repeat(60)} ${'y'.repeat(40)}`;
  expect(written((output) => output.tableWithTexts(['LINE', 'VALUE'], [['2-37', cell]], []))).toBe(
    `2-37  ${'x'.repeat(60)}\n      ${'y'.repeat(40)}\n`,
  );
});

test('a table that does not fit leaves out no more spare columns than it must', () => {
  const row = ['x'.repeat(60), '1', '2', 'y'.repeat(12)];
  expect(
    written((output) => output.table(['NAME', 'DAY', 'MEDIAN', 'URL'], [row], '', ['MEDIAN', 'DAY'])),
  ).toBe(`NAME${' '.repeat(58)}DAY  URL\n${'x'.repeat(60)}  1    ${'y'.repeat(12)}\n`);
});
