/** Videos on the terminal. */
import { expect, it, test } from 'vitest';
import { checkSettings } from '../../../../config/load.ts';
import { showVideo } from '../../../../src/app/videos/watch-list.ts';
import { printVideo, sparkline } from '../../../../src/cli/commands/videos/list.ts';
import type { Output } from '../../../../src/cli/print/output.ts';
import { testLedger } from '../../../support/ledger.ts';
import { addPlayed } from '../../../support/watched.ts';

const night = (number: number) => Date.UTC(2027, 2, number, 2) / 1000;

async function printed(samples: Parameters<typeof addPlayed>[2]['samples']): Promise<string> {
  const { ledger } = testLedger();
  const id = await addPlayed({ ledger }, 'a', { samples });
  const now = () => night(9) * 1000;
  const lines: string[] = [];
  const output = {
    paint: (_style: unknown, text: string) => text,
    print: (line = '') => lines.push(line),
    printText: (indent: string, text: string) => lines.push(indent + text),
  } as unknown as Output;
  printVideo(output, await showVideo({ ledger, settings: checkSettings({}), now }, id));
  return lines.join('\n');
}

it('a counter that fell is told with its sample', async () => {
  const text = await printed([
    [night(6), 100],
    [night(7), 80],
    [night(8), 90],
    [night(9), 70],
  ]);
  expect(text).toMatch(
    /fell {6}2 times, last views in the snapshot of Tue 9 Mar(?: 2027)?, 02:00 \(UTC\); kept as the platform reported them/,
  );
});

it('times are those of people, and shares have no space before the %', async () => {
  const text = await printed([
    [night(7), 80],
    [night(9), 120],
  ]);
  expect(text).toMatch(
    /updated {3}2 times from Sun 7 Mar(?: 2027)?, 02:00 to Tue 9 Mar(?: 2027)?, 02:00 \(UTC\)/,
  );
  expect(text).toMatch(/engagement \d+\.\d%, intent \d+\.\d%/);
  expect(text).not.toMatch(/\dT\d\d:/);
});

it('a video that only grew has no such line', async () => {
  const text = await printed([
    [night(7), 80],
    [night(8), 90],
    [night(9), 120],
  ]);
  expect(text).toContain('new views  ▃█');
  expect(text).not.toContain('fell');
});

test.each([
  [[0, 50, 100], '▁▅█'],
  [[1, 2, 3, 4, 5, 6, 7], '▂▃▄▅▆▇█'],
  [[-10, 0, 10], '▁▅█'],
  [[5, 5], '██'],
  [[0, 0], '▁▁'],
  [[2 ** 50, 2 ** 51], '▅█'],
  [[], ''],
])('%s is drawn as %s', (values, text) => {
  expect(sparkline(values)).toBe(text);
});
