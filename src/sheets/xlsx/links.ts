/** The addresses of links whose cells show another text: a worksheet keeps them apart from its cells. */

import { readBelowRows } from './below-rows.ts';
import { columnOf } from './merged-cells.ts';
import { chooseSheet, openWorkbook, relationshipOf } from './workbook.ts';
import { WorkbookError } from './workbook-error.ts';

/** Most links to keep, and the longest. */
const mostLinks = 10_000;
const longestLink = 2048;

/** By line, from 1, and position, from 0. */
type LinksOfSheet = ReadonlyMap<number, ReadonlyMap<number, string>>;
/** By the name of the worksheet, in the workbook's own case. */
export type SheetLinks = ReadonlyMap<string, LinksOfSheet>;

/** Links to addresses of the web. None of a worksheet that is damaged: reading its rows reports it. @param chosen worksheets; undefined: the first visible. */
export async function readLinks(path: string, chosen: readonly string[] | undefined): Promise<SheetLinks> {
  const found = new Map<string, Map<number, Map<number, string>>>();
  let left = mostLinks;
  try {
    await using workbook = await openWorkbook(path);
    for (const wanted of chosen ?? [undefined]) {
      const { name, part } = chooseSheet(workbook, wanted);
      const addresses = await workbook.parts.addresses(part);
      const lines = new Map<number, Map<number, string>>();
      found.set(name, lines);
      if (addresses.size === 0) continue;
      await readBelowRows(workbook.parts, part, {
        open(element, attributes) {
          const address = element === 'hyperlink' ? addresses.get(relationshipOf(attributes)) : undefined;
          const [, letters, line] = /^([A-Z]{1,3})(\d{1,7})$/.exec(attributes.ref ?? '') ?? [];
          if (letters === undefined || !isOfWeb(address) || left === 0) return;
          left -= 1;
          const cells = lines.get(Number(line)) ?? new Map<number, string>();
          lines.set(Number(line), cells.set(columnOf(letters), address));
        },
      });
    }
  } catch (error) {
    if (!(error instanceof WorkbookError)) throw error;
  }
  return found;
}

function isOfWeb(address: string | undefined): address is string {
  return address !== undefined && address.length <= longestLink && /^https?:\/\//i.test(address);
}
