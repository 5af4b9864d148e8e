/** Numbered pages, as the account list and the publishing records answer them. */

export interface PageRequest {
  readonly pageSize: number;
  readonly pageNumber: number;
}

/** Where a page lies once its size is capped. */
export function pageBounds(request: PageRequest, maxPageSize: number): { offset: number; limit: number } {
  const limit = Math.min(request.pageSize, maxPageSize);
  return { offset: (request.pageNumber - 1) * limit, limit };
}

/** The answer's part that says where the list ends; `pageSize` is the one that was applied. */
export function pageInfo(request: PageRequest, limit: number, total: number) {
  return { total, pageNumber: request.pageNumber, pageSize: limit, totalPages: Math.ceil(total / limit) };
}
