import { expect, test } from 'vitest';
import { showValue } from '../../../src/manifest/problems/problem.ts';
import { generatedImages, problemsOf, readRow, rowOf } from '../rows.ts';

const images = (count: number) => Array.from({ length: count }, (_, index) => `${index}.jpg`).join('|');

test.each([
  ['clip.mp4', 'VIDEO'],
  ['a folder/CLIP.MOV', 'VIDEO'],
  ['https://cdn.example/clip.webm?sig=a.png', 'VIDEO'],
  ['photo.JPG', 'PHOTO'],
  ['a.png | b.webp', 'PHOTO'],
  ['https://cdn.example/a.png#x|https://cdn.example/b', 'PHOTO'],
])('%s is a %s', (media, mediaType) => {
  expect(rowOf({ media }).mediaType).toBe(mediaType);
});

test('a list keeps its order', () => {
  expect(rowOf({ media: 'b.png|a.png | c.png' }).media).toEqual(['b.png', 'a.png', 'c.png']);
});

test('media_type decides if the URL has no extension', () => {
  expect(rowOf({ media: 'https://cdn.example/asset/1', media_type: 'photo' }).mediaType).toBe('PHOTO');
});

test('15 images are a post', () => {
  expect(rowOf({ media: images(15) }).media).toHaveLength(15);
});

test.each([
  [{ media: '' }, 'media media_missing'],
  [{ media: images(16) }, 'media too_many_images'],
  [{ media: 'a.mp4|b.mp4' }, 'media too_many_videos'],
  [{ media: 'a.mp4|b.png' }, 'media mixed_media'],
  [{ media: 'a.png||b.png' }, 'media empty_item'],
  [{ media: 'https://cdn.example/asset/1' }, 'media media_kind_unknown'],
  [{ media: 'notes.txt' }, 'media media_kind_unknown'],
  [{ media: 'clip.mp4', media_type: 'PHOTO' }, 'media_type media_type_contradicts'],
  [{ media: 'a.png', media_type: 'VIDEO' }, 'media_type media_type_contradicts'],
  [{ media: 'a.png', media_type: 'GIF' }, 'media_type invalid_choice'],
  [{ media: '../clip.mp4' }, 'media path_outside_root'],
  [{ media: 'a/../../clip.mp4' }, 'media path_outside_root'],
  [{ media: 'a\\..\\clip.mp4' }, 'media path_outside_root'],
  [{ media: 'C:\\videos\\clip.mp4' }, 'media absolute_path'],
  [{ media: '"C:\\Users\\kim\\clip.mp4"' }, 'media absolute_path'],
  [{ media: 'clip.mp4 (https://files.example/v3/clip.mp4)' }, 'media attachment_export'],
  [{ media: '\\\\server\\share\\clip.mp4' }, 'media absolute_path'],
  [{ media: 'ftp://cdn.example/clip.mp4' }, 'media url_scheme'],
  [{ media: 'file:///clip.mp4' }, 'media url_scheme'],
  [{ media: 'data:video/mp4;base64,AAAA', media_type: 'VIDEO' }, 'media url_scheme'],
  [{ media: 'https://user:secret@cdn.example/clip.mp4' }, 'media url_credentials'],
  [{ media: 'https://user@cdn.example/clip.mp4' }, 'media url_credentials'],
  [{ media: 'https://cdn.example/my clip.mp4' }, 'media invalid_url'],
  [{ media: 'https:///clip.mp4/\\', media_type: 'VIDEO' }, 'media invalid_url'],
  [{ media: 'https://cdn.example:99999/clip.mp4' }, 'media invalid_url'],
  [{ media: 'cl\u0000ip.mp4' }, 'media control_characters'],
])('%j: %s', (changes, problem) => {
  expect(problemsOf(changes)).toEqual([problem]);
});

test.each(['..hidden.mp4', 'a..b.mp4', '/mnt/media/clip.mp4', '名前.mp4', 'https://例え.jp/clip.mp4'])(
  '%s is accepted here; the file system decides',
  (media) => {
    expect(problemsOf({ media })).toEqual([]);
  },
);

const one = 'https://cdn.example/set/1.png';
const two = 'https://cdn.example/set/2.png';

