/** The separator that sheets of a campaign are written with. */
import type { SheetDelimiter } from '../../ledger/campaigns/campaigns.ts';
import type { SheetFormat } from '../../sheets/sheet.ts';

/** That of the sheet handed in, if spreadsheet programs write it: in some regions they read only `;`. */
export function writtenDelimiter(format: SheetFormat | null): SheetDelimiter {
  return format?.kind === 'csv' && format.delimiter === ';' ? ';' : ',';
}
