/** Products of a creator's showcase to choose from, with their pictures. */
import type { ShowcaseProduct } from '../../api/contract/showcase.ts';
import { listProducts } from '../../campaigns/look-up.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { fetchPicture, type Picture } from './picture.ts';
import { Remembered } from './remembered.ts';
import { type SearchResult, search } from './search.ts';

/** Most products to fetch for a search: ten calls. */
const mostSearched = 1000;

export interface PickedProduct {
  readonly id: string;
  readonly title: string;
  /** `19.90 USD`, as given by the service. */
  readonly price: string;
  readonly hasPicture: boolean;
}

export interface PickedProducts extends Omit<SearchResult<PickedProduct>, 'shown'> {
  readonly products: readonly PickedProduct[];
}

const showcases = new Remembered<readonly ShowcaseProduct[]>();

/**
 * @param creator username, `creatorId` or account id.
 * @param text part of a title or id, in any case.
 * @throws {UseCaseError} `creator_not_found`, `creator_ambiguous`, `service_*`, `account_*`.
 */
export async function pickProducts(
  runtime: Runtime,
  account: string | undefined,
  creator: string,
  text: string,
): Promise<PickedProducts> {
  const all = await showcaseOf(runtime, account, creator);
  const namesOf = ({ id, title = '' }: ShowcaseProduct) => [title, id];
  const { shown, ...rest } = search(all, { text, namesOf, mostSearched });
  return {
    ...rest,
    products: shown.map(({ id, title = '', price, images }) => ({
      id,
      title,
      price: [price?.amount, price?.currency].filter(Boolean).join(' '),
      hasPicture: images?.[0]?.url !== undefined,
    })),
  };
}

/**
 * The picture of a product of a showcase. Fetches only URLs that the service named.
 * @throws {UseCaseError} `media_not_shown`, and the errors of `pickProducts`.
 */
export async function pictureOfProduct(
  runtime: Runtime,
  account: string | undefined,
  creator: string,
  product: string,
): Promise<Picture> {
  const all = await showcaseOf(runtime, account, creator);
  const url = all.find(({ id }) => id === product)?.images?.[0]?.url;
  if (url === undefined) throw new UseCaseError('media_not_shown', 'the product has no picture');
  return fetchPicture(runtime.settings, url);
}

function showcaseOf(
  runtime: Runtime,
  account: string | undefined,
  creator: string,
): Promise<readonly ShowcaseProduct[]> {
  return showcases.find(runtime, JSON.stringify([account ?? '', creator]), async () => {
    const { products } = await listProducts(runtime, creator, { account, most: mostSearched });
    return products;
  });
}
