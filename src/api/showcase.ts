/** The showcases of creators (contract, sections 4.4 and 4.7). `id` is the account's id, not the `creatorId`. */
import type { CallOptions, OperationCaller } from './caller.ts';
import type { ResponseOf } from './contract/operations.ts';
import type {
  AddSocialShowcaseProducts,
  ListSocialShowcaseProducts,
  ShowcaseProduct,
  ShowcaseProductPage,
} from './contract/showcase.ts';
import { type PagingOptions, tokenPages } from './paging.ts';

const listing = 'listSocialShowcaseProducts';
const defaultPageSize = 100;

type ListQuery = Omit<ListSocialShowcaseProducts, 'origin'>;

export class Showcase {
  readonly #caller: OperationCaller;

  constructor(caller: OperationCaller) {
    this.#caller = caller;
  }

  /**
   * Adds products to a showcase. Even a success may hold failures, in `errors`.
   * @throws {CreatorAuthorizationExpiredError} when the creator must authorize again, and {ApiError} for other failures.
   */
  add(
    request: AddSocialShowcaseProducts,
    options?: CallOptions,
  ): Promise<ResponseOf<'addSocialShowcaseProducts'>> {
    return this.#caller.call('addSocialShowcaseProducts', request, options);
  }

  /** One page of the products in a showcase. @throws {ApiError} */
  list(query: ListQuery, options?: CallOptions): Promise<ShowcaseProductPage> {
    return this.#caller.call(listing, { ...query, origin: 'SHOWCASE' }, options);
  }

  /** All products in a showcase, page by page. @throws {ApiError} */
  all(
    query: { readonly id: number; readonly pageSize?: number | undefined },
    options: PagingOptions = {},
  ): AsyncGenerator<ShowcaseProduct> {
    const { id, pageSize = defaultPageSize } = query;
    return tokenPages(listing, options, async (pageToken) => {
      const page = await this.list({ id, pageSize, pageToken }, options);
      return { entries: page.products, nextPageToken: page.nextPageToken };
    });
  }
}
