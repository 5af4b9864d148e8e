import { expect, test } from 'vitest';
import { generatedVideo, problemsOf, readRow, rowOf } from '../rows.ts';

function meantIn(changes: Readonly<Record<string, string>>) {
  const reading = readRow(changes);
  return 'row' in reading ? [] : reading.problems.map(({ code, meant }) => [code, meant]);
}

test.each([
  ['https://www.tiktok.com/view/product/1730000000000000417', '1730000000000000417'],
  ['https://shop.tiktok.com/view/product/1730000000000000417?region=GB&locale=en', '1730000000000000417'],
  ['HTTP://Shop.TikTok.com/us/pdp/glow-serum-30/1730000000000000417/', '1730000000000000417'],
  ['shop.tiktok.com/view/product/1730000000000000417', '1730000000000000417'],
  ['//shop.tiktok.com/view/product/1730000000000000417#reviews', '1730000000000000417'],
  ['https://shop.example/seller/7490000001/product/1730000000000000417', '1730000000000000417'],
  ['https://shop.example/item.html?shop_id=7490000001&product_id=1730000417', '1730000417'],
  ['https://shop.example/p/mug-1730000417.html', '1730000417'],
  // Nothing tells which of two numbers is the product, and a short link has none.
  ['https://shop.example/7490000001/1730000417', undefined],
  ['https://vt.tiktok.com/ZS8abc123/', undefined],
  ['https://shop.example/p/12', undefined],
  ['https://shop.example/p/1730000417\nhttps://shop.example/p/1730000418', undefined],
])('the link %j is no product id; its number is %s', (product_id, number) => {
  expect(meantIn({ product_id })).toEqual([['link_as_id', number]]);
});

test('a link says the number in it, where it has one', () => {
  const fixesOf = (product_id: string) => {
    const reading = readRow({ product_id });
    return 'row' in reading ? [] : reading.problems.map(({ problem, fix }) => [problem, fix]);
  };
  expect(fixesOf('https://shop.example/product/1730000417?q=1')).toEqual([
    ['this is a link, not an id', ['Write the number in the link: 1730000417.']],
  ]);
  expect(fixesOf('https://vt.tiktok.com/ZS8abc123/')).toEqual([
    [
      'this is a link, not an id',
      ['Write the id of the product as the service has it.', { action: 'findProducts', params: {} }],
    ],
  ]);
});

test.each(['="1730000418"', "'1730000418"])('the protected id %j is the id in it', (product_id) => {
  expect(rowOf({ product_id }).product.id).toBe('1730000418');
});

test.each(['#1730000418', '"1730000418"', "''1730000418"])(
  'the marks of %j belong to no id',
  (product_id) => {
    expect(meantIn({ product_id })).toEqual([['character_in_id', '1730000418']]);
  },
);

test('the number of music is taken from its link', () => {
  const music_id = 'https://www.tiktok.com/music/Slow-Sunday-7300000000000000123?lang=en';
  expect(meantIn({ music_id })).toEqual([['link_as_id', '7300000000000000123']]);
});

test.each(['product_id', 'music_id', 'oauth_region', 'creator'])(
  'a character of addresses or lists makes %s no id',
  (column) => {
    const texts = [
      'ab/cd',
      'ab:cd',
      'ab?cd',
      'ab&cd',
      'ab\\cd',
      'ab|cd',
      'ab,cd',
      'ab;cd',
      'ab／cd',
      'ab？cd',
      // Look like a slash, a colon and a comma.
      'ab\u2215cd',
      'ab\u2236cd',
      'ab\u060ccd',
    ];
    expect(texts.map((text) => problemsOf({ [column]: text }))).toEqual(
      texts.map(() => [`${column} character_in_id`]),
    );
  },
);

test.each(['ai_prompt_id', 'ai_business_id'])('%s is judged as the other ids are', (column) => {
  const found = (text: string) => problemsOf({ ...generatedVideo, [column]: text });
  expect(['https://x.example/p/1234567', 'a/b', 'a b', 'a\tb', 'a\u0007b'].map(found)).toEqual([
    [`${column} link_as_id`],
    [`${column} character_in_id`],
    [`${column} space_in_id`],
    // A control character that is white space, too.
    [`${column} invisible_characters`],
    [`${column} invisible_characters`],
  ]);
});

test('the URI of an uploaded cover may have slashes', () => {
  expect(problemsOf({ cover_file_id: '90210', cover_uri: 'covers/abc:1?v=2' })).toEqual([]);
});

test('a key is no id of the service', () => {
  expect(problemsOf({ key: 'week 1/row:2 & more' })).toEqual([]);
  expect(problemsOf({ key: '1,024' })).toEqual([]);
});

