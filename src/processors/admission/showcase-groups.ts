/** Chooses which waiting rows enter the window next, and packs their showcase additions. */

import type { Ledger } from '../../ledger/ledger.ts';
import type { KnownProduct } from '../../ledger/service/creators.ts';
import type { GroupRow, ShowcaseGroup } from '../../ledger/transitions/admission.ts';
import type { Row } from '../../manifest/row.ts';
import type { RowVersion } from '../../manifest/row-ref.ts';
import { maxProductsPerCall } from '../../service/contract/showcase.ts';
import type { CampaignView } from '../runner/campaign-view.ts';

/** A row whose product must be added to its creator's showcase. */
export interface ShowcaseWish extends GroupRow {
  readonly creator: string;
  readonly link: string | undefined;
}

export interface Waiting {
  /** Its creator, if a product must be added to the showcase. */
  readonly showcaseOf: string | undefined;
}

/**
 * Chooses which waiting rows enter the window. They come in order, but a row that needs a showcase addition takes others of its
 * creator along, so that one call adds many products. The first row is always chosen, so none waits forever.
 * @param waiting in order; may be more than there is room for.
 * @returns the chosen rows, in order.
 */
export function chooseRows<T extends Waiting>(waiting: readonly T[], window: number): readonly T[] {
  if (waiting.length <= window) return waiting;
  const ofCreator = Map.groupBy(waiting, ({ showcaseOf }) => showcaseOf);
  const chosen = new Set<T>();
  for (const row of waiting) {
    if (chosen.size >= window) break;
    if (chosen.has(row)) continue;
    const together = row.showcaseOf === undefined ? [row] : (ofCreator.get(row.showcaseOf) ?? []);
    // `splice`: rows taken here are not taken again with the creator's next row.
    for (const each of together.splice(0, Math.min(maxProductsPerCall, window - chosen.size)))
      chosen.add(each);
  }
  return waiting.filter((row) => chosen.has(row));
}

/** Defers rows that share a file with an earlier row, so that it is uploaded once, if `enough` rows are left for the workers. */
export function deferRepeats<T>(
  rows: readonly T[],
  filesOf: (row: T) => readonly string[],
  enough: number,
): readonly T[] {
  const needed = new Set<string>();
  const firsts = rows.filter((row) => {
    const files = filesOf(row);
    if (files.some((file) => needed.has(file))) return false;
    for (const file of files) needed.add(file);
    return true;
  });
  return firsts.length >= enough ? firsts : rows;
}

const maxRowsPerGroup = 200;

/** The last group of a creator while it is packed, and all products of its call. */
interface OpenGroup {
  readonly packed: { readonly creator: string; readonly rows: GroupRow[]; along?: readonly string[] };
  readonly products: Set<string>;
}

/** At most 20 products and 200 rows a group; a link is a group of its own. @param waiting rows to take along where there is room. */
export function packGroups(
  wishes: readonly ShowcaseWish[],
  waiting: readonly ShowcaseWish[] = [],
): readonly ShowcaseGroup[] {
  const groups: ShowcaseGroup[] = [];
  const open = new Map<string, OpenGroup>();
  for (const { creator, link, ...row } of wishes) {
    if (link !== undefined) {
      groups.push({ creator, link, rows: [row] });
      continue;
    }
    let group = open.get(creator);
    const full =
      group &&
      (group.packed.rows.length === maxRowsPerGroup ||
        (group.products.size === maxProductsPerCall && !group.products.has(row.productId)));
    if (!group || full) {
      group = { packed: { creator, rows: [] }, products: new Set() };
      open.set(creator, group);
      groups.push(group.packed);
    }
    group.packed.rows.push(row);
    group.products.add(row.productId);
  }
  for (const { creator, link, productId } of waiting) {
    const group = open.get(creator);
    if (!group || link !== undefined) continue;
    if (group.products.size === maxProductsPerCall || group.products.has(productId)) continue;
    group.products.add(productId);
    group.packed.along = [...(group.packed.along ?? []), productId];
  }
  return groups;
}

/** @param isOpen by what is known of the product; default: unless it was added in the same way (by link, by id). */
export async function showcaseWishes(
  ledger: Ledger,
  view: CampaignView,
  rows: readonly (RowVersion & { readonly spec: Row | undefined })[],
  isOpen = (known: KnownProduct | undefined) => known !== 'added',
): Promise<readonly ShowcaseWish[]> {
  const wishes: ShowcaseWish[] = [];
  for (const { row, revision, spec } of rows) {
    if (!spec?.showcase) continue;
    const { id, link } = spec.product;
    wishes.push({ row, revision, creator: spec.creator, productId: id, link });
  }
  const known = await ledger.creators.knownProducts(
    wishes.map(({ creator, ...wish }) => ({ ...wish, creatorId: view.creator(creator).creatorId })),
  );
  return wishes.filter((_wish, index) => isOpen(known[index]));
}
