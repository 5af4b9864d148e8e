import { expect, it } from 'vitest';
import { videoRow } from '../../../support/sheets/rows.ts';
import { openTestDraft } from '../test-draft.ts';

const drive = 'https://drive.google.com/file/d/1aBcDeFgHiJkLmNoP/view';
const dropbox = 'https://www.dropbox.com/scl/fi/a1b2/L%C3%A9a%2001.mp4?rlkey=x&dl=0';

async function suggested(files: readonly string[]) {
  const rows = [videoRow('a', { media: dropbox }), videoRow('b', { media: drive })];
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

it('of two files with the name, a person chooses', async () => {
  const found = await suggested(['Week 1/léa 01.mp4', 'Week 2/léa 01.mp4']);
  expect(found.filter(([row]) => row === 1).map(([, confidence]) => confidence)).toEqual([
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
