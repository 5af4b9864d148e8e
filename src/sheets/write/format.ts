/** The formats that a sheet can be written in. */
import { extname } from 'node:path';

export const sheetFormats = ['csv', 'json', 'jsonl', 'xlsx'] as const;
export type SheetFormat = (typeof sheetFormats)[number];

/** The format that the ending of a file's name tells; CSV where it tells none. */
export function formatOfFile(file: string): SheetFormat {
  switch (extname(file).toLowerCase()) {
    case '.json':
      return 'json';
    case '.jsonl':
    case '.ndjson':
      return 'jsonl';
    case '.xlsx':
      return 'xlsx';
    default:
      return 'csv';
  }
}
