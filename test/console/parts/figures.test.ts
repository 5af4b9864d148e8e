/** The scale of a plot, its columns, and short numbers. */
import { expect, test } from 'vitest';
import { plot, short } from '../../../src/console/parts/figures.ts';

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
  [
    [676, -2_825_000],
    ['1 M', '0', '−1 M', '−2 M', '−3 M'],
  ],
  [
    [0, -7],
    ['0', '−2', '−4', '−6', '−8'],
  ],
])('of %j has round steps', (values, labels) => {
  expect(scale(values)).toEqual(labels);
});

test('draws a loss downward from a zero line', () => {
  const series = { label: 'Views', times: [0, 86_400], values: [2, -2] };
  const html = String(plot({ kind: 'columns', series, sentence: '', labels: [], zone: 'UTC' }));
  expect(html).toContain('<path class="rule zero" d="M0 50.0H100"/>');
  expect(html).toMatch(/class="col" [^>]* y="0.0" height="50.0"/);
  expect(html).toMatch(/class="col down" [^>]* y="50.0" height="50.0"/);
});

test('a short number has no decimals of its own', () => {
  expect([short(3786.818), short(-0.5), short(9999.6)]).toEqual(['3,787', '−1', '10.0 k']);
});
