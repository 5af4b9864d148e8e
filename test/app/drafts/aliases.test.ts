import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAliases } from '../../../src/app/campaigns/import/aliases.ts';
import { operations } from '../../../src/app/operations.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';
import { worksheetOf, writeWorkbook } from '../../support/sheets/workbook.ts';
import { openTestDraft, type TestDraft } from './test-draft.ts';

const creator = 1;
const unknown = 'Annika from Berlin';
const rows = [videoRow('a', { creator: unknown }), videoRow('b', { creator: unknown }), videoRow('c')];

async function suggested({ drafts, id, look }: TestDraft) {
  const { checked } = await look();
  const all = (checked?.groups ?? []).map((group) => drafts.suggestions(id, group.id));
  return (await Promise.all(all))
    .flat()
    .flatMap(({ edits, evidence, confidence }) =>
      edits.map(({ row, text }) => [row, text, confidence, evidence]),
    );
}

const known = async ({ runtime }: TestDraft) =>
  (await readAliases(runtime)).map(({ kind, name, means, by }) => [kind, name, means, by]);

const both = (text: string) => ({ cells: [...fix(1, text).cells, ...fix(2, text).cells] });
const fix = (row: number, text: string) => ({ cells: [{ row, position: creator, text }] });

describe('a name that a person replaced', () => {
  it('is a sure fix from then on, also in another spelling', async () => {
    const draft = await openTestDraft(rows);
    await draft.edit(both('demo_anna'));
    expect(await known(draft)).toEqual([['creator', unknown, 'demo_anna', 'ann']]);
    await draft.drop(
      sheetText([videoRow('d', { creator: unknown }), videoRow('e', { creator: ' annika  FROM berlin' })]),
    );
    const evidence = `ann chose demo_anna for ${unknown} before.`;
    expect(await suggested(draft)).toEqual([
      [1, 'demo_anna', 'sure', evidence],
      [2, 'demo_anna', 'sure', evidence],
    ]);
  });

  it('is not remembered before it was replaced in all rows', async () => {
    const draft = await openTestDraft(rows);
    await draft.edit(fix(1, 'demo_anna'));
    expect(await known(draft)).toEqual([]);
    await draft.edit(fix(2, '@demo_anna'));
    expect(await known(draft)).toEqual([['creator', unknown, '@demo_anna', 'ann']]);
  });

  it('nor is a substitute for one row, whoever the others become', async () => {
    const draft = await openTestDraft(rows);
    await draft.edit(fix(1, 'demo_anna'));
    await draft.edit(fix(2, 'demo_ben'));
    expect(await known(draft)).toEqual([]);
  });

  it('is not remembered while the check does not know what is written now', async () => {
    const draft = await openTestDraft(rows);
    await draft.edit(both('demo_nobody'));
    expect(await known(draft)).toEqual([]);
  });

  it('nor if a right name was replaced, or one name by two', async () => {
    const draft = await openTestDraft(rows);
    await draft.edit(fix(3, 'demo_ben'));
    await draft.edit({ cells: [...fix(1, 'demo_anna').cells, ...fix(2, 'demo_ben').cells] });
    expect(await known(draft)).toEqual([]);
  });

  it('is forgotten when the edit is undone', async () => {
    const draft = await openTestDraft(rows);
    await draft.edit(both('demo_anna'));
    const { version } = (await draft.look()).draft;
    await draft.drafts.undo(draft.id, { by: 'ann', version });
    expect(await known(draft)).toEqual([]);
  });
});

it('the title of a product is remembered with its id', async () => {
  const draft = await openTestDraft([videoRow('a', { product_id: 'Glow Serum' })]);
  const { checked } = await draft.look();
  const position = checked?.columns.find(({ column }) => column === 'product_id')?.position ?? -1;
  await draft.edit({ cells: [{ row: 1, position, text: '1729384071926530212' }] });
  expect(await known(draft)).toEqual([['product', 'Glow Serum', '1729384071926530212', 'ann']]);
});

it('the title of a product whose id was missing is remembered with the id that all its rows got', async () => {
  const title = { product_title: 'Glow Serum', product_id: '' };
  const draft = await openTestDraft([videoRow('a', title), videoRow('b', title)]);
  const { checked } = await draft.look();
  const position = checked?.columns.find(({ column }) => column === 'product_id')?.position ?? -1;
  const id = '1729384071926530212';
  await draft.edit({ cells: [{ row: 1, position, text: id }] });
  expect(await known(draft)).toEqual([]);
  await draft.edit({ cells: [{ row: 2, position, text: id }] });
  expect(await known(draft)).toEqual([['product', 'Glow Serum', id, 'ann']]);
  await draft.edit({ cells: [{ row: 1, position, text: '' }] });
  expect(await suggested(draft)).toContainEqual([1, id, 'sure', `ann chose ${id} for Glow Serum before.`]);
});

describe('what people chose before is no sure fix against', () => {
  const [own, other] = ['1729384071926530999', '1729384071926530111'];

  it.each([
    ['', 'Hoodie black'],
    ['Hoodie black', 'Hoodie black'],
  ])('the id of the same product in other rows of the sheet: %s', async (product_id, product_title) => {
    const hoodie = (key: string, id: string) => videoRow(key, { product_id: id, product_title });
    const draft = await openTestDraft([hoodie('a', own), hoodie('b', own), hoodie('c', product_id)]);
    await operations.setAlias(draft.runtime, { kind: 'product', name: 'Hoodie black', means: other });
    const found = await suggested(draft);
    expect(found.map(([row, text, confidence]) => [row, text, confidence])).toEqual([
      [3, other, undefined],
      [3, own, undefined],
    ]);
  });

  it('the account in another worksheet of the workbook', async () => {
    const draft = await openTestDraft([]);
    const sheets = [
      worksheetOf('Plan', [videoRow('a', { creator: 'Anna B.' }), videoRow('b', { creator: 'Tom' })]),
      worksheetOf('Casting', [
        { Name: 'Anna B.', Account: '@demo_ben' },
        { Name: 'Tom', Account: '@demo_leo' },
      ]),
    ];
    await draft.drop(readFileSync(await writeWorkbook({ sheets })), 'Plan.xlsx');
    await operations.setAlias(draft.runtime, { kind: 'creator', name: 'Anna B.', means: 'demo_anna' });
    await operations.setAlias(draft.runtime, { kind: 'creator', name: 'Tom', means: '@demo_leo' });
    const found = await suggested(draft);
    expect(found.map(([row, text, confidence]) => [row, text, confidence])).toEqual([
      [1, 'demo_anna', undefined],
      [2, '@demo_leo', 'sure'],
      [1, 'demo_ben', undefined],
    ]);
  });
});

it('an alias is changed and removed by operations; what is no id is refused', async () => {
  const { runtime } = await openTestDraft(rows);
  const alias = { kind: 'product', name: 'Glow Serum' } as const;
  await operations.setAlias(runtime, { ...alias, means: '123' });
  await operations.setAlias(runtime, { ...alias, name: 'glow serum', means: '124' });
  expect((await operations.listAliases(runtime, {})).aliases).toMatchObject([
    { name: 'glow serum', means: '124' },
  ]);
  await expect(operations.setAlias(runtime, { ...alias, means: 'a b' })).rejects.toMatchObject({
    code: 'request_invalid',
  });
  expect(await operations.removeAlias(runtime, alias)).toEqual({ removed: true });
  expect(await operations.removeAlias(runtime, alias)).toEqual({ removed: false });
});
