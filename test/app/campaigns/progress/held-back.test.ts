import { expect, it } from 'vitest';
import { isHeldBack } from '../../../../src/app/campaigns/progress/reader.ts';

const status = {
  operation: 'createCreatorPost',
  rateLimit: { perSecond: 5, burst: 5 },
  isChanged: false,
  share: 1,
  pausedMs: 0,
  waitMs: 0,
  throttledForMs: undefined,
  shortMsAgo: undefined,
  usedPerSecond: 0,
};
const slow = { perSecond: 0.15, burst: 1 };

it.each([
  ['a call that waited just now', { shortMsAgo: 4000 }, true],
  ['one that waited a while ago', { shortMsAgo: 6000 }, false],
  [
    'one that waited a while ago, at a slow limit whose next call may begin',
    { rateLimit: slow, shortMsAgo: 8000 },
    true,
  ],
  ['one that waited before many calls of a slow limit', { rateLimit: slow, shortMsAgo: 20_000 }, false],
  ['a snoozed queue, whose next call must wait', { waitMs: 3000, shortMsAgo: 30_000 }, true],
  [
    'a limit of a call an hour that no call waits for any more',
    { rateLimit: { perSecond: 1 / 3600, burst: 1 }, shortMsAgo: 40_000 },
    false,
  ],
  ['a pause after a 429', { pausedMs: 1 }, true],
  ['no call that waited', {}, false],
])('%s', (_what, part, held) => {
  expect(isHeldBack({ ...status, ...part })).toBe(held);
});
