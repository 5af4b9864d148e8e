/** Rows without a time in a sheet of times. */
import { expect, it } from 'vitest';
import { changeDraft } from '../../../src/app/drafts/drafts.ts';
import { check, manifestOf } from '../../importers/manifest-source.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { openTestDraft } from './test-draft.ts';

const timed = [1, 2, 3, 4, 5].map((day) => ({ scheduled_at: `2031-05-0${day}T09:00Z` }));
const rowsOf = (times: readonly { readonly scheduled_at: string }[]) =>
  times.map((time, at) => videoRow(`k${at}`, time));

it('are a question, which Post now answers', async () => {
  const draft = await openTestDraft(rowsOf([{ scheduled_at: '' }, ...timed, { scheduled_at: '' }]));
  const { checked } = await draft.look();
  const [group] = checked?.groups ?? [];
  expect(checked?.groups).toMatchObject([{ code: 'time_lacking', count: 2, column: 'scheduled_at' }]);
  const [atOnce, ...others] = await draft.drafts.suggestions(draft.id, group?.id ?? '');
  expect([atOnce?.label, atOnce?.confidence, others]).toEqual([
    'Post now, without a time, 2 rows',
    undefined,
    [],
  ]);
  const [first] = atOnce?.edits ?? [];
  const once = await draft.edit({ cells: first === undefined ? [] : [first] });
  expect(once.checked?.groups).toMatchObject([{ code: 'time_lacking', count: 1 }]);
  const all = await draft.edit({ cells: [...(atOnce?.edits ?? [])] });
  expect(all.checked).toMatchObject({ groups: [], accepted: 7 });
});

it('are no question where some others have none either', async () => {
  const draft = await openTestDraft(rowsOf([...timed, ...Array(3).fill({ scheduled_at: '' })]));
  expect((await draft.look()).checked?.groups).toEqual([]);
});

it('are a warning where no page asks', async () => {
  const { found, warnings } = await check(manifestOf([...timed, { scheduled_at: '' }]));
  expect(found).toEqual([]);
  expect(warnings.kept.filter(({ code }) => code === 'time_lacking')).toMatchObject([{ line: 7 }]);
});

it('are skipped at the start with the other rows that have problems', async () => {
  const draft = await openTestDraft(rowsOf([...timed, { scheduled_at: '' }]));
  const by = 'ann';
  const { draft: seen } = await draft.look();
  await changeDraft(draft.runtime, draft.id, { by, version: seen.version, what: 'skips them' }, () => ({
    options: { leaveOutProblems: true },
  }));
  const { draft: shown, checked } = await draft.look();
  expect(checked).toMatchObject({ accepted: 5, refused: 1 });
  const { campaign } = await draft.drafts.start(draft.id, { by, version: shown.version, rows: 5 });
  expect(campaign.rows).toBe(5);
});

it('stay a question in the check of an edit, where another row of their kind has another open time', async () => {
  const rows = rowsOf([{ scheduled_at: 'tbc' }, ...timed, { scheduled_at: '' }]);
  const draft = await openTestDraft(rows);
  const before = await draft.look();
  expect(before.checked?.groups).toMatchObject([{ code: 'invalid_time', count: 2 }]);
  const caption = before.checked?.columns.find(({ column }) => column === 'caption')?.position ?? -1;
  const { checked } = await draft.edit({ cells: [{ row: 7, position: caption, text: 'Another' }] });
  expect(checked?.groups).toMatchObject([{ count: 2 }]);
});
