/** Times are read as Temporal reads them, by whichever way. */
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { instantOf } from '../../src/service/contract/time-zone.ts';

function read(text: string): number | undefined {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}

test.each([
  '2026-12-01T10:00:00Z',
  '2026-12-01T10:00:00.000Z',
  '2026-12-01T10:00:00.120Z',
  '2026-12-01T10:00:00.12Z',
  '2026-12-01T10:00Z',
  '2026-12-01T10:00:00+08:00',
  '20261201T100000Z',
  '1969-12-31T23:59:59Z',
  '2024-02-29T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-12-01T24:00:00Z',
  '2026-12-01T23:59:60Z',
  '2026-12-01T10:00:00',
  '2026-12-01',
  '1764583200000',
])('%s', (text) => {
  expect(instantOf(text)).toBe(read(text));
});

test('any day and hour', () => {
  const two = (most: number) =>
    fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'));
  const time = fc.tuple(
    two(99),
    two(13),
    two(32),
    two(25),
    two(60),
    fc.constantFrom('Z', '.000Z', '.5Z', '-02:00'),
  );
  fc.assert(
    fc.property(time, ([year, month, day, hour, minute, end]) => {
      const text = `20${year}-${month}-${day}T${hour}:${minute}:00${end}`;
      expect(instantOf(text)).toBe(read(text));
    }),
  );
});
