/** Ids of rows that are article numbers, or those of another product than the title says. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { setAlias } from '../../../src/app/drafts/aliases.ts';
import { changeDraft } from '../../../src/app/drafts/drafts.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';
import { worksheetOf, writeWorkbook } from '../../support/sheets/workbook.ts';
import { openTestDraft, type TestDraft } from './test-draft.ts';

const [lamp, lampLarge, rug, vase] = [
  '1730415600712938471',
  '1730415600712938518',
  '1730415601234567013',
  '1730415609900112233',
];
const catalogue = [
  { Title: 'Lamp Nova S', SKU: 'LN-100-S', 'Product ID': lamp },
  { Title: 'Lamp Nova L', SKU: 'LN-100-L', 'Product ID': lampLarge },
  { Title: 'Rug Dune', SKU: 'RD-220', 'Product ID': rug },
];

function row(key: string, product_title: string, product_id: string): Cells {
  return videoRow(key, { product_title, product_id });
}

async function dropWorkbook(
  { drop }: TestDraft,
  rows: readonly Cells[],
  products: readonly Cells[] = catalogue,
) {
  const sheets = [worksheetOf('Posts', rows), worksheetOf('Products', products)];
  await drop(readFileSync(await writeWorkbook({ sheets })), 'Plan.xlsx');
}

/** Suggestions of each kind of problem of ids. */
async function offered({ drafts, id, look }: TestDraft) {
  const { checked } = await look();
  const kinds = (checked?.groups ?? []).filter(
    ({ column }) => column === 'product_id' || column === 'Product-ID',
  );
  return Promise.all(
    kinds.map(async ({ id: group, code, numbers }) => {
      const found = await drafts.suggestions(id, group);
      return [code, numbers, found.map(({ label, confidence = '' }) => `${label} ${confidence}`.trim())];
    }),
  );
}

describe('an article number in place of an id', () => {
  it('becomes the id that the list of products has for it', async () => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, [row('a', 'Rug', 'RD-220'), row('b', 'Lamp', 'LN-100-L')]);
    expect(await offered(draft)).toEqual([
      [
        'name_as_id',
        [1, 2],
        [
          'Use the ids that are known in 2 rows sure',
          `Use ${rug} and the title Rug Dune in 1 row sure`,
          `Use ${lampLarge} and the title Lamp Nova L in 1 row sure`,
        ],
      ],
    ]);
  });

  it('becomes the id that a person chose for it before', async () => {
    const draft = await openTestDraft([row('a', 'Vase', 'V-30')]);
    await setAlias(draft.runtime, { kind: 'product', name: 'V-30', means: vase, by: 'ann' });
    expect(await offered(draft)).toEqual([['name_as_id', [1], [`Use ${vase} in 1 row sure`]]]);
  });

  it('is a problem among long ids, and never the id of another row', async () => {
    const draft = await openTestDraft([
      row('a', 'Lamp', lamp),
      row('b', 'Rug', rug),
      row('c', 'Vase', vase),
      row('d', 'Bowl', 'BW-12'),
      row('e', 'Bowl', ''),
    ]);
    expect(await offered(draft)).toEqual([
      ['id_unlike_others', [4], []],
      ['missing_value', [5], []],
    ]);
  });

  it('stays a problem when its row is edited elsewhere, until a person types it', async () => {
    const ids = [lamp, rug, vase, 'BW-12'];
    const draft = await openTestDraft(ids.map((id, at) => row(String(at), `Item ${at}`, id)));
    const { checked } = await draft.look();
    const at = (name: string) => checked?.columns.find(({ column }) => column === name)?.position ?? -1;
    const caption = { row: 4, position: at('caption'), text: 'A bowl' };
    const edited = await draft.edit({ cells: [caption] });
    expect(edited.checked?.groups.map(({ code }) => code)).toEqual(['id_unlike_others']);
    const typed = await draft.edit({ cells: [{ row: 4, position: at('product_id'), text: 'BW-12' }] });
    expect(typed.checked?.groups).toEqual([]);
  });

  it('is no problem where all ids are so', async () => {
    expect(await offered(await openTestDraft([row('a', 'Lamp', 'LN-1'), row('b', 'Rug', 'RD-2')]))).toEqual(
      [],
    );
  });
});

describe('an id of another product than the title', () => {
  it('is a problem with both readings', async () => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, [row('a', 'Lamp Nova S', lampLarge), row('b', 'Lamp Nova L', lampLarge)]);
    expect(await offered(draft)).toEqual([
      ['product_differs', [1], [`Use ${lamp} in 1 row`, 'Use Lamp Nova L in 1 row']],
    ]);
  });

  it('is no evidence for other rows', async () => {
    const draft = await openTestDraft([]);
    const products = catalogue.map(({ Title, ...others }) => ({ Name: Title, ...others }));
    await dropWorkbook(draft, [row('a', 'Lamp Nova S', lampLarge), row('b', 'Lamp Nova S', '')], products);
    expect((await offered(draft)).find(([code]) => code === 'missing_value')).toEqual([
      'missing_value',
      [2],
      [`Use ${lamp} in 1 row sure`],
    ]);
  });

  it('is a warning where only a person chose another id before', async () => {
    const draft = await openTestDraft([row('a', 'Lamp Nova S', lampLarge)]);
    await setAlias(draft.runtime, { kind: 'product', name: 'Lamp Nova S', means: lamp, by: 'ann' });
    const { checked } = await draft.look();
    expect(checked?.warnings.map(({ code }) => code)).toEqual(['product_differs']);
  });
});

