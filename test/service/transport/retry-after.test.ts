import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../src/service/transport/answer.ts';

const now = Date.UTC(2026, 10, 20, 12, 0, 0);

test.each([
  ['0', 0],
  ['3', 3000],
  [' 2.5 ', 2500],
  ['Fri, 20 Nov 2026 12:00:10 GMT', 10_000],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['999999', 3_600_000],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('%o is %o ms', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});
