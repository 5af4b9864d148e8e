/** Rows for tests of the reader: a valid row, with cells changed by column name. */
import { createRowReader, type RowReading } from '../../src/manifest/reader.ts';

const video = {
  key: 'a1',
  creator: 'mia',
  media: 'clip.mp4',
  caption: 'Morning glow',
  product_id: '1729432342342341000',
  product_title: 'Serum',
};

type Cells = Readonly<Record<string, string>>;

/** Reads the row of a video post with changed or added cells. */
export function readRow(changes: Cells = {}, timezone: string | null = null): RowReading {
  const cells: Cells = { ...video, ...changes };
  return createRowReader(Object.keys(cells), { timezone }).read({ cells: Object.values(cells), number: 1 });
}

/** The problems of that row as `column code`. */
export function problemsOf(changes: Cells, timezone: string | null = null): readonly string[] {
  const reading = readRow(changes, timezone);
  return 'row' in reading ? [] : reading.problems.map(({ column, code }) => `${column ?? 'row'} ${code}`);
}

/** Reads a valid row. @throws an error with its problems. */
export function rowOf(changes: Cells = {}, timezone: string | null = null) {
  const reading = readRow(changes, timezone);
  if ('row' in reading) return reading.row;
  throw new Error(`the row has problems: ${JSON.stringify(reading.problems)}`);
}

/** Cells of a row whose images are generated. */
export const generatedImages = {
  media: '',
  ai_prompt: 'A bottle at dawn',
  ai_model: 'nano-banana-2',
  ai_aspect_ratio: '9:16',
};

/** Cells of a row whose video is generated. */
export const generatedVideo = {
  media: '',
  ai_prompt: 'A bottle at dawn',
  ai_model: 'veo3.1-extend',
  ai_seconds: '8',
  ai_size: '720x1280',
};
