/** The delimiter of sheets that are written for a campaign. */
import type { SheetDelimiter } from '../../ledger/campaigns/campaigns.ts';
import type { SheetFormat } from '../../sheets/sheet.ts';

/** The delimiter of the sheet handed in, if spreadsheet programs write it: in some regions they read only `;`. */
export function writtenDelimiter(format: SheetFormat | null): SheetDelimiter {
  return format?.kind === 'csv' && format.delimiter === ';' ? ';' : ',';
}
