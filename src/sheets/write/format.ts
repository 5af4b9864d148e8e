/** The formats that a sheet can be written in. */
import { extname } from 'node:path';

export const sheetFormats = ['csv', 'json', 'jsonl', 'xlsx'] as const;
export type SheetFormat = (typeof sheetFormats)[number];

/** The format that the ending of a file's name tells; CSV where it tells none. */
export function formatOfFile(file: string): SheetFormat {
  const ending = extname(file).slice(1).toLowerCase();
  return ending === 'ndjson' ? 'jsonl' : (sheetFormats.find((format) => format === ending) ?? 'csv');
}
