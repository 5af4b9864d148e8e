/** Creator accounts and their showcases (contract, sections 4.4, 4.5 and 4.7). `id` is the account's id, not the `creatorId`. */
import type {
  AddSocialShowcaseProducts,
  CreatorAccount,
  CreatorAccountPage,
  ListCreatorAccounts,
  ListSocialShowcaseProducts,
  ShowcaseProduct,
  ShowcaseProductPage,
} from './contract/creators.ts';
import { asInteger, type IntegerId } from './contract/envelope.ts';
import type { ResponseOf } from './contract/operations.ts';
import { uriOf } from './contract/uri.ts';
import type { CallOptions, Listed, OperationCaller } from './transport/caller.ts';
import { numberedPages, type PageSizes, type PagingOptions, tokenPages } from './transport/paging.ts';

const accounts = 'listCreatorAccounts';
/** Pages fetched ahead: every caller reads all accounts. */
const pagesAhead = 8;

export class Creators {
  readonly #caller: OperationCaller;
  readonly #sizes: PageSizes;

  constructor(caller: OperationCaller, sizes: PageSizes) {
    this.#caller = caller;
    this.#sizes = sizes;
  }

  /** One page of accounts. @throws {ApiError} */
  list(query: ListCreatorAccounts, options?: CallOptions): Promise<Listed<CreatorAccountPage>> {
    return this.#caller.callList(accounts, query, options);
  }

  /** @param query its `pageSize` is that of the client unless given; smaller ones are tried if it is refused. @throws {ApiError} */
  all(
    query: Omit<ListCreatorAccounts, 'pageNumber' | 'pageSize'> & {
      readonly pageSize?: number | undefined;
    } = {},
    options: PagingOptions = {},
  ): AsyncGenerator<CreatorAccount> {
    const sizes = this.#sizes;
    const asked = query.pageSize ?? sizes.usual;
    return numberedPages(
      accounts,
      asked,
      { ...options, sizes, ahead: pagesAhead },
      async (pageNumber, pageSize) => {
        const { list, ...page } = await this.list({ ...query, pageSize, pageNumber }, options);
        return { ...page, entries: list };
      },
    );
  }
}

const listing = 'listSocialShowcaseProducts';

/** `id` as the list of accounts gave it. */
export type OfAccount<T> = T extends unknown ? Omit<T, 'id'> & { readonly id: IntegerId } : never;
export type AddProducts = OfAccount<AddSocialShowcaseProducts>;
export type ShowcaseQuery = OfAccount<Omit<ListSocialShowcaseProducts, 'origin'>>;

export class Showcase {
  readonly #caller: OperationCaller;
  readonly #sizes: PageSizes;

  constructor(caller: OperationCaller, sizes: PageSizes) {
    this.#caller = caller;
    this.#sizes = sizes;
  }

  /**
   * Adds products to a showcase; a link is sent as the URI that it means. Even a success may hold failures, in `errors`: each says that a product was not added.
   * The `code` of an error is a number, beyond 2^53 a text of its digits.
   * @throws {CreatorAuthorizationExpiredError} when the creator must authorize again, and {ApiError} for other failures.
   */
  add(
    { id, ...request }: AddProducts,
    options?: CallOptions,
  ): Promise<ResponseOf<'addSocialShowcaseProducts'>> {
    const call =
      request.addType === 'PRODUCT_LINK'
        ? { ...request, id: asInteger(id), productLink: uriOf(request.productLink) }
        : { ...request, id: asInteger(id) };
    return this.#caller.call('addSocialShowcaseProducts', call, options);
  }

  /** One page of the products in a showcase. @throws {ApiError} */
  list({ id, ...query }: ShowcaseQuery, options?: CallOptions): Promise<Listed<ShowcaseProductPage>> {
    return this.#caller.callList(listing, { ...query, id: asInteger(id), origin: 'SHOWCASE' }, options);
  }

  /** @param query its `pageSize` is that of the client unless given; smaller ones are tried if it is refused. @throws {ApiError} */
  all(
    query: { readonly id: IntegerId; readonly pageSize?: number | undefined },
    options: PagingOptions = {},
  ): AsyncGenerator<ShowcaseProduct> {
    const sizes = this.#sizes;
    const { id, pageSize: asked = sizes.usual } = query;
    return tokenPages(listing, asked, { ...options, sizes }, async (pageToken, pageSize) => {
      const { products, ...page } = await this.list({ id, pageSize, pageToken }, options);
      return { ...page, entries: products };
    });
  }
}
