/** Music that a plan names by its title: its id stands in a list of the workbook, or the service tells it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';
import { worksheetOf, writeWorkbook } from '../../support/sheets/workbook.ts';
import { openTestDraft } from './test-draft.ts';

const list = [
  { Format: 'Video', Sound: 'Midnight Morning – Lantern Trio', 'Sound-ID': 'music_7025' },
  { Format: 'Foto', Sound: 'Calm Sunday', 'Sound-ID': 'music_7010' },
];

async function offered(rows: readonly Cells[], lists: readonly Cells[], state?: 'hidden') {
  const draft = await openTestDraft(rows);
  const { drafts, id, look } = draft;
  const lines = { ...worksheetOf('Listen', lists), ...(state && { state }) };
  const sheets = [worksheetOf('Posts', rows), ...(lists.length > 0 ? [lines] : [])];
  await draft.drop(readFileSync(await writeWorkbook({ sheets })), 'Plan.xlsx');
  const { checked } = await look();
  const group = checked?.groups.find(({ column }) => column === 'music_id');
  const found = await drafts.suggestions(id, group?.id ?? '');
  return { draft, group, found, width: checked?.columns.length ?? 0 };
}

const titled = (key: string, music_title: string, more: Cells = {}) =>
  videoRow(key, { music_title, ...more });

describe('the title of music without an id', () => {
  it('has the id that a hidden list of the workbook has for it, in a column that is added', async () => {
    const rows = [
      titled('a', 'Calm Sunday'),
      titled('b', ''),
      titled('c', 'midnight morning – lantern trio'),
    ];
    const { draft, group, found, width } = await offered(rows, list, 'hidden');
    expect(group).toMatchObject({ code: 'music_without_id', position: -1, numbers: [1, 3] });
    expect(found.map(({ label, confidence }) => [label, confidence])).toEqual([
      ['Use the music ids that are known in 2 rows', 'sure'],
      ['Use music_7010 in 1 row', 'sure'],
      ['Use music_7025 in 1 row', 'sure'],
    ]);
    expect(found[1]?.evidence).toBe('In the worksheet Listen, the music Calm Sunday has the id music_7010.');
    const cells = [...(found[0]?.edits ?? [])];
    const columns = [{ name: 'music_id' as const }];
    await draft.edit({ cells, addColumns: { at: width, columns } });
    expect((await draft.look()).checked?.groups).toEqual([]);
  });

  it('stands in the place of the id', async () => {
    const { found } = await offered([videoRow('a', { music_id: 'Calm Sunday' })], list);
    expect(found.map(({ label, confidence }) => [label, confidence])).toEqual([
      ['Use music_7010 in 1 row', 'sure'],
    ]);
  });
});
