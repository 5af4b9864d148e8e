import { expect, test } from 'vitest';
import { columns, foldHeader } from '../../../src/manifest/columns.ts';
import type { MappedTo } from '../../../src/manifest/headers/column-map.ts';
import { foreignHeaders } from '../../../src/manifest/headers/foreign-headers.ts';
import { matchHeader, nearestColumn } from '../../../src/manifest/headers/header.ts';
import { createRowReader, HeaderError } from '../../../src/manifest/reader.ts';

const required = ['creator', 'media', 'caption', 'product_id', 'product_title'];
const strict = { rejectUnknown: true, rejectResults: true };

function problemsOf(header: readonly string[], options = strict) {
  return matchHeader(header, options).problems.map(({ column, code }) => `${column} ${code}`);
}

test.each([
  ['Product-ID', 'product_id'],
  [' PRODUCT id ', 'product_id'],
  ['productId', 'product_id'],
  ['Is AI Generated', 'is_ai_generated'],
  ['SCHEDULED_AT', 'scheduled_at'],
  ['#', 'key'],
  ['Clave', 'key'],
])('%j is the column %s', (written, name) => {
  const { indexes } = matchHeader([written], strict);
  expect(indexes).toHaveProperty(name, 0);
});

test.each([
  ['Caption (max. 4000)', 'caption'],
  ['Creator\n(username)', 'creator'],
  ['Produkt-ID [Pflicht]', 'product_id'],
  ['商品名称（30字）', 'product_title'],
])('%j may be the column %s with a remark', (written, name) => {
  expect(nearestColumn(written)).toBe(name);
});

test.each([
  ['title', 'caption'],
  ['Username', 'creator'],
  ['creatorId', 'creator'],
  ['images', 'media'],
  ['time zone', 'scheduled_tz'],
  ['prompt', 'ai_prompt'],
  ['达人', 'creator'],
  ['文案', 'caption'],
  ['商品ID', 'product_id'],
  ['商品 ＩＤ', 'product_id'],
  ['商品名称', 'product_title'],
  ['发布时间', 'scheduled_at'],
  ['提示词', 'ai_prompt'],
  ['ＣＡＰＴＩＯＮ', 'caption'],
  ['Clip', 'media'],
  ['Foto', 'media'],
  ['Copy', 'caption'],
  ['Go-live', 'scheduled_at'],
  ['Datum', 'scheduled_at'],
  ['Uhrzeit:', 'scheduled_time'],
  ['Nr.', 'key'],
  ['Veröffentlichungsdatum', 'scheduled_at'],
  ['Légende', 'caption'],
  ['Créateur *', 'creator'],
  ['👤 Creator*', 'creator'],
  ['✍️ Caption', 'caption'],
  ['📅 Date', 'scheduled_at'],
  ['ID de producto', 'product_id'],
  ['Código do produto', 'product_id'],
  ['Codice prodotto', 'product_id'],
  ['Nhà sáng tạo', 'creator'],
  ['Ngày đăng', 'scheduled_at'],
  ['Chú thích', 'caption'],
  ['รหัสสินค้า', 'product_id'],
  ['คำบรรยาย', 'caption'],
  ['Tarikh siaran', 'scheduled_at'],
  ['クリエイター', 'creator'],
  ['投稿日時', 'scheduled_at'],
  ['상품명', 'product_title'],
  ['게시일', 'scheduled_at'],
  ['Créateur·rice', 'creator'],
  ['Créateur.rice', 'creator'],
  ['Créateur/Créatrice', 'creator'],
  ['Créatrice', 'creator'],
  ['Créateur (trice)', 'creator'],
  ['Influenceuse', 'creator'],
  ['Influenceur·euse', 'creator'],
  ['Talent.e', 'creator'],
  ['Talent(e)', 'creator'],
  ['Creador/a', 'creator'],
  ['Creador(a)', 'creator'],
  ['Autor:in', 'creator'],
  ['Creator*in', 'creator'],
  ['Creator/in', 'creator'],
  ['Criador(a)', 'creator'],
  ['Título del producto', 'product_title'],
  ['Tanggal', 'scheduled_at'],
  ['Descrição', 'caption'],
  ['Posting date', 'scheduled_at'],
  ['Posting time', 'scheduled_time'],
  ['Creator Handle', 'creator'],
])('%j is an alias of %s', (written, name) => {
  expect(matchHeader([written], strict).indexes).toHaveProperty(name, 0);
});

test('no two columns share a name', () => {
  const names = columns.flatMap(({ name, aliases }) => [
    ...new Set([foldHeader(name), ...aliases, ...foreignHeaders(name)]),
  ]);
  expect(names).toEqual([...new Set(names)]);
});

test('aliases are in folded form', () => {
  const aliases = columns.flatMap(({ name, aliases }) => [...aliases, ...foreignHeaders(name)]);
  expect(aliases).toEqual(aliases.map(foldHeader));
});

test.each([
  [['color'], 'color unknown_column'],
  // A file in Malay, too.
  [['Fail'], 'Fail unknown_column'],
  [['__proto__'], '__proto__ reserved_name'],
  [['Constructor'], 'Constructor reserved_name'],
  [['prototype'], 'prototype reserved_name'],
  [['caption'], 'caption duplicate_column'],
  [['Title'], 'Title duplicate_column'],
  [['ledger', 'campaign', 'status'], 'campaign results_sheet'],
])('%j beside the required columns: %s', (more, problem) => {
  expect(problemsOf([...required, ...more])).toEqual([problem]);
});

