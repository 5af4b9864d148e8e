/** Numbered pages, for accounts, publishing records and music. */

export interface PageRequest {
  readonly pageSize: number;
  readonly pageNumber: number;
}

/** Offset and limit of a page, with its size capped. */
export function pageBounds(request: PageRequest, maxPageSize: number): { offset: number; limit: number } {
  const limit = Math.min(request.pageSize, maxPageSize);
  // Larger integers are none to the database.
  const offset = Math.min((request.pageNumber - 1) * limit, Number.MAX_SAFE_INTEGER);
  return { offset, limit };
}

/** The fields of an answer that tell where the list ends; `pageSize` is the capped one. */
export function pageInfo(request: PageRequest, limit: number, total: number) {
  return { total, pageNumber: request.pageNumber, pageSize: limit, totalPages: Math.ceil(total / limit) };
}
