import { expect, it } from 'vitest';
import { progressBar } from '../../../src/console/parts/state.ts';

const none = {
  live: 0,
  posted: 0,
  scheduled: 0,
  unconfirmed: 0,
  ready: 0,
  running: 0,
  review: 0,
  failed: 0,
  cancelled: 0,
  waiting: 0,
};

it('leaves the bar of rows that only wait for a rate limit empty', () => {
  const drawn = String(progressBar({ ...none, posted: 10, ready: 0, running: 40, waiting: 50 }, '', 38));
  expect(drawn).toContain('data-state="posted" x="0.00%" width="10.00%"');
  expect(drawn).toContain('data-state="running" x="10.00%" width="2.00%"');
  expect(drawn).toContain('38 rate-limited, 2 running');
});

it('has no part under way where no row is in a call', () => {
  expect(String(progressBar({ ...none, ready: 0, running: 40 }, '', 40))).not.toContain('<rect');
});
