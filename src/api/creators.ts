/** Creator accounts (contract, section 4.5). */

import type { CreatorAccount, CreatorAccountPage, ListCreatorAccounts } from './contract/creators.ts';
import type { CallOptions, Listed, OperationCaller } from './transport/caller.ts';
import { numberedPages, type PagingOptions } from './transport/paging.ts';

const operation = 'listCreatorAccounts';
const defaultPageSize = 100;

/** Creator accounts. */
export class Creators {
  readonly #caller: OperationCaller;

  constructor(caller: OperationCaller) {
    this.#caller = caller;
  }

  /** One page of accounts. @throws {ApiError} */
  list(query: ListCreatorAccounts, options?: CallOptions): Promise<Listed<CreatorAccountPage>> {
    return this.#caller.callList(operation, query, options);
  }

  /** All accounts that match the query, page by page. @throws {ApiError} */
  all(
    query: Omit<ListCreatorAccounts, 'pageNumber' | 'pageSize'> & {
      readonly pageSize?: number | undefined;
    } = {},
    options: PagingOptions = {},
  ): AsyncGenerator<CreatorAccount> {
    const pageSize = query.pageSize ?? defaultPageSize;
    return numberedPages(operation, pageSize, options, async (pageNumber) => {
      const { list, ...page } = await this.list({ ...query, pageSize, pageNumber }, options);
      return { ...page, entries: list };
    });
  }
}
