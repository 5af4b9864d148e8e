import { expect, it } from 'vitest';
import { runMessage } from '../../../src/processors/notify/deliver.ts';

it('a scrape has its number, as in the documents of commands', () => {
  const event = { id: 'msg_1', event: 'scrape.failed', at: 0, reason: undefined } as const;
  const counts = { done: 3, failed: 1, gone: 0, skipped: 0 };
  expect(JSON.parse(runMessage({ ...event, run: '7', counts, codes: { http_500: 1 } }))).toEqual({
    type: 'scrape.failed',
    event: 'scrape.failed',
    timestamp: '1970-01-01T00:00:00.000Z',
    run: 7,
    counts,
    codes: { http_500: 1 },
    command: 'campaigns videos schedule',
  });
});
