import { expect, test } from 'vitest';
import { sparkline } from '../../../src/cli/print/videos/sparkline.ts';

test.each([
  [[0n, 50n, 100n], '▁▅█'],
  [[1n, 2n, 3n, 4n, 5n, 6n, 7n], '▂▃▄▅▆▇█'],
  [[-10n, 0n, 10n], '▁▅█'],
  [[5n, 5n], '██'],
  [[0n, 0n], '▁▁'],
  [[2n ** 80n, 2n ** 81n], '▅█'],
  [[], ''],
])('%s is drawn as %s', (values, text) => {
  expect(sparkline(values)).toBe(text);
});
