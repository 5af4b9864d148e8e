import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { videoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';
import { worksheetOf, writeWorkbook } from '../../support/sheets/workbook.ts';
import { openTestDraft } from './test-draft.ts';

const rows = ['a', 'b', 'c', 'd'].map((key) => videoRow(key));
describe('another reading', () => {
  it('has no edits of the one before, which come back with it', async () => {
    const { drop, edit, drafts, id, look } = await openTestDraft(rows);
    await drop(sheetText(rows).replaceAll(',', ';'));
    await edit({ leaveOut: [1] });
    const change = async () => ({ by: 'ann', version: (await look()).draft.version });
    await drafts.read(id, await change(), { delimiter: ',' });
    const other = await look();
    expect(other.edits).toMatchObject({ leftOut: 0 });
    expect(other.checked?.blocking.map(({ code }) => code)).toContain('missing_column');
    await drafts.read(id, await change(), { delimiter: null });
    expect((await look()).checked).toMatchObject({ accepted: 3, leftOut: 1, blocking: [] });
  });

  it('of other worksheets has no edits of those whose names are joined in its name', async () => {
    const { drop, edit, drafts, id, look } = await openTestDraft(rows);
    const sheets = ['Video', 'Photo', 'Video Photo'].map((name) => worksheetOf(name, rows.slice(0, 2)));
    await drop(readFileSync(await writeWorkbook({ sheets })), 'plan.xlsx');
    const change = async () => ({ by: 'ann', version: (await look()).draft.version });
    await drafts.read(id, await change(), { sheet: ['Video', 'Photo'] });
    await edit({ leaveOut: [1] });
    await drafts.read(id, await change(), { sheet: 'Video Photo' });
    expect((await look()).checked).toMatchObject({ rows: 2, leftOut: 0 });
  });

  it('keeps the columns if it is of the same worksheet', async () => {
    const { drafts, id, look } = await openTestDraft(rows);
    const change = async () => ({ by: 'ann', version: (await look()).draft.version });
    await drafts.read(id, await change(), { sheet: ['B'] });
    await drafts.read(id, await change(), { map: { wer: 'creator' } });
    const { draft } = await drafts.read(id, await change(), { sheet: ['B'], timezone: 'UTC' });
    expect(draft.reading).toEqual({ sheet: ['B'], map: { wer: 'creator' }, timezone: 'UTC' });
    const other = await drafts.read(id, await change(), { sheet: ['B', 'C'] });
    expect(other.draft.reading).not.toHaveProperty('map');
  });

  it('of columns is tried on the same rows, of which the first are shown before they fit', async () => {
    const { drop, drafts, id, look } = await openTestDraft(rows);
    await drop(sheetText(rows).replace('creator', 'wer').replace('media', 'film'));
    const { checked, draft } = await look();
    expect(checked).toMatchObject({ rows: 0, accepted: 0 });
    expect(checked?.columns[1]).toMatchObject({
      title: 'wer',
      column: null,
      firstTexts: Array(3).fill('demo_anna'),
    });
    await drafts.read(id, { by: 'ann', version: draft.version }, { map: { wer: 'creator', film: 'media' } });
    expect((await look()).checked).toMatchObject({ rows: 4, accepted: 4, blocking: [] });
  });
});
