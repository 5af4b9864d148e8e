/** Campaign rows for the benchmarks, and their files. */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface BenchRow {
  readonly creator: string;
  readonly media: string;
  readonly caption: string;
  readonly product: string;
}

export interface Shape {
  readonly rows: number;
  readonly files: number;
  readonly creators: number;
  readonly products: number;
}

export function makeRows({ rows, files, creators, products }: Shape): readonly BenchRow[] {
  return Array.from({ length: rows }, (_, index) => ({
    creator: `creator_${index % creators}`,
    media: `clip-${index % files}.mp4`,
    caption: `Post number ${index} of the spring campaign`,
    product: `17294323420${String(index % products).padStart(6, '0')}`,
  }));
}

/** Files with the beginning of an MP4, small ones by default. */
export async function writeFiles(folder: string, files: number, bytes = 4000): Promise<void> {
  await mkdir(folder, { recursive: true });
  const start = Buffer.from('0000001866747970697366d6d0000020069736f6d69736f32'.padEnd(64, '0'), 'hex');
  start.write('ftypisom', 4, 'latin1');
  for (let file = 0; file < files; file += 1) {
    await writeFile(join(folder, `clip-${file}.mp4`), Buffer.concat([start, randomBytes(bytes)]));
  }
}

/** Writes the rows as a manifest, `rows.csv`, and as `rows.json`. */
export async function writeRows(folder: string, rows: readonly BenchRow[]): Promise<void> {
  const lines = rows.map(
    ({ creator, media, caption, product }) => `${creator},${media},${caption},${product},Product`,
  );
  await writeFile(join(folder, 'rows.json'), JSON.stringify(rows));
  await writeFile(
    join(folder, 'rows.csv'),
    ['creator,media,caption,product_id,product_title', ...lines, ''].join('\n'),
  );
}
