/** Rows of a draft whose status is not that of most rows, or that a remark holds. */
import { expect, it } from 'vitest';
import { videoRow } from '../../support/sheets/rows.ts';
import { openTestDraft } from './test-draft.ts';

const rowsOf = (column: string, texts: readonly string[]) =>
  texts.map((text, at) => videoRow(`k${at}`, { [column]: text, scheduled_at: `2031-05-0${at + 1}T09:00Z` }));
const mostly = ['Approved', 'Approved', 'Approved', 'Approved', 'Filming'];

it('stay a question when another cell is edited', async () => {
  const draft = await openTestDraft(rowsOf('Status', mostly));
  const { checked } = await draft.look();
  expect(checked?.groups).toMatchObject([{ code: 'row_differs', count: 1 }]);
  const caption = checked?.columns.find(({ column }) => column === 'caption')?.position ?? -1;
  const edited = await draft.edit({ cells: [{ row: 5, position: caption, text: 'Another' }] });
  expect(edited.checked?.groups).toMatchObject([{ code: 'row_differs', count: 1 }]);
});

it('are posted once a person writes what most rows say', async () => {
  const draft = await openTestDraft(rowsOf('Status', mostly));
  const [group] = (await draft.look()).checked?.groups ?? [];
  const suggestions = await draft.drafts.suggestions(draft.id, group?.id ?? '');
  expect(suggestions).toMatchObject([{ label: 'Use Approved in 1 row', confidence: undefined }]);
  const edited = await draft.edit({ cells: [...(suggestions[0]?.edits ?? [])] });
  expect(edited.checked).toMatchObject({ groups: [], accepted: 5 });
});

it.each([
  ['row_differs', { Status: 'Approved', Hashtags: '' }, { Status: 'Filming', Hashtags: '' }, 'Approved'],
  ['no_hashtags', { Hashtags: '#lumina #adv' }, { Hashtags: 'lumina' }, '#lumina'],
  ['time_lacking', { Hashtags: '' }, { scheduled_at: '', Hashtags: '' }, '2031-05-09T09:00Z'],
])('are a question again once the only edit of it is undone: %s', async (code, usual, other, text) => {
  const draft = await openTestDraft(
    [usual, usual, usual, usual, other].map((cells, at) =>
      videoRow(`k${at}`, { scheduled_at: `2031-05-0${at + 1}T09:00Z`, ...cells }),
    ),
  );
  const { version: read } = (await draft.look()).draft;
  await draft.drafts.read(draft.id, { by: 'ann', version: read }, { map: { Hashtags: '+caption' } });
  const { checked } = await draft.look();
  expect(checked?.groups).toMatchObject([{ code, count: 1 }]);
  const title = Object.keys(other)[0];
  const position = checked?.columns.find((each) => each.title === title)?.position ?? -1;
  const edited = await draft.edit({ cells: [{ row: 5, position, text }] });
  expect(edited.checked).toMatchObject({ groups: [], accepted: 5 });
  const { version } = edited.draft;
  const undone = await draft.drafts.undo(draft.id, { by: 'ann', version });
  expect(undone.checked?.groups).toMatchObject([{ code, count: 1 }]);
});

it('are posted once a person clears the remark that holds them', async () => {
  const draft = await openTestDraft(rowsOf('_Notes', ['hold until Monday', '']));
  const [group] = (await draft.look()).checked?.groups ?? [];
  expect(group).toMatchObject({ code: 'remark_holds', count: 1 });
  const suggestions = await draft.drafts.suggestions(draft.id, group?.id ?? '');
  expect(suggestions).toMatchObject([
    { label: 'Clear it in 1 row', evidence: 'Without the remark, nothing says to wait.' },
  ]);
  const edited = await draft.edit({ cells: [...(suggestions[0]?.edits ?? [])] });
  expect(edited.checked).toMatchObject({ groups: [], accepted: 2 });
});
