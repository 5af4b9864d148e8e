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

/** What an earlier download added to the name. */
const added = /, [a-z ]{1,60}, \d{1,2} [A-Z][a-z]{2,3}$/;

/** `spring, corrected, 3 Mar.xlsx`. @param name of the sheet or campaign, without an ending. @param what in small letters. */
export function downloadName(
  name: string,
  what: string,
  { format, now, zone }: { readonly format: SheetFormat; readonly now: number; readonly zone: string },
): string {
  const day = new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short' }).format(
    now,
  );
  // An en-GB September is "Sept".
  return `${name.replace(added, '')}, ${what}, ${day}.${format}`;
}

/** `.csv, .json or .xlsx` */
export function endingsOf(formats: readonly SheetFormat[]): string {
  const endings = formats.map((format) => `.${format}`);
  return endings.length === 1 ? endings.join() : `${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}`;
}
