import { expect, it } from 'vitest';
import { videoRow } from '../../../support/sheets/rows.ts';
import { openTestDraft } from '../test-draft.ts';

it('for a missing file, uploaded ones that no row uses are offered, the nearest first', async () => {
  const { drafts, id, edit, store, look } = await openTestDraft([videoRow('a'), videoRow('b')]);
  const { checked } = await look();
  const position = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
  await store('serum launch 3.mp4', 'toner.mp4', 'serum-teaser.mp4');
  const { checked: after } = await edit({ cells: [{ row: 1, position, text: 'serum launch 12.mp4' }] });
  const group = after?.groups.find(({ code }) => code === 'media_missing')?.id ?? '';
  const found = await drafts.suggestions(id, group);
  expect(found.map(({ edits, confidence }) => [confidence, edits[0]?.text])).toEqual([
    [undefined, 'serum launch 3.mp4'],
    [undefined, 'serum-teaser.mp4'],
  ]);
});