test.each([
  // Fractions.
  ['1730000417.0', '1730000417'],
  ['1730000417,00', '1730000417'],
  ['7025.0', '7025'],
  ['1730000417.000', '1730000417'],
  // Groups of digits, with a fraction or without.
  ['1,730,000,417', '1730000417'],
  ['1.730.000.417', '1730000417'],
  ["1'730'000'417", '1730000417'],
  ['1\u202f730\u202f000\u202f417', '1730000417'],
  ['1 730 000 417', '1730000417'],
  ['1,73,00,00,417', '1730000417'],
  ['1,730,000,417.00', '1730000417'],
  ['1.730.000.417,0', '1730000417'],
  ['7,025', '7025'],
  // Other digits than those of ASCII.
  ['１７３００００４１７', '1730000417'],
  // Two readings: 1000, or 1 with three decimals.
  ['1.000', undefined],
  ['1,000', undefined],
  ['7025.5', undefined],
])('the number %j is no id; the id is %s', (text, id) => {
  expect(meantIn({ product_id: text })).toEqual([['formatted_number', id]]);
  expect(meantIn({ music_id: text })).toEqual([['formatted_number', id]]);
});

test.each(['1.2.3', 'v1.0', '1730000417', '0007', 'SKU_1.5-b', '@glow.by.mia', 'a+b=='])(
  '%s is an id',
  (id) => {
    expect(problemsOf({ product_id: id })).toEqual([]);
  },
);

test.each([
  ['1.73E+18', 'product_id'],
  ['1.730000000417E18', 'product_id'],
  ['17.3E+17', 'music_id'],
])('%s in %s has lost digits', (text, column) => {
  expect(problemsOf({ [column]: text })).toEqual([`${column} scientific_id`]);
});

test('an id is never made by deleting characters within a text', () => {
  expect(meantIn({ product_id: 'Cedar Candle' })).toEqual([['space_in_id', undefined]]);
  expect(meantIn({ product_id: '17 30' })).toEqual([['space_in_id', undefined]]);
  expect(meantIn({ product_id: '1730\u200b000417' })).toEqual([['invisible_characters', undefined]]);
  expect(meantIn({ product_id: '17\ufffd30' })).toEqual([['invisible_characters', undefined]]);
  expect(meantIn({ product_id: '\u200e1730000417\u200b' })).toEqual([['invisible_characters', '1730000417']]);
});

test.each([
  'https://www.tiktok.com/@glow.by.mia',
  'https://www.tiktok.com/@glow.by.mia?lang=en',
  'http://m.tiktok.com/@glow.by.mia/',
  'tiktok.com/@glow.by.mia',
  'www.tiktok.com/@glow.by.mia?_t=8x&_r=1',
  'HTTPS://WWW.TIKTOK.COM/%40glow.by.mia',
  'https://video.example/en/@glow.by.mia#top',
])('the profile link %s is read as the username', (creator) => {
  expect(rowOf({ creator }).creator).toBe('glow.by.mia');
});

test('another link of a creator is a problem, with the name that stands in it', () => {
  expect(meantIn({ creator: 'https://www.tiktok.com/@mia/video/7300000000000000123' })).toEqual([
    ['link_as_id', '@mia'],
  ]);
  expect(meantIn({ creator: 'https://social.example/mia' })).toEqual([['link_as_id', undefined]]);
  expect(meantIn({ creator: 'https://www.tiktok.com/@mi%20a' })).toEqual([['link_as_id', undefined]]);
  expect(meantIn({ creator: 'https://www.tiktok.com/@%' })).toEqual([['link_as_id', undefined]]);
});

test.each(['１７２９', '١٧٢٩', '۱۷۲۹', '๑๗๒๙', '१७२९'])(
  'the id %s is written in digits of another script',
  (text) => {
    expect(meantIn({ product_id: text })).toEqual([['formatted_number', '1729']]);
  },
);

test.each(['@demo_anna', '＠demo_anna'])('%s is the creator demo_anna', (creator) => {
  expect(rowOf({ creator }).creator).toBe('demo_anna');
});

test('a name in place of an id is called one', () => {
  const told = (changes: Readonly<Record<string, string>>) => {
    const reading = readRow(changes);
    return 'row' in reading ? [] : reading.problems.map(({ problem }) => problem);
  };
  expect(told({ product_id: 'Cedar Candle' })).toEqual(['this looks like the name of a product, not an id']);
  expect(told({ creator: 'Mia Rose' })).toEqual(['this looks like a display name, not an id']);
  expect(told({ product_id: '17 30' })).toEqual(['this id contains a space, which no id has']);
});

test.each([
  'https://shop.example/product/1730000000000000417',
  'https://a.example/p/1',
  '1730000000000000417',
])('%s is no title', (product_title) => {
  expect(problemsOf({ product_title })).toEqual(['product_title id_as_title']);
});
