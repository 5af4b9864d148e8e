/** Rows and their known values, for tests of pure functions. */
import { emptyRowProgress, type RowProgress } from '../../../src/ledger/rows/row-progress.ts';
import type { Generation, Row } from '../../../src/manifest/row.ts';

export const creator = { id: 1001, creatorId: '7493', username: 'demo_anna', oauthRegion: 'US' };

export function videoOf(fields: Partial<Row> = {}): Row {
  return {
    key: '1',
    creator: 'demo_anna',
    mediaType: 'VIDEO',
    media: ['a.mp4'],
    caption: 'A caption',
    product: { id: 'p1', title: 'A product', source: 'SHOWCASE' },
    showcase: true,
    ...fields,
  };
}

export function photosOf(count: number, fields: Partial<Row> = {}): Row {
  const media = Array.from({ length: count }, (_, index) => `${index}.png`);
  return videoOf({ mediaType: 'PHOTO', media, ...fields });
}

export const video: Generation = {
  type: 'VIDEO_GENERATION',
  model: 'seedance2.0',
  prompt: 'A video',
  seconds: 8,
  size: '720x1280',
  references: [],
  count: 1,
};

export const images: Generation = {
  type: 'IMAGE_GENERATION',
  model: 'gpt-image-2',
  prompt: 'Images',
  aspectRatio: '9:16',
  references: [],
  count: 3,
};

export function known(fields: Partial<RowProgress>): RowProgress {
  return { ...emptyRowProgress, ...fields };
}

/** Files `70`, `71`, ... at these positions. */
export function filesAt(...positions: readonly number[]): ReadonlyMap<number, string> {
  return new Map(positions.map((position) => [position, `7${position}`]));
}
