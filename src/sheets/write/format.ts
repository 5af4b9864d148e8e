/** The output formats of a sheet. */
import { extname } from 'node:path';

export const sheetFormats = ['csv', 'json', 'jsonl', 'xlsx'] as const;
export type SheetFormat = (typeof sheetFormats)[number];

export const sheetContentTypes: Readonly<Record<SheetFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The format by the ending of a file name; CSV for a name without one. Undefined for an ending of no format. */
export function formatOfFile(file: string): SheetFormat | undefined {
  const ending = extname(file).slice(1).toLowerCase();
  if (ending === '') return 'csv';
  return ending === 'ndjson' ? 'jsonl' : sheetFormats.find((format) => format === ending);
}

/** `.csv, .json or .xlsx` */
export function endingsOf(formats: readonly SheetFormat[]): string {
  const endings = formats.map((format) => `.${format}`);
  return endings.length === 1 ? endings.join() : `${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}`;
}
