import { expect, test } from 'vitest';
import { describePlaces } from '../../../src/manifest/problems/problem.ts';

const at = (line: number, worksheet?: string) => ({ line, worksheet });

test.each([
  [[at(5)], 0, 'line 5'],
  [[at(5), at(9)], 0, 'lines 5 and 9'],
  [[at(3), at(4), at(7)], 1200, 'lines 3, 4, 7 and 1,200 more'],
  [[at(5, 'Week 1'), at(3, 'Week 2'), at(4, 'Week 2')], 0, 'Week 1, line 5; Week 2, lines 3 and 4'],
])('%j and %d more: %s', (places, more, described) => {
  expect(describePlaces(places, more)).toBe(described);
});
