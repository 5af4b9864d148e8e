/** Rows whose status or channel is not that of most rows. */
import { expect, it } from 'vitest';
import { check, manifestOf } from '../manifest-source.ts';

const asked = { isAsked: true, allowUnknownColumns: true };

function sheetOf(column: string, texts: readonly string[]) {
  return manifestOf(texts.map((text) => ({ [column]: text })));
}

it.each([
  ['Status', ['Approved', 'approved', 'Ready', 'Scheduled', 'Filming'], 'Approved'],
  ['Status', ['OK', 'Shot', 'OK', 'OK', 'OK', 'Needs love'], 'OK'],
  ['Channel', ['TikTok', 'TikTok', 'tiktok + IG', 'TikTok', 'IG Reels'], 'TikTok'],
  ['Freigabe', ['freigegeben', 'freigegeben', 'Freigegeben', 'freigegeben', 'Kunde prüft'], 'freigegeben'],
  ['Aprobación cliente', ['Sí', 'OK 30/11', 'Sí', 'sí', 'Pendiente'], 'Sí'],
  ['Mia says', ['ok', 'OK', 'ready', 'ok', 'hmm'], 'ok'],
])('in %s are a problem where a page asks, and a warning elsewhere', async (column, texts, usual) => {
  const { found, problems } = await check(sheetOf(column, texts), asked);
  expect(found.at(-1)).toBe(`${texts.length + 1} ${column} row_differs`);
  expect(problems.kept.at(-1)).toMatchObject({
    problem: `${column} says "${texts.at(-1)}", but most rows say "${usual}"`,
    meant: usual,
  });
  const elsewhere = await check(sheetOf(column, texts), { allowUnknownColumns: true });
  expect([elsewhere.found, elsewhere.warnings.byCode.has('row_differs')]).toEqual([[], true]);
});

it.each([
  ['Status', ['Filming', 'Approved', 'Cutting', 'Approved', 'Ready', 'Shot']],
  ['Status', ['Approved', 'Approved', 'Approved', 'Filming']],
  ['Status', ['Approved', 'Approved', 'Approved', 'Approved by Mia', '', 'Scheduled 3 May']],
  ['Channel', ['IG', 'TikTok', 'IG', 'TikTok', 'IG', 'TikTok', 'YT', 'YT']],
  ['Channel', ['Shop', 'Shop', 'Shop', 'Reels + Reels', 'Reels; reels']],
  ['Team', ['North', 'North', 'North', 'North', 'South']],
  ['Notes', ['ok', 'ok', 'ok', 'ok', 'new lens']],
])('in %s are none of %j', async (column, texts) => {
  expect((await check(sheetOf(column, texts), asked)).found).toEqual([]);
});

it('have one problem if their status says not to post them', async () => {
  const content = sheetOf('Status', ['Approved', 'Approved', 'Approved', 'Approved', 'Draft']);
  expect((await check(content, asked)).found).toEqual(['6 Status own_status']);
});

it('are looked for in the first columns of states only: a sheet may have a thousand', async () => {
  const names = Array.from({ length: 21 }, (_, at) => `Status ${at}`);
  const rowsWith = (at: number, texts: readonly string[]) =>
    texts.map((text) => Object.fromEntries(names.map((name, index) => [name, index === at ? text : '-'])));
  const texts = ['Approved', 'Approved', 'Approved', 'Approved', 'Filming'];
  const foundIn = async (at: number) => (await check(manifestOf(rowsWith(at, texts)), asked)).found;
  expect(await foundIn(19)).toEqual(['6 Status 19 row_differs']);
  expect(await foundIn(20)).toEqual([]);
});

const tags = ['#lumina #adv', '#lumina', '#casa', '#adv', '#luce'];
const ofCaption = { ...asked, sheet: { map: new Map([['Tags', '+caption']] as const) } };

it.each([
  ['lumina, adv, homedecor', '#lumina #adv #homedecor'],
  ['lumina; #adv', '#lumina #adv'],
  ['größe、光', '#größe #光'],
  ['lumina', '#lumina'],
  ['n/a', undefined],
  ['ask Ann', undefined],
])('%s in a column of hashtags has none', async (text, meant) => {
  const { problems } = await check(sheetOf('Tags', [`"${text}"`, ...tags]), ofCaption);
  expect(problems.kept).toMatchObject([{ line: 2, column: 'Tags', code: 'no_hashtags' }]);
  expect(problems.kept[0]?.meant).toBe(meant);
});

it.each([
  [['lumina', ...tags.slice(2)]],
  [['see https://lumina.example', ...tags]],
  [['@lumina', ...tags]],
  [['New!', 'Lights', 'Now', 'Soon', ...tags]],
])('an appended column may have %j', async (texts) => {
  expect((await check(sheetOf('Tags', texts), ofCaption)).found).toEqual([]);
});