it.each(['Discontinued – do not post', 'Ausverkauft', '已下架'])(
  'an id is a problem if the list of products says %s, also one from a suggestion',
  async (Status) => {
    const draft = await openTestDraft([]);
    const products = catalogue.map((each, at) => ({ ...each, Status: at === 0 ? Status : 'Live' }));
    const rows = [
      row('a', 'Lamp Nova S', lamp),
      row('b', 'Lamp Nova L', lampLarge),
      row('c', 'Lamp Nova S', ''),
    ];
    await dropWorkbook(draft, rows, products);
    const { checked } = await draft.look();
    const position = checked?.columns.find(({ column }) => column === 'product_id')?.position ?? -1;
    await draft.edit({ cells: [{ row: 3, position, text: lamp }] });
    expect(await offered(draft)).toEqual([['product_ended', [1, 3], []]]);
  },
);

it('an id is a problem if the list of products has it struck through', async () => {
  const draft = await openTestDraft([]);
  const products = worksheetOf('Products', catalogue);
  const struck = `<r><rPr><strike/></rPr><t>Lamp Nova S</t></r>`;
  const rows = products.rows.replace('<t>Lamp Nova S</t>', struck);
  const posts = worksheetOf('Posts', [row('a', 'Lamp Nova S', lamp), row('b', 'Rug Dune', rug)]);
  const path = await writeWorkbook({ sheets: [posts, { ...products, rows }] });
  await draft.drop(readFileSync(path), 'Plan.xlsx');
  expect(await offered(draft)).toEqual([['product_ended', [1], []]]);
});

it('an id or account that was written for one row is sure for others with the same title or name', async () => {
  const of = (key: string, creator: string, title: string) => ({ ...row(key, title, ''), creator });
  const draft = await openTestDraft([of('a', 'Noah Bell', 'Vase'), of('b', 'noah bell', 'vase')]);
  const { checked } = await draft.look();
  const at = (name: string) => checked?.columns.find(({ column }) => column === name)?.position ?? -1;
  const written = [
    { row: 1, position: at('product_id'), text: vase },
    { row: 1, position: at('creator'), text: 'demo_noah' },
  ];
  const edited = await draft.edit({ cells: written });
  const groups = edited.checked?.groups ?? [];
  const found = await Promise.all(groups.map(({ id }) => draft.drafts.suggestions(draft.id, id)));
  expect(found.flat().map(({ confidence, edits }) => [confidence, edits])).toEqual([
    ['sure', [{ row: 2, position: at('product_id'), text: vase }]],
    ['sure', [{ row: 2, position: at('creator'), text: 'demo_noah' }]],
  ]);
});

describe('a number that a program has cut short', () => {
  const cut = '1.73042E+18';

  it('is not surely the id of a row that has the name of another size', async () => {
    const draft = await openTestDraft([row('a', 'Lamp Nova 30', lampLarge), row('b', 'Lamp Nova 30', cut)]);
    await setAlias(draft.runtime, { kind: 'product', name: 'Lamp Nova 50', means: lampLarge, by: 'ann' });
    expect(await offered(draft)).toEqual([['scientific_id', [2], [`Use ${lampLarge} in 1 row`]]]);
  });

  it('is not surely one of two sizes that it fits', async () => {
    const draft = await openTestDraft([
      row('a', 'Lamp Nova 50', lampLarge),
      row('b', 'Lamp Nova 30', lamp),
      row('c', 'Rug Dune', rug),
      row('d', 'Lamp Nova 50', cut),
      row('e', 'Rug Dune', cut),
    ]);
    expect(await offered(draft)).toEqual([
      ['scientific_id', [4, 5], [`Use ${lampLarge} in 1 row`, `Use ${rug} in 1 row sure`]],
    ]);
  });
});

it('a row whose id is not that of its name is skipped at the start with the other rows that have problems', async () => {
  const draft = await openTestDraft([]);
  await dropWorkbook(draft, [row('a', 'Rug Dune', rug), row('b', 'Lamp Nova S', lampLarge)]);
  await draft.store('a.mp4', 'b.mp4');
  const by = 'ann';
  const { version } = (await draft.look()).draft;
  await changeDraft(draft.runtime, draft.id, { by, version, what: 'skips them' }, () => ({
    options: { leaveOutProblems: true },
  }));
  const { draft: shown, checked } = await draft.look();
  expect(checked).toMatchObject({ accepted: 1, refused: 1 });
  const { campaign } = await draft.drafts.start(draft.id, { by, version: shown.version, rows: 1 });
  expect(campaign.rows).toBe(1);
});
