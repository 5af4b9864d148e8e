/** No cure of a sheet names an option or a command of the terminal where people cannot use it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cureFor, type Door, inDocument, inWordsOf } from '../../src/console/cures.ts';
import { readTime } from '../../src/manifest/cells/time.ts';
import { matchHeader } from '../../src/manifest/headers/header.ts';

const doors: readonly Door[] = ['page', 'draftPage', 'api', 'draftApi'];
const root = join(import.meta.dirname, '../../src');
/** What checks, starts and imports of sheets say. */
const folders = ['manifest', 'importers', 'sheets', 'media', 'campaigns/drafts', 'campaigns/hand-in'];
/** Texts that no cure has: the template explains the columns, and `run` alone suggests a mapping for a shell. */
const others = [
  'manifest/columns.ts',
  'manifest/headers/suggested-map.ts',
  'campaigns/hand-in/kept-options.ts',
];
const ofTerminal = /(?:^|[\s(])--[a-z]|\bcampaigns (?:show|report|retry|settle|music|products|run|check) /;

function textsOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.endsWith('.ts') && !others.includes(name))
    .flatMap((name) =>
      readFileSync(join(root, name), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(?:\*|\/\*|\/\/)/.test(line))
        .flatMap((line) => line.match(/'[^']*'|`[^`]*`/g) ?? []),
    )
    .map((text) =>
      text
        .slice(1, -1)
        .replaceAll('\\n', '\n')
        .replace(/\$\{[^{}]*\}/g, 'c1'),
    );
}

describe('words of the terminal', () => {
  const texts = folders.flatMap(textsOf).filter((text) => ofTerminal.test(text));

  it('are known, wherever a sheet is checked', () => {
    expect(texts.length).toBeGreaterThan(15);
  });

  it.each(doors)('have others for the door %s', (door) => {
    expect(texts.filter((text) => ofTerminal.test(inWordsOf(door, text)))).toEqual([]);
  });
});

it.each([
  ['draftPage', 'say what it is under Columns'],
  ['draftApi', 'map it (map: { "Wer": "COLUMN" })'],
  ['api', 'map it (map: "Wer=COLUMN")'],
] as const)('an unknown column at the door %s', (door, told) => {
  const { problems } = matchHeader(['Wer'], { allowUnknownColumns: false, allowResultsSheet: false });
  const cure = problems.find(({ code }) => code === 'unknown_column')?.cure ?? '';
  expect(cureFor(door, cure)).toContain(told);
});

it('the cure of a time without a zone fits each door', () => {
  const read = readTime('2031-03-12 18:00', null);
  const cure = 'fault' in read ? read.fault.cure : '';
  expect(cureFor('draftPage', cure)).toContain('or choose the zone under Times.');
  expect(cureFor('api', cure)).toContain('or give the field timezone, such as Asia/Shanghai.');
});

it.each([
  ['page', 'decide about the row. With its id it is polled.'],
  ['api', 'decide about the row: PUT /campaigns/ID/rows/KEY/decision. With its id it is polled.'],
] as const)('a row in review at the door %s', (door, told) => {
  expect(cureFor(door, 'decide about the row (campaigns settle). With its id it is polled.')).toBe(told);
});

it('a campaign that is paused because of 429s leads to its budget', () => {
  const cure = 'Ask which rate is allowed, then lower the budget:\ncampaigns budgets createCreatorPost RATE';
  const told = 'Ask which rate is allowed, then lower the budget';
  expect(cureFor('page', cure)).toBe(`${told} on the page Queues`);
  expect(cureFor('api', cure)).toBe(`${told}: PUT /budgets/createCreatorPost`);
});

it('sentences with other words of the terminal are left out, and nothing else', () => {
  expect(cureFor('page', 'Try again. Or begin anew: campaigns run FILE')).toBe('Try again.');
  expect(cureFor('api', 'Add --force to delete it anyway.')).toBeUndefined();
  expect(cureFor('page', 'Look at the campaigns again.')).toBe('Look at the campaigns again.');
});

it('a document keeps all texts but cures', () => {
  const value = {
    id: 'c1',
    cells: ['--map'],
    problems: [{ cure: 'Remove the option --sheet.', value: '--sheet' }],
  };
  expect(inDocument('api', value)).toEqual({
    ...value,
    problems: [{ cure: 'Leave out the field sheet.', value: '--sheet' }],
  });
});

it.each([
  [
    'Correct what the service names in the sheet, then import it again.',
    'Correct what the service names in the sheet.',
  ],
  [
    'Make another user an operator first, or add one:\ncampaigns users add NAME --role operator',
    'Make another user an operator first',
  ],
])('a page leads on itself: %s', (cure, said) => {
  expect(cureFor('page', cure)).toBe(said);
});
