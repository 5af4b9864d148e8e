import { expect, it } from 'vitest';
import { printScrape } from '../../../../src/cli/commands/videos/scrape.ts';
import type { Output } from '../../../../src/cli/print/output.ts';

it.each([
  ['autumn', 'No videos of the campaign autumn to update.'],
  [undefined, 'No videos to update.'],
])('a scrape without videos (campaign %s) says of what there are none', (campaign, expected) => {
  const lines: string[] = [];
  const output = { print: (line = '') => lines.push(line) } as unknown as Output;
  printScrape(
    output,
    {
      run: 1,
      state: 'ended',
      kind: 'manual',
      campaign,
      startedAt: 0,
      endedAt: 1,
      reason: undefined,
      total: 0,
      done: 0,
      failed: 0,
      gone: 0,
      skipped: 0,
      overlaps: 0,
    },
    [],
  );
  expect(lines.join('\n')).toContain(expected);
});
