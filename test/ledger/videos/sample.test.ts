import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Amount } from '../../../src/ledger/videos/amount.ts';
import { packChunk, packSample, readChunk, type Sample } from '../../../src/ledger/videos/sample.ts';
import { packSummary, readSummary, type Summary } from '../../../src/ledger/videos/summary.ts';

const count = fc.option(fc.bigInt({ min: 0n, max: 2n ** 80n }), { nil: undefined });
const counts = fc.tuple(count, count, count, count, count);
const fell = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean());
const time = fc.integer({ min: 0, max: 2 ** 33 });
const sample = fc.record({ at: time, counts, fell, caption: fc.string({ unit: 'grapheme', maxLength: 40 }) });

/** Numbers around those where the packing changes. */
const edge = fc
  .tuple(fc.constantFrom(0n, 7n, 14n, 31n, 32n, 51n, 52n, 53n, 54n, 70n), fc.bigInt({ min: -2n, max: 2n }))
  .map(([bits, more]) => {
    const value = 2n ** bits + more;
    return value < 0n ? 0n : value;
  });

function numberIfExact(value: bigint): Amount {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** With all counters as bigints, to compare them. */
function exact<T>(value: T): T {
  if (Array.isArray(value)) return value.map(exact) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) =>
    name === 'counts' || name === 'known' ? [name, field.map(bigIntOf)] : [name, exact(field)],
  );
  return Object.fromEntries(fields);
}

function bigIntOf(count: Amount | undefined): bigint | undefined {
  return count === undefined ? undefined : BigInt(count);
}

describe('a chunk of samples', () => {
  it('is read as it was packed, whatever the numbers, gaps and captions', () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 40 }), (samples) => {
        const sorted = samples.toSorted((one, other) => one.at - other.at) as Sample[];
        const chunk = packChunk(sorted);
        expect(chunk[0]).toBe(sorted.length);
        expect(exact([...readChunk(chunk)])).toEqual(exact(sorted));
      }),
    );
  });

  it('has the same bytes whether counters come as numbers or as bigints', () => {
    const previous = fc.record({ at: time, known: fc.array(edge, { minLength: 5, maxLength: 5 }) });
    fc.assert(
      fc.property(
        sample,
        fc.array(edge, { minLength: 5, maxLength: 5 }),
        previous,
        fc.boolean(),
        (given, counts, before, isFirst) => {
          const packed = (
            known: readonly bigint[],
            values: readonly bigint[],
            as: (value: bigint) => Amount,
          ) =>
            packSample(
              { ...given, counts: values.map(as) },
              { at: before.at, known: known.map(as), caption: '' },
              isFirst,
            );
          expect(packed(before.known, counts, numberIfExact)).toEqual(
            packed(before.known, counts, (value) => value),
          );
        },
      ),
    );
  });

  it('takes about a dozen bytes for a night of a busy video', () => {
    const at = Date.UTC(2026, 0, 1, 2) / 1000;
    const night = {
      at: at + 86_400 + 120,
      counts: [5_040_000n, 300_500n, 9010n, 4020n, 8011n],
      caption: 'The same',
      fell: [false, false, false, false, false],
    };
    const previous = { at, known: [5_000_000n, 300_000n, 9000n, 4000n, 8000n], caption: 'The same' };
    expect(packSample(night, previous, false).length).toBeLessThanOrEqual(13);
  });
});

describe('a summary', () => {
  it('is read as it was packed', () => {
    const snapshot = (at: number) =>
      fc.record({ at: fc.integer({ min: 0, max: at - 1 }), counts }, { requiredKeys: ['at', 'counts'] });
    const summary = fc
      .record({ at: fc.integer({ min: 1, max: 2 ** 33 }), counts, known: counts, inChunk: fc.nat(255) })
      .chain(({ at, ...rest }) =>
        fc.record({
          latest: fc.constant({ at, counts: rest.counts }),
          known: fc.constant(rest.known.map((known, index) => rest.counts[index] ?? known ?? 0n)),
          before: fc.tuple(
            fc.option(snapshot(at), { nil: undefined }),
            fc.option(snapshot(at), { nil: undefined }),
            fc.option(snapshot(at), { nil: undefined }),
          ),
          samples: fc.nat(),
          inChunk: fc.constant(rest.inChunk),
          firstAt: fc.integer({ min: 0, max: at }),
          releasedAt: fc.option(fc.integer({ min: 1, max: 2 ** 33 }), { nil: undefined }),
        }),
      );
    fc.assert(
      fc.property(summary, (given: Summary) => {
        expect(exact(readSummary(packSummary(given)))).toEqual(exact(given));
      }),
    );
  });
});
