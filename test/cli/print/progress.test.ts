import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, test, vi } from 'vitest';
import type { CampaignProgress } from '../../../src/app/campaigns/progress/reader.ts';
import { createDrawing, plainDisplay, progressLines } from '../../../src/cli/print/progress.ts';
import type { Campaign } from '../../../src/ledger/campaigns/campaign.ts';
import { testLedger } from '../../support/ledger.ts';

const plain = { paint: (_style: unknown, text: string) => text };
const none = { done: 0, waiting: 0, active: 0, delayed: 0, failed: 0 };
const steps = {
  showcase: none,
  generate: none,
  poll: { ...none, delayed: 4 },
  upload: none,
  post: { ...none, waiting: 12, active: 3, failed: 1 },
};
const worker = {
  id: 'a',
  host: 'hall',
  pid: 7,
  version: '1',
  queues: ['post'],
  since: 0,
  seenMsAgo: 10,
  isAlive: true,
};

/** A campaign of 60 rows, with counts as if so many had ended. */
async function progressWith(
  counts: Partial<Campaign['counts']>,
  more: Partial<CampaignProgress> = {},
): Promise<CampaignProgress> {
  const { ledger, campaign } = testLedger();
  const found = await ledger.campaigns.find(await campaign(60));
  if (!found) throw new Error('the campaign is missing');
  const all = { ...found.counts, ...counts };
  const ended = all.posted + all.failed + all.review + all.cancelled;
  return {
    campaign: { ...found, counts: all },
    isUnderWay: true,
    ended,
    steps,
    pace: { rowsPerMinute: 300, remaining: { least: 5000, most: 9000 } },
    rateLimits: [],
    heldBackBy: [],
    unreachable: [],
    redisRefuses: undefined,
    pausedQueues: [],
    workers: [worker],
    turn: undefined,
    due: { waiting: 60, ready: 0, readyAt: undefined, isPast: false },
    ...more,
  };
}

test('a wide terminal shows the bar, the counts, the rate and the remaining time', async () => {
  const progress = await progressWith({ posted: 26, failed: 4 });
  const [head] = progressLines(plain, progress, 120);
  expect(head).toBe(
    `${progress.campaign.id} ${'█'.repeat(15)}${'░'.repeat(15)} 30/60  26 posted  4 failed  300 rows/min, 5 to 9 s left`,
  );
});

test.each([20, 40, 60, 80])('no line is wider than a terminal of %i columns', async (width) => {
  const counts = { posted: 26, failed: 4, review: 1, cancelled: 2 };
  const lines = progressLines(plain, await progressWith(counts, { workers: [] }), width);
  expect(lines.filter((line) => line.length >= width)).toEqual([]);
});

test('a line wider than the terminal is cut, so that the next one is drawn over it', (t) => {
  const { isTTY, columns } = process.stderr;
  Object.assign(process.stderr, { isTTY: true, columns: 20 });
  const written: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  t.onTestFinished(() => {
    spy.mockRestore();
    Object.assign(process.stderr, { isTTY, columns });
  });
  const draw = createDrawing();
  for (const left of [9, 8]) draw([`Decide in ${left} s (Ctrl-C ends this).`]);
  expect(written.map((text) => stripVTControlCharacters(text))).toEqual([
    '\nDecide in 9 s (Ctrl\n',
    'Decide in 8 s (Ctrl\n',
  ]);
});

test('each step has its counts under their titles, and dots for zero', async () => {
  const lines = progressLines(plain, await progressWith({}), 80);
  expect(lines[1]?.trim().split(/\s+/)).toEqual(['done', 'active', 'waiting', 'delayed', 'failed']);
  expect(lines.at(-1)?.trim().split(/\s+/)).toEqual(['Post', '·', '3', '12', '·', '1']);
  expect(lines[4]?.trim().split(/\s+/)).toEqual(['AI', 'result', '·', '·', '·', '4', '·']);
});

describe('the progress says what holds a campaign back:', () => {
  const hold = { operation: 'createCreatorPost', perSecond: 5, pausedMs: 0, isThrottled: false };

  it.for([
    ['no worker', { workers: [] }, 'no worker is alive, and 60 rows wait'],
    [
      'ready rows without a worker',
      {
        workers: [],
        due: { waiting: 0, ready: 3, readyAt: Date.UTC(2036, 0, 2, 10), isPast: false },
      },
      'no worker is alive, and 3 ready rows are due, the next 2036-01-02T10:00:00.000Z',
    ],
    [
      'a worker that went silent',
      { workers: [worker, { ...worker, seenMsAgo: 40_000, isAlive: false }] },
      'worker hall:7 went silent 40 s ago: check that machine',
    ],
    [
      'a queue that is paused',
      { pausedQueues: ['post'] },
      'queue post is paused for all campaigns: resume on the page Queues of the console',
    ],
    ['a spent rate limit', { heldBackBy: [hold] }, 'rate-limited: createCreatorPost, 5/s'],
    [
      'several spent rate limits',
      { heldBackBy: [hold, { ...hold, operation: 'confirmUpload', perSecond: 20 }] },
      'rate-limited: createCreatorPost, 5/s; confirmUpload, 20/s. To see or change it:',
    ],
    [
      'a pause after a 429',
      { heldBackBy: [{ ...hold, pausedMs: 12_000, isThrottled: true, perSecond: 2.5 }] },
      'createCreatorPost pauses for 12 s, then continues at 2.5/s',
    ],
    [
      'a service out of reach',
      { unreachable: [{ host: 'hall', reason: 'refused', since: 1000, at: 31_000 }] },
      'the service does not answer hall for 30 s: refused',
    ],
  ] as const)('%s', async ([, more, text]) => {
    const lines = progressLines(plain, await progressWith({ waiting: 60 }, more), 200);
    expect(lines.join('\n')).toContain(text);
  });

  it('rows in review, with the command that shows them', async () => {
    const progress = await progressWith({ review: 3 });
    expect(progressLines(plain, progress, 200).join('\n')).toContain(
      ` ! 3 rows in review: a person must decide. See the campaign:\n   campaigns show ${progress.campaign.id}`,
    );
  });
});

test('without a terminal, a note is printed once, and counts only after a change', async () => {
  const said: string[] = [];
  let now = 0;
  const display = plainDisplay({ say: (line) => void said.push(line) }, () => now);
  const progress = await progressWith({ posted: 1 }, { workers: [] });
  for (now of [0, 1000, 6000, 12_000]) display.show(progress);
  expect(said).toHaveLength(2);
  display.show({ ...progress, ended: 2 });
  expect(said).toHaveLength(2);
  now = 18_000;
  display.show({ ...progress, ended: 2 });
  expect(said).toHaveLength(3);
});
