import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columns } from '../../src/manifest/columns.ts';
import { createRowReader } from '../../src/manifest/reader.ts';
import { problemsOf, readRow, rowOf } from './rows.ts';

test('a row of the required cells is a video post with defaults', () => {
  expect(rowOf()).toEqual({
    key: 'a1',
    creator: 'mia',
    mediaType: 'VIDEO',
    media: ['clip.mp4'],
    caption: 'Morning glow',
    product: { id: '1729432342342341000', title: 'Serum', source: 'SHOWCASE' },
    showcase: true,
  });
});

test('every optional cell of a video post is read', () => {
  const row = rowOf({
    product_source: 'shop',
    showcase: 'yes',
    product_link: 'https://shop.example/p/1',
    scheduled_at: '2026-12-01 10:00',
    scheduled_tz: 'asia/shanghai',
    oauth_region: 'US',
    is_ai_generated: '是',
    pre_check: 'TRUE',
    pre_check_overtime: '600',
    music_id: '77',
    music_title: 'Sunrise',
    music_author: 'Larks',
    music_duration: '30',
    cover_timestamp_ms: '0',
  });
  expect(row).toMatchObject({
    product: { source: 'SHOP', link: 'https://shop.example/p/1' },
    showcase: true,
    schedule: { at: Date.parse('2026-12-01T10:00:00+08:00'), tz: 'Asia/Shanghai' },
    oauthRegion: 'US',
    isAiGenerated: true,
    preCheck: true,
    preCheckOvertime: 600,
    music: { id: '77', title: 'Sunrise', author: 'Larks', duration: '30' },
    cover: { kind: 'frame', timestampMs: 0 },
  });
});

test.each([
  ['Vidéo', 'a.mp4', 'VIDEO'],
  ['Reel', 'a.mp4', 'VIDEO'],
  ['Carrousel', 'a.jpg|b.jpg', 'PHOTO'],
  ['Bilder', 'a.jpg', 'PHOTO'],
  ['图文', 'a.jpg', 'PHOTO'],
])('the media type may be written as %s', (written, media, mediaType) => {
  const header = ['creator', 'media', 'media_type', 'caption', 'product_id', 'product_title'];
  const reader = createRowReader(header, { timezone: null });
  expect(reader.read({ cells: ['mia', media, written, 'Hi', '1', 'Serum'], number: 1 })).toMatchObject({
    row: { mediaType },
  });
});

test('a row without a key has its number as key', () => {
  const reader = createRowReader(['creator', 'media', 'caption', 'product_id', 'product_title'], {
    timezone: null,
  });
  expect(reader.read({ cells: ['mia', 'a.mp4', 'Hi', '1', 'Serum'], number: 7 })).toMatchObject({
    row: { key: '7' },
  });
});

