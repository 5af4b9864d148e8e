import { expect, it } from 'vitest';
import { LaterCount } from '../../../src/importers/plan/later.ts';
import type { Row } from '../../../src/manifest/row.ts';

const minute = 60_000;
const day = 86_400_000;
const now = Date.UTC(2030, 0, 1);

const at = (time: number, lead?: number | null) => ({ schedule: { at: time }, lead }) as unknown as Row;

function countOf(lead: number | null, rows: readonly Row[]) {
  const later = new LaterCount(lead, now);
  for (const row of rows) later.add(row);
  return later;
}

const many = (rows: number, time: number) => Array.from({ length: rows }, () => at(time));

it('counts posts that are handed over later, with the first and the last', () => {
  const rows = [at(now + 5 * day), at(now + 9 * day), at(now + day), at(now + 5 * day, null), {} as Row];
  expect(countOf(2 * day, rows).finish(5)).toEqual({
    rows: 2,
    firstAt: now + 3 * day,
    lastAt: now + 7 * day,
    crowd: null,
  });
});

it.each([
  ['many at one time take longer than a short lead', 5 * minute, many(10_000, now + 5 * day), 2_000_000],
  [
    'more than a day carries is fine with a lead of two days',
    2 * day,
    many(500_000, now + 5 * day),
    undefined,
  ],
  [
    'those of minutes that follow are in one line',
    10 * minute,
    [...many(2_000, now + day), ...many(2_000, now + day + minute)],
    740_000,
  ],
  [
    'apart by long enough, each is a line of its own',
    10 * minute,
    [...many(2_000, now + day), ...many(2_000, now + 2 * day)],
    undefined,
  ],
])('%s', (_, lead, rows, takesMs) => {
  expect(countOf(lead, rows).finish(5).crowd?.takesMs).toBe(takesMs);
});

it('a rate without bound has no crowd', () => {
  expect(countOf(5 * minute, many(10_000, now + day)).finish(null).crowd).toBeNull();
});
