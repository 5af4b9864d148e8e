import { expect, it } from 'vitest';
import { timeline } from '../../../../src/console/pages/row/timeline.ts';
import type { PageRequest } from '../../../../src/console/request.ts';

const request = { zone: 'UTC', now: 0 } as PageRequest;
const entry = { at: 0, step: undefined, outcome: 'changed', times: 1 } as const;

it.each([
  ['anna: caption: “a” → “b”', '<b>Changed</b>'],
  [undefined, '<b>Updated with a corrected sheet</b>'],
])('the history of a row tells who or what changed it: %s', (message, said) => {
  const history = [{ ...entry, message }];
  expect(String(timeline(request, { history, revision: 1, state: 'waiting' }))).toContain(said);
});
