import { expect, it } from 'vitest';
import { inFormOf } from '../../../src/manifest/cells/time-form.ts';

it.each([
  ['03.02.', '2027-02-03', '03.02.2027'],
  ['3.2.', '2027-02-03 18:30', '3.2.2027 18:30'],
  ['03.12. 18:00', '2027-12-03 18:00', '03.12.2027 18:00'],
  ['03.12.2027', '2027-12-05', '05.12.2027'],
  ['24/12', '2027-12-24', '24/12/2027'],
  ['03.02.', '2027-02-03T18:00+01:00', '03.02.2027 18:00+01:00'],
  ['12/24/2027', '2027-12-26', '12/26/2027'],
])('%s becomes %s as %s', (old, text, written) => {
  expect(inFormOf(old, text)).toBe(written);
});

it.each([
  ['03/12', '2027-12-03', 'two days would be possible'],
  ['tbc', '2027-12-03', 'there was no time'],
  ['2027-12-01', '2027-12-03', 'the year was first'],
  ['3.12. Sale', 'New 4.12.', 'it is no time'],
])('%s becomes %s as it is: %s', (old, text) => {
  expect(inFormOf(old, text)).toBe(text);
});
