import { expect, test } from 'vitest';
import {
  MediaInspector,
  mediaOf,
  RowMedia,
  type RowMedium,
} from '../../../src/importers/check/media-check.ts';
import { generatedImages, rowOf } from '../../manifest/rows.ts';

const image = (source: string): RowMedium => ({ column: 'media', source, kind: 'PHOTO' });

test('each medium is checked once, also across batches', async () => {
  const looked: string[] = [];
  const inspector = new MediaInspector(async (source) => {
    looked.push(source);
    return { bytes: source.length };
  });
  expect(await inspector.inspect([image('a'), image('bb'), image('a')])).toEqual([
    { bytes: 1 },
    { bytes: 2 },
    { bytes: 1 },
  ]);
  expect(await inspector.inspect([image('bb'), image('ccc')])).toEqual([{ bytes: 2 }, { bytes: 3 }]);
  expect(looked).toEqual(['a', 'bb', 'ccc']);
});

test('the same file is checked once as image and once as video', async () => {
  const kinds: string[] = [];
  const inspector = new MediaInspector(async (_source, kind) => {
    kinds.push(kind);
    return { bytes: 1 };
  });
  await inspector.inspect([image('a'), { column: 'media', source: 'a', kind: 'VIDEO' }]);
  expect(kinds).toEqual(['PHOTO', 'VIDEO']);
});

test('at most 16 are checked at once', async () => {
  let open = 0;
  let most = 0;
  const inspector = new MediaInspector(async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise(setImmediate);
    open -= 1;
    return { bytes: 1 };
  });
  await inspector.inspect(Array.from({ length: 100 }, (_, index) => image(String(index))));
  expect(most).toBe(16);
});

test('the media of a row include its cover and its references', () => {
  expect(mediaOf(rowOf({ cover: 'c.png' }))).toEqual([
    { column: 'media', source: 'clip.mp4', kind: 'VIDEO' },
    { column: 'cover', source: 'c.png', kind: 'PHOTO' },
  ]);
  expect(mediaOf(rowOf({ ...generatedImages, ai_references: 'r.png' }))).toEqual([
    { column: 'ai_references', source: 'r.png', kind: 'PHOTO' },
  ]);
});

test('doubts about a file are warnings of a post, but not of a reference for the AI', async () => {
  const doubt = { code: 'media_small', problem: 'small', fix: 'Use a larger one.' };
  const media = new RowMedia(async () => ({ bytes: 1, doubts: [doubt, { ...doubt, code: 'media_format' }] }));
  const told: string[] = [];
  const row = rowOf({ ...generatedImages, ai_references: 'https://cdn.example/r.png' });
  const posted = rowOf();
  await media.check(
    [
      { row, draft: null },
      { row: posted, draft: null },
    ],
    ({ row: of }, kind, { code, column }) => told.push(`${of === posted} ${kind} ${column} ${code}`),
  );
  expect(told).toEqual(['true warning media media_small', 'true warning media media_format']);
});
