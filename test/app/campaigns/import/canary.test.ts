import { expect, it } from 'vitest';
import {
  type CanaryChoice,
  canaryPositions,
  describeCanary,
  readCanary,
  writeCanary,
} from '../../../../src/app/campaigns/import/canary.ts';
import { CanaryTally } from '../../../../src/importers/plan/canary.ts';
import type { Row } from '../../../../src/manifest/row.ts';

const now = Date.UTC(2027, 0, 1);
const day = 24 * 3_600_000;

/** Rows 1 to 6 of a sheet; row 3 is not accepted. */
function tally() {
  const canary = new CanaryTally();
  const add = (number: number, creator: string, kind: Partial<Row>, days?: number) =>
    canary.add(number, {
      key: number === 4 ? '4' : `nb-${number}`,
      creator,
      mediaType: 'VIDEO',
      ...(days !== undefined && { schedule: { at: now + days * day, tz: undefined } }),
      ...kind,
    } as Row);
  add(1, 'anna', {}, 60);
  add(2, 'anna', {}, 2);
  add(4, 'ben', { mediaType: 'PHOTO' }, 30);
  add(5, 'ben', { generation: {} as Row['generation'] });
  add(6, 'cleo', { mediaType: 'PHOTO' }, 31);
  return canary.finish();
}

it.each<[CanaryChoice, readonly number[] | undefined]>([
  [2, undefined],
  ['kinds', [1, 2, 3]],
  ['creators', [1, 3, 4]],
  [{ rows: [3, 6, 1, 6] }, [0, 4]],
])('the canary %j takes the rows that are due first', (choice, positions) => {
  const found = canaryPositions(tally(), choice);
  expect(found && [...found].sort()).toEqual(positions);
});

it.each<[CanaryChoice, string]>([
  [
    2,
    'The first 2 posts of the sheet go out first. Then the campaign pauses until an operator releases the rest. 1 of the 2 is planned for more than 7 days ahead: a poor canary',
  ],
  [
    'kinds',
    '3 posts go out first: one row of each kind, nb-2 (video), row 4 (photos), nb-5 (AI video). Then',
  ],
  [
    { rows: [6] },
    '1 post goes out first: the chosen rows. Then the campaign pauses until an operator releases the rest. It is planned for more than 7 days ahead',
  ],
  [{ rows: [3] }, 'None of the rows chosen as canary can be posted.'],
  [5, 'The canary covers every post; nothing will wait.'],
])('says what the canary %j is, and whether it is a poor one', (choice, text) => {
  expect(describeCanary(tally(), choice, { accepted: 5, now })).toContain(text);
});

it('a canary of many rows is looked at as a whole', () => {
  const canary = new CanaryTally();
  const at = (number: number) => now + (number > 1500 ? 60 * day : 0);
  for (let number = 1; number <= 2500; number += 1) {
    canary.add(number, { creator: 'anna', mediaType: 'VIDEO', schedule: { at: at(number) } } as Row);
  }
  const rows = canary.finish();
  const many = { accepted: 2500, now };
  expect(describeCanary(rows, 2000, many)).toContain(
    '500 of the 2,000 are planned for more than 7 days ahead',
  );
  expect(describeCanary(rows, { rows: [1, 2400] }, many)).toContain('1 of the 2 is planned for more than 7');
});

it('rows after one that was left out are found by their numbers, however many there are', () => {
  const canary = new CanaryTally();
  for (let number = 1; number <= 1000; number += 1) {
    if (number !== 100 && number !== 700) canary.add(number, { creator: 'anna', mediaType: 'VIDEO' } as Row);
  }
  const choice = { rows: [99, 100, 101, 700, 1000] };
  expect(canaryPositions(canary.finish(), choice)).toEqual([98, 99, 997]);
});

it.each(['20', 'kinds', 'creators', 'rows:3,17'])('reads %s as it is written', (text) => {
  const choice = readCanary(text);
  expect(choice && writeCanary(choice)).toBe(text);
});

it.each(['0', '-1', '1.5', 'rows:', 'rows:0', 'rows:1,,2', 'rows:a', 'kind', `rows:${'1,'.repeat(7000)}1`])(
  'reads no canary in %s',
  (text) => expect(readCanary(text)).toBeUndefined(),
);
