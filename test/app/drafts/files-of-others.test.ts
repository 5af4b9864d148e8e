/** Files that are named after another creator of the sheet than their row's. */
import { expect, it } from 'vitest';
import { FilesOfOthers, RepeatedFiles } from '../../../src/app/drafts/check/files-of-others.ts';
import { cellsOf, openDraft } from '../../support/console/draft-page.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { openTestDraft } from './test-draft.ts';

type Noted = readonly [creator: string, file: string, name?: string];

const found = (rows: readonly Noted[]) => {
  const files = new FilesOfOthers();
  for (const [at, [creator, file, name = '']] of rows.entries())
    files.note(at + 1, { creator, media: [file] }, name);
  return files.find().map(([number, { meant }]) => [number, meant]);
};
const named: readonly Noted[] = ['anna', 'carla', 'elena', 'anna', 'carla', 'elena', 'anna', 'carla'].map(
  (name, at) => [`demo_${name}`, `reels/${at}_${name}.mp4`],
);

it('two rows with each other’s file are found, each with the file that is meant', () => {
  const swapped: readonly Noted[] = [
    ['demo_anna', 'x_elena.mp4'],
    ['demo_elena', 'y_anna.mp4'],
  ];
  expect(found([...named, ...swapped])).toEqual([
    [9, 'y_anna.mp4'],
    [10, 'x_elena.mp4'],
  ]);
});

it('the same file in two rows of a creator is found at the later one, also beside a row that has problems', () => {
  const files = new RepeatedFiles();
  files.note({ number: 2, line: 9 }, '@demo_anna', 'a.mp4');
  files.note({ number: 3, line: 10 }, 'demo_ben', 'a.mp4');
  files.note({ number: 4, line: 11 }, 'demo_ben', 'b.mp4');
  files.note({ number: 1, line: 8 }, 'demo_anna', 'a.mp4', true);
  files.note({ number: 5, line: 12 }, 'demo_ben', 'b.mp4', true);
  const problem = 'the creator posts this file in line 8, too';
  expect(files.find()).toMatchObject([[2, { code: 'file_repeats', value: 'a.mp4', problem }]]);
});

it('the same file in two rows of a creator is a warning on the page', async () => {
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key, { media: 'same.mp4', creator: 'demo_anna' }));
  const { checked } = await (await openTestDraft(rows)).look();
  expect(checked?.warnings.map(({ code, numbers }) => [code, numbers])).toContainEqual([
    'file_repeats',
    [2, 3],
  ]);
});

it('an account is the same with and without its @', () => {
  const rows: readonly Noted[] = [['@demo_elena', 'z_elena.mp4'], ...named, ['demo_anna', 'x_elena.mp4']];
  expect(found(rows)).toEqual([[10, undefined]]);
});

it('a file of another creator alone is found, with nothing that is surely meant', () => {
  expect(found([...named, ['demo_anna', 'x_elena.mp4']])).toEqual([[9, undefined]]);
});

it('display names of the sheet count, with or without accents', () => {
  const shown = named.map(
    ([creator, file]): Noted => [
      creator,
      file.replace('elena', 'moreau'),
      creator === 'demo_elena' ? 'Hélène Morèau' : '',
    ],
  );
  expect(found([...shown, ['demo_anna', 'x_Moreau.mp4']])).toEqual([[9, undefined]]);
});

it.each<[string, readonly Noted[]]>([
  [
    'most files hold other names',
    [
      ...named.slice(0, 3),
      ...named.slice(0, 3).map(([, file], at): Noted => [named[(at + 1) % 3]?.[0] ?? '', `b${file}`]),
    ],
  ],
  ['too few files hold names', [...named.slice(0, 2), ['demo_elena', 'anna.mp4']]],
  ['a file holds both names', [...named, ['demo_anna', 'anna_and_elena.mp4']]],
  ['a name is short', [...named, ['demo_al', 'al.mp4'], ['demo_anna', 'al-2.mp4']]],
  [
    'the other creator’s own files hold no name',
    [...named, ['demo_summer', 'x.mp4'], ['demo_anna', 'summer.mp4']],
  ],
  ['creators share the word', [...named, ['demo_ben', 'demo.mp4']]],
])('nothing is found if %s', (_what, rows) => expect(found(rows)).toEqual([]));

it('is a warning in both rows, and one press swaps the files', async () => {
  const files = [
    '1_anna',
    '2_carla',
    '3_elena',
    '4_anna',
    '5_carla',
    '6_elena',
    '7_anna',
    '8_carla',
    '9_elena',
    '10_anna',
  ];
  const creators = ['anna', 'carla', 'elena', 'anna', 'carla', 'elena', 'anna', 'carla', 'anna', 'elena'];
  const draft = await openDraft(
    files.map((file, at) => videoRow(`k${at}`, { creator: `demo_${creators[at]}`, media: `${file}.mp4` })),
  );
  const { html, text } = await draft.checked();
  expect(text).toContain('2 rows: the file is named after another creator of this sheet.');
  expect(text).not.toContain('sure fix');
  const asked = (await draft.pages.get(`${draft.path}/start`)).text;
  expect(asked).toContain('Files named after another creator 2 rows: check them');
  const [, action = '', use = ''] =
    /formaction="[^"]*\/(take[^"]*)" name="use" value="([^"]*)"[^>]*>Swap 9_elena.mp4 and 10_anna.mp4/.exec(
      html,
    ) ?? [];
  const { version } = draft.fieldsOf(html);
  const swapped = await draft.pages.post(`${draft.path}/${action.replaceAll('&amp;', '&')}`, {
    version,
    use,
  });
  expect(swapped.text).toContain('2 rows edited.');
  expect(await cellsOf(draft, 9)).toContain('10_anna.mp4');
  expect(await cellsOf(draft, 10)).toContain('9_elena.mp4');
});
