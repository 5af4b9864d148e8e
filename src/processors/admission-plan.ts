/** Which waiting rows enter the window next, and how their showcase additions are packed. */
import { maxProductsPerCall } from '../api/contract/showcase.ts';
import type { GroupRow, ShowcaseGroup } from '../ledger/admission.ts';

/** A row that wants its product in its creator's showcase. */
export interface ShowcaseWish extends GroupRow {
  readonly creator: string;
  readonly link: string | undefined;
}

const maxRowsPerGroup = 200;

/**
 * Packs wishes into groups of one creator: at most 20 products, each once, and at most 200 rows. A product that is added by
 * link is a group of its own.
 */
export function packGroups(wishes: readonly ShowcaseWish[]): readonly ShowcaseGroup[] {
  const groups: ShowcaseGroup[] = [];
  const open = new Map<string, { rows: GroupRow[]; products: Set<string> }>();
  for (const { creator, link, ...row } of wishes) {
    if (link !== undefined) {
      groups.push({ creator, link, rows: [row] });
      continue;
    }
    let group = open.get(creator);
    const full =
      group &&
      (group.rows.length === maxRowsPerGroup ||
        (group.products.size === maxProductsPerCall && !group.products.has(row.productId)));
    if (!group || full) {
      group = { rows: [], products: new Set() };
      open.set(creator, group);
      groups.push({ creator, rows: group.rows });
    }
    group.rows.push(row);
    group.products.add(row.productId);
  }
  return groups;
}
