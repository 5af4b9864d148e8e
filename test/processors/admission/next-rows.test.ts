import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deferRepeats } from '../../../src/processors/admission/next-rows.ts';
import { type MissingProduct, packGroups } from '../../../src/processors/admission/showcase-groups.ts';

function wish(row: number, productId: string, creator = 'anna', link?: string): MissingProduct {
  return { row, revision: 0, productId, creator, link };
}

const wishes = fc
  .array(
    fc.record({
      product: fc.integer({ min: 0, max: 60 }),
      creator: fc.constantFrom('anna', 'ben', 'carla'),
      link: fc.option(fc.constant('https://shop.example/p'), { nil: undefined, freq: 8 }),
    }),
    // Long ones: short ones fill no group.
    { maxLength: 900, size: 'max' },
  )
  .map((list) => list.map(({ product, creator, link }, row) => wish(row, `p${product}`, creator, link)));

describe('packGroups', () => {
  it('puts rows of one creator together, whatever lies between them', () => {
    const groups = packGroups([wish(0, 'p1'), wish(1, 'p2', 'ben'), wish(2, 'p3')]);
    expect(groups.map(({ creator, rows }) => [creator, rows.map(({ row }) => row)])).toEqual([
      ['anna', [0, 2]],
      ['ben', [1]],
    ]);
  });

  it('adds a row whose product is in a full group', () => {
    const full = Array.from({ length: 20 }, (_, index) => wish(index, `p${index}`));
    const groups = packGroups([...full, wish(20, 'p3'), wish(21, 'p-new')]);
    expect(groups.map(({ rows }) => rows.length)).toEqual([21, 1]);
  });

  it('holds every row exactly once, as it was', () => {
    fc.assert(
      fc.property(wishes, (given) => {
        const rows = packGroups(given).flatMap((group) =>
          group.rows.map((row) => ({ creator: group.creator, link: group.link, ...row })),
        );
        rows.sort((one, other) => one.row - other.row);
        expect(rows).toEqual(given);
      }),
    );
  });

  it('keeps to one creator, 20 products and 200 rows, and gives a link a group of its own', () => {
    fc.assert(
      fc.property(wishes, (given) => {
        for (const { rows, link } of packGroups(given)) {
          expect(new Set(rows.map(({ productId }) => productId)).size).toBeLessThanOrEqual(20);
          expect(rows.length).toBeLessThanOrEqual(link === undefined ? 200 : 1);
          expect(rows.length).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('leaves no group of a creator half empty before it opens the next', () => {
    fc.assert(
      fc.property(wishes, (given) => {
        const open = packGroups(given).filter(({ link }) => link === undefined);
        for (const creator of ['anna', 'ben', 'carla']) {
          for (const { rows } of open.filter((group) => group.creator === creator).slice(0, -1)) {
            const products = new Set(rows.map(({ productId }) => productId)).size;
            expect(products === 20 || rows.length === 200).toBe(true);
          }
        }
      }),
    );
  });
});

describe('deferRepeats', () => {
  const files = ({ needs }: { needs: readonly string[] }) => needs;
  const row = (...needs: string[]) => ({ needs });

  it('defers rows that share a file with an earlier row', () => {
    const rows = [row('a'), row('b'), row('a'), row('c', 'b'), row('d')];
    expect(deferRepeats(rows, files, 3)).toEqual([row('a'), row('b'), row('d')]);
  });

  it('keeps rows that need no file', () => {
    const rows = [row(), row(), row('a')];
    expect(deferRepeats(rows, files, 1)).toEqual(rows);
  });

  it('keeps all rows where too few would be left', () => {
    const rows = [row('a'), row('a'), row('a')];
    expect(deferRepeats(rows, files, 2)).toEqual(rows);
  });
});