test.each([
  [`${one},${two}`],
  [`${one};${two}`],
  [`${one}, ${two}`],
  [`${one} ${two}`],
  [`${one}\n${two}`],
  [`${one}、${two}`],
  [`${one}；${two}`],
  [`${one}${two}`],
])('links that %j does not separate by | are a problem, with the list that is meant', (media) => {
  const reading = readRow({ media });
  expect('problems' in reading && reading.problems).toEqual([
    {
      column: 'media',
      code: 'media_separator',
      value: showValue(media),
      problem: 'the cell names 2 links, but does not separate them with |',
      fix: `Write | between them: ${one}|${two}`,
      meant: `${one}|${two}`,
    },
  ]);
});

test.each([
  ['media', { media: `a.png|${one},${two}` }],
  ['media', { media: `a.png,${two}` }],
  ['media', { media: `first: ${one} second: ${two}` }],
  ['ai_references', { ...generatedImages, ai_references: `${one},${two}` }],
  ['cover', { cover: `${one},${two}` }],
  ['cover', { cover: `${one}|${two}` }],
])('in %s, a second link within an item is a problem: %j', (column, changes) => {
  expect(problemsOf(changes)).toEqual([`${column} media_separator`]);
});

test.each([
  ['a.jpg, b.jpg', 'media_separator', 'a.jpg|b.jpg'],
  ['a.jpg;b.PNG;', 'media_separator', 'a.jpg|b.PNG'],
  ['a.jpg、b.jpg', 'media_separator', 'a.jpg|b.jpg'],
  ['clips/a 1.jpg / a 2.jpg/a 3.jpg', 'media_separator', 'clips/a 1.jpg|a 2.jpg|a 3.jpg'],
  ['a.jpg + b.jpg & c.jpg', 'media_separator', 'a.jpg|b.jpg|c.jpg'],
  ['a.jpg b.jpg y c.jpg', 'media_separator', 'a.jpg|b.jpg|c.jpg'],
  ['"clips/mug.mp4"', 'media_wrapped', 'clips/mug.mp4'],
  ['mug.mp4\u200b', 'media_wrapped', 'mug.mp4'],
  ['“mug.mp4”', 'media_wrapped', 'mug.mp4'],
  ['„mug.mp4“\u200b', 'media_wrapped', 'mug.mp4'],
  ["'clips/mug.mp4'", 'media_wrapped', 'clips/mug.mp4'],
])('%j is a problem, with what is meant', (media, code, meant) => {
  const reading = readRow({ media });
  expect('problems' in reading && reading.problems).toMatchObject([{ column: 'media', code, meant }]);
});

test('a comma within the name of a file is no separator', () => {
  expect(problemsOf({ media: 'mug, the blue one.mp4' })).toEqual([]);
});

test('two links of a product are not one', () => {
  expect(problemsOf({ product_link: `${one},${two}` })).toEqual(['product_link invalid_url']);
});

test('what is meant is told of the item alone, and not where it is no list of links', () => {
  const meantOf = (changes: Readonly<Record<string, string>>) => {
    const reading = readRow(changes);
    return 'problems' in reading ? reading.problems.map(({ meant }) => meant) : [];
  };
  expect(meantOf({ media: `a.png|${one},${two}` })).toEqual([`${one}|${two}`]);
  expect(meantOf({ media: `first: ${one} second: ${two}` })).toEqual([undefined]);
  expect(meantOf({ cover: `${one},${two}` })).toEqual([undefined]);
  expect(meantOf({ media: 'a.png\nb.png' })).toEqual(['a.png|b.png']);
});

test.each([
  'https://proxy.example/fetch.png?url=https://cdn.example/a.png',
  'https://web.example/2026/https://cdn.example/a.png',
  'https://cdn.example/w_200,h_300/a.png',
  'https://cdn.example/a.png?from=x,y',
])('%s is one link', (media) => {
  expect(rowOf({ media }).media).toEqual([media]);
});

test.each([
  ['clip.mp4 (https://files.example/v3/17)', 'clip.mp4'],
  ['a b.png (https://files.example/1),c.png (https://files.example/2)', 'a b.png|c.png'],
])('%s stands for %s', (media, meant) => {
  const reading = readRow({ media });
  expect('row' in reading ? [] : reading.problems).toMatchObject([{ meant }]);
});