test.each([['_note'], ['#internal'], ['status'], ['post_id'], ['video_url'], ['problem'], ['']])(
  '%j beside the required columns is ignored',
  (name) => {
    expect(problemsOf([...required, name])).toEqual([]);
  },
);

test('an unknown column is reported with a suggestion', () => {
  const { problems } = matchHeader([...required, 'schedulled_at'], strict);
  expect(problems).toMatchObject([
    { problem: 'there is no column schedulled_at; did you mean scheduled_at?' },
  ]);
});

test('an unknown column is not taken for one that the sheet has', () => {
  const { problems } = matchHeader(['captoin', ...required], strict);
  expect(problems).toMatchObject([{ problem: 'there is no column captoin' }]);
});

test('an unknown column unlike any other has no suggestion', () => {
  const { problems } = matchHeader([...required, 'zzzzz'], strict);
  expect(problems).toMatchObject([{ problem: 'there is no column zzzzz' }]);
});

test('unknown columns are accepted if allowed, reserved names never', () => {
  const options = { ...strict, rejectUnknown: false };
  expect(problemsOf([...required, 'color', '__proto__'], options)).toEqual(['__proto__ reserved_name']);
});

test('a results sheet is accepted if allowed, and its columns are known', () => {
  const names = [...required, 'ledger', 'campaign', 'status'];
  const header = matchHeader(names, { ...strict, rejectResults: false });
  expect(header).toMatchObject({ problems: [], results: [5, 6, 7] });
});

test("only directly before ledger is a column note the runner's", () => {
  const names = ['note', ...required, 'note', 'ledger', 'campaign'];
  const header = matchHeader(names, { ...strict, rejectResults: false });
  expect(header.results).toEqual([1, 2, 3].map((more) => required.length + more));
  expect(header.problems).toMatchObject([{ code: 'unknown_column', index: 0 }]);
});

test.each(required)('the column %s is required', (name) => {
  const others = required.filter((other) => other !== name);
  expect(problemsOf(others)).toEqual([`${name} missing_column`]);
});

test('ai_prompt replaces media', () => {
  expect(problemsOf([...required.filter((name) => name !== 'media'), 'ai_prompt'])).toEqual([]);
});

test('a header with problems gives no reader, and the error has all problems', () => {
  const make = () => createRowReader(['caption', 'colour', 'media'], { timezone: null, rejectUnknown: true });
  expect(make).toThrow(HeaderError);
  expect(make).toThrow(
    expect.objectContaining({
      problems: [
        expect.objectContaining({ column: 'colour' }),
        expect.objectContaining({ column: 'creator' }),
        expect.objectContaining({ column: 'product_id' }),
        expect.objectContaining({ column: 'product_title' }),
      ],
    }),
  );
});

test('problems name a column as the sheet does', () => {
  const reader = createRowReader(['Creator', 'Video', 'Title', 'Product ID', 'Product title'], {
    timezone: null,
  });
  expect(reader.read({ cells: ['mia', 'a.mp4', '', '1', 'Serum'], number: 1 })).toMatchObject({
    problems: [{ column: 'Title' }],
  });
});

test.each([
  ['as it is', [] as const],
  ['with campaign as a note', [['campaign', '_']] as const],
  [
    'with campaign and ledger as notes',
    [
      ['Campaign', '_'],
      ['ledger', '_'],
    ] as const,
  ],
  ['with campaign as a column', [['campaign', 'ai_name']] as const],
])('a results sheet is no new manifest: %s', (_how, map) => {
  const header = [...required, 'ledger', 'campaign', 'status', 'post_id'];
  const { problems } = matchHeader(header, { ...strict, map: new Map<string, MappedTo>(map) });
  expect(problems.map(({ code }) => code)).toEqual(['results_sheet']);
});

test("without ledger, columns of a results sheet are the planner's own", () => {
  const header = [...required, 'Campaign', 'Status', 'Post ID', 'Stand', 'updated_at'];
  expect(matchHeader(header, strict)).toMatchObject({ problems: [], results: [] });
});

test("of two columns of a name in a results sheet, the runner's is the last", () => {
  const names = ['status', ...required, 'Post ID', 'ledger', 'campaign', 'status', 'post_id'];
  const { problems, results } = matchHeader(names, { ...strict, rejectResults: false });
  expect({ problems, results }).toEqual({ problems: [], results: [7, 8, 9, 10] });
});

test.each(['Size', 'Model', 'Taille', 'サイズ', '数量'])(
  "without prompts, a column %s is the planner's own, of clothes or telephones",
  (name) => {
    const { problems, indexes } = matchHeader([...required, name], { rejectUnknown: true });
    expect(problems).toEqual([]);
    expect([indexes.ai_size, indexes.ai_count, indexes.ai_model]).toEqual([-1, -1, -1]);
  },
);

test('beside prompts, or by its full name, a column of sizes is one of the media to generate', () => {
  expect(matchHeader([...required, 'Prompt', 'Size']).indexes.ai_size).toBe(required.length + 1);
  expect(matchHeader([...required, 'AI size']).indexes.ai_size).toBe(required.length);
});
