/** The line of the headers that a person named is found again in the next sheet, until somebody chooses another. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { rememberedReadingOf, rememberReading } from '../../../src/app/drafts/remembered-columns.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';
import { textRow, writeWorkbook } from '../../support/sheets/workbook.ts';
import { openTestDraft } from './test-draft.ts';

const { creator: _none, ...row } = videoRow('a');
const notes = Object.fromEntries(Array.from('abcdefghi', (name) => [`_${name}`, 'x']));
const rows = [{ ...row, Wer: 'demo_anna', ...notes }];
const headers = Object.keys(rows[0] ?? {});
/** Looks more like headers than they do. */
const title = Array.from('ABCDEFGHI', (name) => `Plan ${name}`).join();
const reading = { map: { Wer: 'creator' }, headerLine: 3, timezone: 'Asia/Shanghai' };

async function openRemembered(test: TestContext, others: readonly number[] = []) {
  const scene = await openTestDraft([videoRow('a')], { queues: [] }, test);
  for (const headerLine of others)
    await rememberReading(scene.runtime, [`Other ${headerLine}`], 'ann', { ...reading, headerLine });
  await rememberReading(scene.runtime, headers, 'ann', reading);
  return scene;
}

it.for([
  ['below a line as wide', `${title}\n${title}\n`],
  ['below a narrow line', `${title}\nMay\n`],
  ['below a blank line', `${title}\n\n`],
])('%s', async ([_name, above], test) => {
  const { runtime } = await openRemembered(test, [2, 7]);
  const path = join(temporaryFolder(), 'plan.csv');
  writeFileSync(path, `${above}${sheetText(rows)}`);
  expect(await rememberedReadingOf(runtime, path, 'ann')).toEqual(reading);
});

it('of a workbook, below a narrow line', async (test) => {
  const { runtime } = await openRemembered(test, [2, 7]);
  const lines = [title.split(','), ['May'], headers, headers.map(() => 'x')];
  const path = await writeWorkbook({ rows: lines.map((cells) => textRow(cells)).join('') });
  expect(await rememberedReadingOf(runtime, path, 'ann')).toEqual(reading);
});

it('a line that is taken back stays so, and has its own columns', async (test) => {
  const { drafts, id, look, drop } = await openRemembered(test);
  await drop(`${title}\n${title}\n${sheetText(rows)}`);
  const read = async (choices: Parameters<typeof drafts.read>[2]) => {
    await drafts.read(id, { by: 'ann', version: (await look()).draft.version }, choices);
    const { draft, failure, checked } = await look();
    return { reading: draft.reading, failure, line: checked?.headerLine };
  };
  expect(await read({ headerLine: 3 })).toEqual({ reading, line: 3 });
  expect(await read({ headerLine: null })).toEqual({ reading: { timezone: 'Asia/Shanghai' }, line: 1 });
});