test.each([
  [{ key: '__proto__' }, 'key reserved_name'],
  [{ key: 'constructor' }, 'key reserved_name'],
  [{ key: '..' }, 'key reserved_name'],
  [{ media_type: 'Podcast' }, 'media_type invalid_choice'],
  [{ key: '.' }, 'key reserved_name'],
  [{ key: 'a\u0000b' }, 'key invisible_characters'],
  [{ creator: '' }, 'creator missing_value'],
  [{ creator: 'mia\u200b' }, 'creator invisible_characters'],
  [{ creator: 'mi\u202ea' }, 'creator invisible_characters'],
  [{ creator: 'mia rose' }, 'creator space_in_id'],
  [{ creator: 'x'.repeat(257) }, 'creator too_long'],
  [{ caption: '' }, 'caption missing_value'],
  [{ caption: '   ' }, 'caption missing_value'],
  [{ caption: 'x'.repeat(4001) }, 'caption too_long'],
  [{ caption: '😀'.repeat(4001) }, 'caption too_long'],
  [{ caption: 'a\u0000b' }, 'caption control_characters'],
  [{ product_id: '' }, 'product_id missing_value'],
  [{ product_id: '1.72943E+18' }, 'product_id scientific_id'],
  [{ product_id: '1,72943e+18' }, 'product_id scientific_id'],
  [{ product_title: '' }, 'product_title missing_value'],
  [{ product_title: 'x'.repeat(31) }, 'product_title too_long'],
  [{ product_title: '😀'.repeat(31) }, 'product_title too_long'],
  [{ product_title: 'two\nlines' }, 'product_title control_characters'],
  [{ product_source: 'STORE' }, 'product_source invalid_choice'],
  [{ showcase: 'maybe' }, 'showcase invalid_boolean'],
  [{ showcase: 'no', product_link: 'https://shop.example/p' }, 'product_link link_without_showcase'],
  [{ product_link: 'shop.example/p' }, 'product_link invalid_url'],
  [{ product_link: 'https://shop.example/a\u0007b' }, 'product_link control_characters'],
  [{ product_link: 'https://shop.example/a\u0085b' }, 'product_link control_characters'],
  [{ product_link: 'https://shop example/p' }, 'product_link invalid_url'],
  [{ product_link: 'https://u:p@shop.example/p' }, 'product_link url_credentials'],
  [{ pre_check: 'jain' }, 'pre_check invalid_boolean'],
  [{ pre_check: 'yes', pre_check_overtime: '599' }, 'pre_check_overtime out_of_range'],
  [{ pre_check: 'yes', pre_check_overtime: '3601' }, 'pre_check_overtime out_of_range'],
  [{ pre_check: 'yes', pre_check_overtime: '1e3' }, 'pre_check_overtime invalid_integer'],
  [{ pre_check: 'yes', pre_check_overtime: 'NaN' }, 'pre_check_overtime invalid_integer'],
  [{ pre_check_overtime: '600' }, 'pre_check_overtime overtime_without_pre_check'],
  [{ pre_check: 'yes', media: 'a.png' }, 'pre_check pre_check_of_photo'],
  [{ pre_check_overtime: '900', media: 'a.png' }, 'pre_check_overtime pre_check_of_photo'],
  [{ is_ai_generated: '2' }, 'is_ai_generated invalid_boolean'],
  [{ is_ai_generated: 'yes', media: 'a.png' }, 'is_ai_generated ai_label_of_photo'],
  [{ music_title: 'Sunrise' }, 'music_id music_without_id'],
  [{ music_id: '7.2E+15' }, 'music_id scientific_id'],
  [{ music_id: '7', music_title: 'a\u0007b' }, 'music_title control_characters'],
  [{ oauth_region: 'U\u200dS' }, 'oauth_region invisible_characters'],
])('%j: %s', (changes, problem) => {
  expect(problemsOf(changes)).toEqual([problem]);
});

test.each(['original sound', 'Sonido original', 'Original-Ton', '—', 'none'])(
  'a post with the music %s has none',
  (music_title) => {
    expect(rowOf({ music_title }).music).toBeUndefined();
  },
);

test.each([
  { caption: 'x'.repeat(4000) },
  { caption: '😀'.repeat(4000) },
  { product_title: '😀'.repeat(30) },
  { product_link: 'https://shop.example/新品/a b?q=ü' },
  { product_link: 'https://商店.example/p/1' },
  { product_link: 'shop://product/1' },
  { cover_file_id: '9007199254740993', cover_uri: 'u' },
  { caption: 'family 👩\u200d👧' },
  { product_title: 'x'.repeat(30) },
  { pre_check: 'yes', pre_check_overtime: '3600' },
  { pre_check: 'no', is_ai_generated: 'no', media: 'a.png' },
  { key: 'spring 1' },
  { creator: '@mia' },
  { product_id: '99999999999999999999' },
  { music_id: '7', music_title: '' },
])('%j is right', (changes) => {
  expect(problemsOf(changes)).toEqual([]);
});

test('what is too long is told in characters, not in UTF-16 units', () => {
  expect(readRow({ caption: '😀'.repeat(4001) })).toMatchObject({
    problems: [{ problem: 'caption has 4,001 characters; 4,000 are allowed', fix: 'Shorten it by 1.' }],
  });
});

test('all problems of a row are reported at once', () => {
  expect(problemsOf({ creator: '', product_id: '1E+9', caption: '', media: '' })).toEqual([
    'creator missing_value',
    'caption missing_value',
    'product_id scientific_id',
    'media media_missing',
  ]);
});

test('a problem has a visible value, a description and a fix', () => {
  expect(readRow({ product_title: 'x'.repeat(33) })).toMatchObject({
    problems: [
      {
        column: 'product_title',
        value: 'x'.repeat(33),
        problem: 'product_title has 33 characters; 30 are allowed',
        fix: 'Shorten it by 3.',
      },
    ],
  });
  expect(readRow({ creator: 'mi\u202ea' })).toMatchObject({ problems: [{ value: 'mi\\u202ea' }] });
});

test('the source SHOP needs no showcase unless it is asked for', () => {
  expect(rowOf({ product_source: 'SHOP' }).showcase).toBe(false);
  expect(rowOf({ product_source: 'SHOP', showcase: 'yes' }).showcase).toBe(true);
  expect(rowOf({ showcase: 'no' }).showcase).toBe(false);
  expect(rowOf({ product_source: 'SHOP', product_link: 'https://shop.example/p' }).showcase).toBe(true);
});

