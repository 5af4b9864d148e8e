/** Creator accounts (contract, section 4.5). */

import type { CreatorAccount, CreatorAccountPage, ListCreatorAccounts } from './contract/creators.ts';
import type { CallOptions, Listed, OperationCaller } from './transport/caller.ts';
import { numberedPages, type PageSizes, type PagingOptions } from './transport/paging.ts';

const operation = 'listCreatorAccounts';

/** Creator accounts. */
export class Creators {
  readonly #caller: OperationCaller;
  readonly #sizes: PageSizes;

  constructor(caller: OperationCaller, sizes: PageSizes) {
    this.#caller = caller;
    this.#sizes = sizes;
  }

  /** One page of accounts. @throws {ApiError} */
  list(query: ListCreatorAccounts, options?: CallOptions): Promise<Listed<CreatorAccountPage>> {
    return this.#caller.callList(operation, query, options);
  }

  /**
   * All accounts that match the query, page by page.
   * @param query its `pageSize` is that of the client unless given; smaller ones are tried if the service refuses it.
   * @throws {ApiError}
   */
  all(
    query: Omit<ListCreatorAccounts, 'pageNumber' | 'pageSize'> & {
      readonly pageSize?: number | undefined;
    } = {},
    options: PagingOptions = {},
  ): AsyncGenerator<CreatorAccount> {
    const sizes = this.#sizes;
    const asked = query.pageSize ?? sizes.usual;
    return numberedPages(operation, asked, { ...options, sizes }, async (pageNumber, pageSize) => {
      const { list, ...page } = await this.list({ ...query, pageSize, pageNumber }, options);
      return { ...page, entries: list };
    });
  }
}
