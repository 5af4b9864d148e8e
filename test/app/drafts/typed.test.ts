/** What people type into cells of a draft, where the sheet or an earlier choice tells what it means. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OpenDraft } from '../../../src/app/drafts/open-draft.ts';
import { textOfCell } from '../../../src/manifest/cells/formula-guard.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../support/sheets/sheet.ts';
import { openTestDraft, type TestDraft } from './test-draft.ts';

const at = (key: string, scheduled_at: string) => videoRow(key, { scheduled_at });
const of = (row: Cells, column: string) => Object.keys(row).indexOf(column);
const position = of(at('a', ''), 'scheduled_at');
const typed = (text: string, row = 1) => ({ cells: [{ row, position, text }] });

async function cellOf({ drafts, id }: TestDraft, row: number, column: number) {
  const { rows } = await drafts.window(id, 'all', row - 1, 1);
  return textOfCell(rows[0]?.cells ?? [], column);
}

const now = () => Date.UTC(2030, 0, 5);
const open = (rows: readonly Cells[], more = {}) => openTestDraft(rows, { now, queues: [], ...more });

describe('a typed date', () => {
  const first = at('a', '2030-03-01 10:00Z');

  it.each([
    ['day first, as those of other rows', '14/03/2030 10:00Z', '03/12/2030 10:00Z', '2030-12-03 10:00Z'],
    ['month first, as those of other rows', '03/14/2030 10:00Z', '03/12/2030 10:00Z', '2030-03-12 10:00Z'],
    ['in their year', '14/03/2030 10:00Z', '3/12 10:00Z', '2030-12-03 10:00Z'],
    ['with the name of its month', '14/03/2030 10:00Z', '3 Dec 2030, 10:00Z', '2030-12-03 10:00Z'],
  ])('is read %s', async (_how, other, text, read) => {
    const draft = await open([first, at('b', other)]);
    const { checked } = await draft.edit(typed(text));
    expect(await cellOf(draft, 1, position)).toBe(read);
    expect(checked?.refused).toBe(0);
  });

  it('is read as a person chose for other rows, and goes with one undo', async () => {
    const draft = await open([first, at('b', '03/12/2030 10:00Z')]);
    await draft.edit(typed('2030-12-03 10:00Z', 2));
    const { checked, draft: edited } = await draft.edit(typed('04/11/2030 10:00Z'));
    expect([await cellOf(draft, 1, position), checked?.refused]).toEqual(['2030-11-04 10:00Z', 0]);
    await draft.drafts.undo(draft.id, { by: 'ann', version: edited.version });
    expect(await cellOf(draft, 1, position)).toBe('2030-03-01 10:00Z');
  });

  it('is not read once another person has edited, whose undo would take the reading back', async () => {
    const draft = await open([first, at('b', '14/03/2030 10:00Z')]);
    const caption = of(first, 'caption');
    const { edit } = OpenDraft.prototype;
    const mocked = vi.spyOn(OpenDraft.prototype, 'edit');
    onTestFinished(() => mocked.mockRestore());
    mocked.mockImplementationOnce(async function (this: OpenDraft, ...given) {
      const made = await edit.apply(this, given);
      const cells = [{ row: 2, position: caption, text: 'By Ben' }];
      await edit.call(this, { by: 'ben', version: undefined }, { cells }, 'edited cells');
      return made;
    });
    await draft.edit(typed('03/12/2030 10:00Z'));
    const before = await cellOf(draft, 1, position);
    const { version } = (await draft.look()).draft;
    await draft.drafts.undo(draft.id, { by: 'ben', version });
    expect(await cellOf(draft, 2, caption)).toBe('Caption b');
    expect(await cellOf(draft, 1, position)).toBe(before);
  });

  it.each([
    ['nothing tells its order', []],
    ['other rows have both', ['14/03/2030 10:00Z', '03/14/2030 10:00Z']],
  ])('is asked about where %s', async (_where, others) => {
    const draft = await open([first, ...others.map((time, row) => at(`r${row}`, time))]);
    const { checked } = await draft.edit(typed('03/12/2030 10:00Z'));
    expect(checked?.groups).toMatchObject([{ code: 'ambiguous_time', numbers: [1] }]);
    expect(await cellOf(draft, 1, position)).toBe('03/12/2030 10:00Z');
  });
});

describe('a typed name that people chose for before', () => {
  const rows = [videoRow('a', { creator: 'Annika from Berlin' }), videoRow('b')];
  const creator = of(videoRow('a'), 'creator');
  const fix = (row: number, text: string) => ({ cells: [{ row, position: creator, text }] });

  it('is that creator, and teaches nothing else', async () => {
    const draft = await open(rows);
    await draft.edit(fix(1, 'demo_anna'));
    const { checked } = await draft.edit(fix(2, 'annika  from Berlin'));
    expect([await cellOf(draft, 2, creator), checked?.refused]).toEqual(['demo_anna', 0]);
  });

  it('is that creator in the next version of a plan', async () => {
    const draft = await open(rows);
    await draft.edit(fix(1, 'demo_anna'));
    await draft.drop(sheetText([videoRow('a'), videoRow('c')]));
    await draft.edit(fix(2, 'Annika from Berlin'));
    expect(await cellOf(draft, 2, creator)).toBe('demo_anna');
  });
});

describe('a typed file name', () => {
  const media = of(videoRow('a'), 'media');
  const type = async (files: readonly string[], text: string) => {
    const draft = await open([videoRow('a')]);
    await draft.store(...files);
    const { checked } = await draft.edit({ cells: [{ row: 1, position: media, text }] });
    return [await cellOf(draft, 1, media), checked?.refused];
  };

  it.each([
    ['Assets/Dec/lip-01.mp4', 'lip-01.mp4'],
    ['Assets/Dec/lip-01.mp4', 'Dec\\Lip-01.mp4'],
    ['lip-01.mp4', 'Assets/Dec/lip-01.mp4'],
  ])('is the one uploaded file %s where it says %s', async (file, text) => {
    expect(await type([file], text)).toEqual([file, 0]);
  });

  it.each([
    ['two folders have one', ['Dec/lip-01.mp4', 'Nov/lip-01.mp4'], 'lip-01.mp4'],
    ['only another version is there', ['Dec/lip-01_v2.mp4'], 'lip-01.mp4'],
    ['only another folder has it', ['Dec/lip-01.mp4'], 'Nov/lip-01.mp4'],
  ])('is asked about where %s', async (_where, files, text) => {
    expect(await type(files, text)).toEqual([text, 1]);
  });
});
