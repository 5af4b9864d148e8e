/** Which missing products go together in one call that adds to a creator's showcase. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { KnownProduct } from '../../ledger/service/creators.ts';
import type { GroupRow, ShowcaseGroup } from '../../ledger/transitions/admission.ts';
import type { Row, RowVersion } from '../../manifest/row.ts';
import { maxProductsPerCall } from '../../service/contract/creators.ts';
import type { CampaignView } from '../runner/campaign-view.ts';

/** The product of a row that must be added to its creator's showcase. */
export interface MissingProduct extends GroupRow {
  readonly creator: string;
  readonly link: string | undefined;
}

const maxRowsPerGroup = 200;

/** The last group of a creator while it is packed, and all products of its call. */
interface OpenGroup {
  readonly packed: { readonly creator: string; readonly rows: GroupRow[]; along?: readonly string[] };
  readonly products: Set<string>;
}

/** At most 20 products and 200 rows a group; a link is a group of its own. @param waiting rows to take along where there is room. */
export function packGroups(
  missing: readonly MissingProduct[],
  waiting: readonly MissingProduct[] = [],
): readonly ShowcaseGroup[] {
  const groups: ShowcaseGroup[] = [];
  const open = new Map<string, OpenGroup>();
  for (const { creator, link, ...row } of missing) {
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
export async function missingProducts(
  ledger: Ledger,
  view: CampaignView,
  rows: readonly (RowVersion & { readonly spec: Row | undefined })[],
  isOpen = (known: KnownProduct | undefined) => known !== 'added',
): Promise<readonly MissingProduct[]> {
  const products: MissingProduct[] = [];
  for (const { row, revision, spec } of rows) {
    if (!spec?.showcase) continue;
    const { id, link } = spec.product;
    products.push({ row, revision, creator: spec.creator, productId: id, link });
  }
  const known = await ledger.creators.knownProducts(
    products.map(({ creator, ...wish }) => ({ ...wish, creatorId: view.creator(creator).creatorId })),
  );
  return products.filter((_wish, index) => isOpen(known[index]));
}
