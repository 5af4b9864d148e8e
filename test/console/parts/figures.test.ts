/** The scale of a plot. */
import { expect, test } from 'vitest';
import { plot } from '../../../src/console/parts/figures.ts';

/** Labels of the scale, from the top down. */
function scale(values: readonly number[]): readonly string[] {
  const series = { label: 'Views', times: values.map((_value, index) => index * 86_400), values };
  const html = String(plot({ kind: 'line', series, sentence: '', labels: [], zone: 'UTC' }));
  const [, axis = ''] = /<ol class="y"[^>]*>(.*?)<\/ol>/s.exec(html) ?? [];
  return [...axis.matchAll(/<li>([^<]*)/g)].map(([, label = '']) => label);
}

test.each([
  [
    [0, 248_760],
    ['300 k', '200 k', '100 k', '0'],
  ],
  [
    [0, 6_740_000],
    ['8 M', '6 M', '4 M', '2 M', '0'],
  ],
  [
    [0, 3],
    ['4', '3', '2', '1', '0'],
  ],
  [
    [-30, 90],
    ['100', '50', '0', '−50'],
  ],
])('of %j has round steps', (values, labels) => {
  expect(scale(values)).toEqual(labels);
});
