/** The output formats of a sheet. */
import { extname } from 'node:path';

export const sheetFormats = ['csv', 'json', 'jsonl', 'xlsx'] as const;
export type SheetFormat = (typeof sheetFormats)[number];

/** The format by the extension of a file name; CSV if the extension is unknown. */
export function formatOfFile(file: string): SheetFormat {
  const ending = extname(file).slice(1).toLowerCase();
  return ending === 'ndjson' ? 'jsonl' : (sheetFormats.find((format) => format === ending) ?? 'csv');
}
