import { describe, expect, it } from 'vitest';
import { videoRow } from '../../../support/sheets/rows.ts';
import { openTestDraft } from '../test-draft.ts';
import { allSuggestionsOf } from './listed-names.ts';

const drive = 'https://drive.google.com/file/d/1aBcDeFgHiJkLmNoP/view';
const dropbox = 'https://www.dropbox.com/scl/fi/a1b2/L%C3%A9a%2001.mp4?rlkey=x&dl=0';

async function suggested(files: readonly string[], links: readonly string[] = [dropbox, drive]) {
  const rows = links.map((media, at) => videoRow(`${at}`, { media }));
  const { drafts, id, look, store } = await openTestDraft(rows);
  await store(...files);
  const { checked } = await look();
  const groups = (checked?.groups ?? []).filter(({ code }) => code === 'share_link');
  const all = await Promise.all(groups.map((group) => drafts.suggestions(id, group.id)));
  return all.flat().flatMap(({ confidence, edits }) => edits.map(({ row, text }) => [row, confidence, text]));
}

it('a dropped file with the name that a cloud link ends with wins, and no other link is a sure fix', async () => {
  expect(await suggested(['Week 1/léa 01.MP4', 'tom.mp4'])).toEqual([
    [1, 'sure', 'Week 1/léa 01.MP4'],
    [2, undefined, expect.stringContaining('export=download')],
  ]);
});

it('of two files with the name, and of what the link leads to, a person chooses', async () => {
  const found = await suggested(['Week 1/léa 01.mp4', 'Week 2/léa 01.mp4']);
  expect(found.filter(([row]) => row === 1).map(([, confidence]) => confidence)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('without files, the direct link is the sure fix', async () => {
  expect((await suggested([])).map(([row, confidence]) => [row, confidence])).toEqual([
    [1, 'sure'],
    [2, 'sure'],
  ]);
});

it('a link that may lead to a folder is for a person to look at', async () => {
  const open = 'https://drive.google.com/open?id=1aBcDeFgHiJkLmNoP';
  expect((await suggested([], [drive, open])).map(([row, confidence]) => [row, confidence])).toEqual([
    [1, 'sure'],
    [2, undefined],
  ]);
});

describe('one file for several links that end with its name is no sure fix', () => {
  const links = ['aaa', 'bbb'].map((folder) => `https://www.dropbox.com/s/${folder}/video.mp4?dl=0`);
  const other = 'https://1drv.ms/v/s/video.mp4';

  it.each([
    ['in two rows', links],
    ['of two services', [links[0] ?? '', other]],
    ['in one cell', [links.join('|')]],
    ['of which one was replaced by hand', [links[0] ?? '', 'video.mp4']],
    ['that differ only at their ends', ['1', '2'].map((end) => `${links[0]}&rlkey=${'x'.repeat(120)}${end}`)],
  ])('%s', async (_where, given) => {
    const found = await suggested(['video.mp4'], given);
    const isFile = ([, , text]: (typeof found)[number]) => !String(text).includes('raw=1');
    expect(found.filter(isFile).length).toBeGreaterThan(0);
    expect(found.filter(isFile).map(([, confidence]) => confidence)).not.toContain('sure');
  });

  it('but one link in several rows is', async () => {
    expect(
      await suggested(
        ['video.mp4'],
        [dropbox, dropbox].map((link) => link.replace('L%C3%A9a%2001', 'video')),
      ),
    ).toEqual([
      [1, 'sure', 'video.mp4'],
      [2, 'sure', 'video.mp4'],
    ]);
  });
});

it('a list of files gets files with other extensions, accents or signs, but of one kind', async () => {
  const draft = await openTestDraft([
    videoRow('a', { media: 'Buche 1.jpg, buche-2.jpg, fete_3.jpg, lune.jpg' }),
  ]);
  await draft.store('Pics/buche_1.JPEG', 'Pics/B\u00fbche_2.png', 'Pics/fe\u0302te_3.jpg', 'lune.mp4');
  const found = await allSuggestionsOf(draft);
  expect(
    found.flatMap(({ confidence, edits }) => edits.map(({ text }) => [confidence, text.normalize('NFC')])),
  ).toContainEqual(['sure', 'Pics/buche_1.JPEG|Pics/Bûche_2.png|Pics/fête_3.jpg|lune.jpg']);
});

it('a list of files gets the folders of the dropped ones with its separators', async () => {
  const draft = await openTestDraft([videoRow('a', { media: 'One.jpg, two.jpg; three.jpg, four.jpg' })]);
  await draft.store(
    'Pics/one.jpg',
    'Pics/two.jpg',
    'three.jpg',
    'Pics/three.jpg',
    'A/four.jpg',
    'B/four.jpg',
  );
  const found = await allSuggestionsOf(draft);
  expect(
    found.flatMap(({ confidence, edits }) => edits.map(({ text }) => [confidence, text])),
  ).toContainEqual(['sure', 'Pics/one.jpg|Pics/two.jpg|three.jpg|four.jpg']);
});
