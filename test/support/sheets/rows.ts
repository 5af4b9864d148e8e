/** Rows of manifests; each has a unique caption, which identifies its post. */
import type { Cells } from './sheet.ts';

/** Creators that every sandbox has, with all permissions. */
export const creators = ['demo_anna', 'demo_ben', 'demo_carla', 'demo_david', 'demo_elena'] as const;

/** Columns of every row; `key` makes each row different. */
function post(key: string, cells: Cells): Cells {
  return {
    key,
    creator: 'demo_anna',
    caption: `Caption ${key}`,
    product_id: `p-${key}`,
    product_title: 'A product',
    ...cells,
  };
}

/** A video of the file `<key>.mp4`. */
export function videoRow(key: string, cells: Cells = {}): Cells {
  return post(key, { media: `${key}.mp4`, ...cells });
}

/** A post of the images `<key>-1.png`, `<key>-2.png`, ... */
export function photoRow(key: string, count: number, cells: Cells = {}): Cells {
  const names = Array.from({ length: count }, (_, index) => `${key}-${index + 1}.png`);
  return post(key, { media: names.join('|'), ...cells });
}

/** A generated video. */
export function aiVideoRow(key: string, cells: Cells = {}): Cells {
  const ai = { ai_prompt: `Video ${key}`, ai_model: 'seedance2.0', ai_seconds: '4', ai_size: '720x1280' };
  return post(key, { ...ai, ...cells });
}

/** A post of generated images. */
export function aiPhotoRow(key: string, count: number, cells: Cells = {}): Cells {
  const ai = {
    ai_prompt: `Pictures ${key}`,
    ai_model: 'gpt-image-2',
    ai_aspect_ratio: '9:16',
    ai_count: String(count),
  };
  return post(key, { ...ai, ...cells });
}

/** Videos, posts of two pictures and generated videos, of all creators in turn. */
export function mixedRows(count: number): readonly Cells[] {
  return Array.from({ length: count }, (_, index) => {
    const creator = creators[index % creators.length] ?? creators[0];
    if (index % 4 === 3) return aiVideoRow(`${index}`, { creator });
    return index % 4 === 2 ? photoRow(`${index}`, 2, { creator }) : videoRow(`${index}`, { creator });
  });
}

/** The local files that rows name. */
export function localFiles(rows: readonly Cells[]): readonly string[] {
  const cells = rows.flatMap(({ media = '', cover = '', ai_references: references = '' }) => [
    media,
    cover,
    references,
  ]);
  return [
    ...new Set(
      cells.flatMap((cell) => cell.split('|')).filter((name) => name !== '' && !name.startsWith('http')),
    ),
  ];
}