test("a cell that a results sheet guarded with ' is read without it", () => {
  expect(rowOf({ caption: "'=1+1" }).caption).toBe('=1+1');
  expect(rowOf({ caption: "'tis the season" }).caption).toBe("'tis the season");
});

const header = ['creator', 'media', 'caption', 'product_id', 'product_title'];
const cells = ['mia', 'a.mp4', 'Hi', '1', 'Serum'];

test.each([
  ['too few', cells.slice(1)],
  ['too many', [...cells, 'more']],
])('cells that are %s are one problem of the row', (_name, given) => {
  const reading = createRowReader(header, { timezone: null }).read({ cells: given, number: 1 });
  expect(reading).toMatchObject({ problems: [{ column: null, code: 'ragged_row' }], draft: null });
});

test('empty cells beyond the header are accepted', () => {
  expect(
    createRowReader(header, { timezone: null }).read({ cells: [...cells, '', ''], number: 1 }),
  ).toHaveProperty('row');
});

test('a cell under an empty header is a problem, an empty one is not', () => {
  const reader = createRowReader([...header, ''], { timezone: null });
  expect(reader.read({ cells: [...cells, 'lost'], number: 1 })).toMatchObject({
    problems: [{ code: 'cell_without_header' }],
  });
  expect(reader.read({ cells: [...cells, ' '], number: 2 })).toHaveProperty('row');
});

test('a row without the cells under empty headers at the end is whole', () => {
  const reader = createRowReader([...header, '', ''], { timezone: null });
  expect(reader.read({ cells, number: 1 })).toHaveProperty('row');
  expect(reader.read({ cells: cells.slice(1), number: 2 })).toMatchObject({
    problems: [{ code: 'ragged_row' }],
  });
});

test('the next row does not keep the problems of the last', () => {
  const reader = createRowReader(header, { timezone: null });
  expect(reader.read({ cells: ['', 'a.mp4', 'Hi', '1', 'Serum'], number: 1 })).toHaveProperty('problems');
  expect(reader.read({ cells, number: 2 })).toHaveProperty('row');
});

test('any cells give a row or problems, and the same when read again', () => {
  const names = columns.map(({ name }) => name);
  const reader = createRowReader(names, { timezone: 'Europe/Berlin' });
  const telling = fc.constantFrom(...columns.map(({ example }) => example), '', '|', 'a.mp4', '../x', 'yes');
  const cell = fc.oneof(telling, fc.string({ unit: 'binary' }), fc.webUrl(), fc.date().map(String));
  fc.assert(
    fc.property(fc.array(cell, { minLength: names.length - 1, maxLength: names.length + 1 }), (row) => {
      const reading = reader.read({ cells: row, number: 1 });
      if ('problems' in reading) expect(reading.problems.length).toBeGreaterThan(0);
      expect(reader.read({ cells: row, number: 1 })).toEqual(reading);
    }),
  );
});

test('a product_link does not stand for a product_id, and the problem says why', () => {
  const reading = readRow({ product_id: '', product_link: 'https://shop.example/p/1' });
  expect('problems' in reading && reading.problems).toMatchObject([
    {
      column: 'product_id',
      code: 'missing_value',
      problem: expect.stringContaining('the post needs its id'),
    },
  ]);
  expect(() =>
    createRowReader(['creator', 'media', 'caption', 'product_title', 'product_link'], { timezone: null }),
  ).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ fix: expect.stringContaining('the post needs its id') })],
    }),
  );
});

test.each(['Ja', 'OUI', 'sí', 'Sim', 'ya', 'WAHR', 'VRAI', 'VERDADERO', 'checked', '✓', '✔️', 'X', 'on'])(
  '%s means yes',
  (pre_check) => expect(rowOf({ pre_check }).preCheck).toBe(true),
);

test.each(['nein', 'Non', 'não', 'Tidak', 'FALSCH', 'faux', 'FALSO', 'unchecked', '✗', '☐', 'off'])(
  '%s means no',
  (showcase) => expect(rowOf({ showcase }).showcase).toBe(false),
);

test('messages name the headers of the sheet', () => {
  const header = ['creator', 'Datei', 'Beschreibung', 'product_id', 'Produkttitel', 'Datum', 'Uhrzeit'];
  const cells = ['mia', 'a.mp4', '', '17', 'x'.repeat(31), '2031-03-04 10:00', '18:30'];
  const reading = createRowReader(header, { timezone: 'UTC' }).read({ cells, number: 1 });
  expect('row' in reading ? [] : reading.problems.map(({ problem }) => problem)).toEqual([
    'Beschreibung is empty',
    'Produkttitel has 31 characters; 30 are allowed',
    'Datum has a time of day too',
  ]);
});
