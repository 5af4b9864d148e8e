/** Titles in place of product ids, and texts that a program has spoilt. */
import { expect, test } from 'vitest';
import { check, manifestOf } from '../manifest-source.ts';

/** Lines of the rows with a warning of this kind. */
async function doubted(...ids: readonly string[]) {
  const { warnings } = await check(manifestOf(ids.map((product_id) => ({ product_id }))));
  return warnings.kept.flatMap(({ line, code }) => (code === 'word_as_id' ? [line] : []));
}

test.each(['Glow-Serum', 'Serum', '洗面奶'])('%s is doubted where most ids are numbers', async (word) => {
  expect(await doubted(word, '17301', '17302', '17303')).toEqual([2]);
});

test('words are ids where most ids are words, or few are numbers', async () => {
  expect(await doubted('glow', 'serum', 'mug', '17301', '17302', '17303')).toEqual([]);
  expect(await doubted('glow', '17301', '17302')).toEqual([]);
});

test('an id with a digit in it is no word', async () => {
  expect(await doubted('unavailable-1', '17301', '17302', '17303')).toEqual([]);
});

/** Codes of the problems of a row with this caption. */
async function faultsOf(caption: string) {
  const { problems } = await check(manifestOf([{ caption }]));
  return problems.kept.map(({ column, code }) => `${column} ${code}`);
}

test.each(['Sheâ€™s back', 'Crème brÃ»lÃ©e', 'SÃ£o Paulo', 'GlÃ¼cklich', 'Ã–sterreich', 'only Â£9', 'ðŸŒ¿'])(
  'letters of %j were read in another encoding',
  async (caption) => expect(await faultsOf(caption)).toEqual(['caption destroyed_text']),
);

test.each([
  'AMANHÃ – às 10',
  'MA\u00c7\u00c3\u201d',
  '\u00abMANH\u00c3\u00bb',
  'AVELÃ®',
  'Âge',
  'Câlin à Ñandú',
])('the letters of %j are meant', async (caption) => expect(await faultsOf(caption)).toEqual([]));

test.each(['#NAME?', '#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NULL!', '#NUM!', '#BEZUG!', '########'])(
  'the error %s in CSV is a problem where it is read',
  async (error) => {
    expect(await faultsOf(error)).toEqual(['caption cell_error']);
    const { found } = await check(manifestOf([{ _note: error }]));
    expect(found).toEqual([]);
  },
);

test('a hashtag is no error', async () => expect(await faultsOf('#REF')).toEqual([]));

test('a title in place of the id of music is doubted as that of a product is', async () => {
  const rows = ['Espresso', '7301', '7302', '7303'].map((music_id) => ({ music_id }));
  const { warnings } = await check(manifestOf(rows));
  expect(warnings.kept.map(({ line, column, code }) => [line, column, code])).toContainEqual([
    2,
    'music_id',
    'word_as_id',
  ]);
});

test.each(['none', 'Original', 'TBD', '-', 'nessuno', 'なし', '无'])(
  '%s is the id of no music and of no product',
  async (word) => {
    const { found } = await check(manifestOf([{ music_id: word }, { product_id: word }]));
    expect(found).toEqual(['2 music_id word_as_id', '3 product_id word_as_id']);
  },
);

test('the name of a region gets a warning', async () => {
  const { warnings } = await check(manifestOf([{ oauth_region: 'Germany' }, { oauth_region: 'de' }]));
  expect(warnings.kept.filter(({ code }) => code === 'region_name')).toMatchObject([{ line: 2 }]);
});
