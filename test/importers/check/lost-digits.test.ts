import { expect, test } from 'vitest';
import { SheetEvidence } from '../../../src/app/drafts/suggestions/evidence.ts';
import { matchHeader } from '../../../src/manifest/headers/header.ts';
import { fileSource } from '../../../src/sheets/sheet.ts';
import { writeWorkbook } from '../../support/sheets/workbook.ts';
import { check, manifestOf, right } from '../manifest-source.ts';

const whole = '1730000000000000417';
const [one, two, three] = ['1730000000000010000', '1730000000000020000', '1730000000000030000'];

/** The codes that a sheet of these product ids gives, by row: problems, then warnings. */
async function codesOf(ids: readonly string[], toText = manifestOf, column = 'product_id') {
  const { found, warnings } = await check(toText(ids.map((id) => ({ [column]: id }))));
  return [
    found,
    warnings.kept.flatMap(({ line, code }) => (code === 'caption_repeats' ? [] : [`${line} ${code}`])),
  ];
}

function jsonOf(rows: readonly Readonly<Record<string, string>>[], quote = '"'): string {
  const lines = rows.map((row) => {
    const { product_id, ...cells } = { ...right, ...row };
    return `${JSON.stringify(cells).slice(0, -1)},"product_id":${quote}${product_id}${quote}}`;
  });
  return `[${lines.join(',\n')}]`;
}

test.each([
  ['CSV', manifestOf, [2, 3]],
  ['JSON with texts', jsonOf, [1, 2]],
  ['JSON with numbers', (rows: readonly Readonly<Record<string, string>>[]) => jsonOf(rows, ''), [1, 2]],
])('ids that all end in zeros after the 15th digit are problems: %s', async (_what, toText, lines) => {
  expect(await codesOf([one, two], toText)).toEqual([
    lines.map((line) => `${line} product_id digits_lost`),
    [],
  ]);
});

test('ids that a program rounded as numbers of JSON are problems', async () => {
  const ids = ['1729384071926530212', '1729384071926531458'].map((id) => String(Number(id)));
  expect(ids).toEqual(['1729384071926530300', '1729384071926531600']);
  expect(await codesOf(ids, jsonOf)).toEqual([['1 product_id digits_lost', '2 product_id digits_lost'], []]);
  expect(await codesOf([...ids, whole], jsonOf)).toEqual([[], []]);
});

test('an id that JSON has as a number keeps all its digits', async () => {
  const { handedOn, found } = await check(jsonOf([{ product_id: whole }], ''));
  expect(found).toEqual([]);
  expect(handedOn[0]?.cells).toContain(whole);
});

test('ids that a person trusts are right', async () => {
  const sheet = manifestOf([one, two].map((product_id) => ({ product_id })));
  const { found, warnings } = await check(sheet, { sheet: { trustIds: true } });
  expect([found, warnings.byCode.has('digits_may_be_lost')]).toEqual([[], false]);
});

test('one of them beside a whole id is a warning', async () => {
  expect(await codesOf([one, whole, two])).toEqual([[], ['2 digits_may_be_lost', '4 digits_may_be_lost']]);
});

test('after many that are so, a whole id is right', async () => {
  const ids = [...Array.from({ length: 60 }, () => one), whole];
  const [problems = []] = await codesOf(ids);
  // Rows are judged 50 at a time: a whole id tells about those beside it.
  expect(problems).toHaveLength(50);
  expect(problems).not.toContain('62 product_id digits_lost');
});

test('a few zeros may be chance: they are a warning', async () => {
  const short = ['1730000000000010', '1730000000000020'];
  expect(await codesOf(short)).toEqual([[], ['2 digits_may_be_lost', '3 digits_may_be_lost']]);
  const more = ['3', '4'].map((digit) => `17300000000000${digit}0`);
  expect((await codesOf([...short, ...more]))[0]).toHaveLength(4);
});

test.each([
  ['of 15 digits', ['173000000000000', '100000000000000']],
  ['with a digit after the 15th', ['1730000000000000410', '1730000000000000520']],
  ['that are no numbers', ['sku-0000000000000000', 'sku-1000000000000000']],
])('ids %s are right', async (_what, ids) => {
  expect(await codesOf(ids)).toEqual([[], []]);
});

test('texts of a workbook are judged as those of CSV', async () => {
  const cells = (ids: readonly string[]) =>
    ids.map(
      (id) =>
        `<row>${Object.values({ ...right, product_id: id })
          .map(textCell)
          .join('')}</row>`,
    );
  const header = `<row>${Object.keys(right).map(textCell).join('')}</row>`;
  const path = await writeWorkbook({ rows: header + cells([one, two]).join('') });
  expect((await check(fileSource(path))).found).toEqual(
    [2, 3].map((line) => `${line} product_id digits_lost`),
  );
});

function textCell(value: string): string {
  return `<c t="inlineStr"><is><t>${value}</t></is></c>`;
}

test('music and creators have ids, too', async () => {
  for (const column of ['music_id', 'creator']) {
    const [problems] = await codesOf([one, two, three], manifestOf, column);
    expect(problems).toEqual([2, 3, 4].map((line) => `${line} ${column} digits_lost`));
  }
});

test('an id that a person typed into a page is right', async () => {
  const edits = {
    header: (cells: readonly string[]) => cells,
    apply: <T>(row: T) => row,
    isTyped: (number: number) => number === 2,
    skips: () => false,
    skippedBefore: () => false,
    postsAgain: () => false,
    rekeyed: 0,
    mayBe: () => undefined,
  };
  const { found } = await check(manifestOf([one, two].map((product_id) => ({ product_id }))), { edits });
  expect(found).toEqual(['2 product_id digits_lost']);
});

test('an id that lost digits is no evidence for the other rows', () => {
  const header = ['product_title', 'product_id'];
  const { indexes } = matchHeader(header);
  const evidence = new SheetEvidence(indexes);
  evidence.note(['Mug', one]);
  evidence.note(['Mug', whole]);
  expect([...evidence.idsOf('Mug').keys()]).toEqual([whole]);
});
