/** Names of sheets that people download. */
import type { SheetFormat } from './format.ts';

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
