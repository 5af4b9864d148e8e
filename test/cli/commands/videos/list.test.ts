/** Videos on the terminal. */
import { expect, it, test } from 'vitest';
import { checkSettings } from '../../../../config/load.ts';
import { printVideo, sparkline } from '../../../../src/cli/commands/videos/list.ts';
import type { Output } from '../../../../src/cli/print/output.ts';
import { showVideo } from '../../../../src/videos/watch-list.ts';
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
  expect(text).toContain(
    'fell      2 times, last views in the snapshot of 2027-03-09T02:00:00.000Z; stored as the platform reported it',
  );
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
  [[0n, 50n, 100n], '▁▅█'],
  [[1n, 2n, 3n, 4n, 5n, 6n, 7n], '▂▃▄▅▆▇█'],
  [[-10n, 0n, 10n], '▁▅█'],
  [[5n, 5n], '██'],
  [[0n, 0n], '▁▁'],
  [[2n ** 80n, 2n ** 81n], '▅█'],
  [[], ''],
])('%s is drawn as %s', (values, text) => {
  expect(sparkline(values)).toBe(text);
});
