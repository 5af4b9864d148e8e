/** The next version of a sheet is read as the campaign's own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeDraft } from '../../../src/app/drafts/drafts.ts';
import { draftUpdate } from '../../../src/app/drafts/files/sheet-home.ts';
import { encoded } from '../../importers/manifest-source.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';
import { worksheetOf, writeWorkbook } from '../../support/sheets/workbook.ts';
import { openTestDraft, type TestDraft } from './test-draft.ts';

const rows = [videoRow('a', { caption: 'Schöne Grüße' }), videoRow('b')];
const long = { waitMs: 2 ** 31 - 1 };

async function startWith(
  { runtime, id, drafts, look }: TestDraft,
  reading: Readonly<Record<string, string | number>>,
) {
  await changeDraft(runtime, id, { by: 'ann', version: undefined, what: 'the reading' }, () => ({ reading }));
  const { draft } = await look();
  return (await drafts.start(id, { by: 'ann', version: draft.version, rows: 2 })).campaign;
}

async function readingOf(
  { runtime, drafts, runner }: TestDraft,
  campaign: Parameters<typeof draftUpdate>[2]['campaign'],
  name: string,
  content: Buffer,
) {
  const path = join(runner.folder, name);
  writeFileSync(path, content);
  const update = await draftUpdate(runtime, drafts, { campaign, by: 'ann' }, { name, path });
  const { draft, checked } = await drafts.look(update, long);
  return [draft.reading, checked?.update?.matches.unchanged.count];
}

it('in its worksheet', async (test) => {
  const scene = await openTestDraft(rows, { queues: [] }, test);
  const others = [videoRow('x')];
  const workbook = await writeWorkbook({ sheets: [worksheetOf('May', others), worksheetOf('June', rows)] });
  const content = readFileSync(workbook);
  await scene.drop(content, 'plan.xlsx');
  const campaign = await startWith(scene, { sheet: 'June' });
  expect(await readingOf(scene, campaign, 'plan-2.xlsx', content)).toEqual([{ sheet: 'June' }, 2]);
  const single = readFileSync(await writeWorkbook({ sheets: [worksheetOf('Plan', rows)] }));
  expect(await readingOf(scene, campaign, 'plan-3.xlsx', single)).toEqual([{}, 2]);
});

it('in its encoding, unless it has another one', async (test) => {
  const scene = await openTestDraft(rows, { queues: [] }, test);
  const text = sheetText(rows).replaceAll(',', ';');
  const content = encoded(text, 'windows-1252');
  await scene.drop(content, 'plan.csv');
  const campaign = await startWith(scene, { encoding: 'windows-1252' });
  const read = { encoding: 'windows-1252', delimiter: ';' };
  expect(await readingOf(scene, campaign, 'plan-2.csv', content)).toEqual([read, 2]);
  expect(await readingOf(scene, campaign, 'plan-3.csv', Buffer.from(text))).toEqual([{}, 2]);
});

it('by its line of headers, unless they are in another line', async (test) => {
  const scene = await openTestDraft(rows, { queues: [] }, test);
  // Headers twice: only a person knows which are meant.
  const old = sheetText([videoRow('old')]);
  const content = Buffer.from(old + sheetText(rows));
  await scene.drop(content, 'plan.csv');
  const campaign = await startWith(scene, { headerLine: 3 });
  expect(await readingOf(scene, campaign, 'plan-2.csv', content)).toEqual([
    expect.objectContaining({ headerLine: 3 }),
    2,
  ]);
  expect(await readingOf(scene, campaign, 'plan-3.csv', Buffer.from(sheetText(rows)))).toEqual([{}, 2]);
});
