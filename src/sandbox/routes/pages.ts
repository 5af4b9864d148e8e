/** Pages: their largest size, and numbered ones, for accounts, publishing records and music. */
import { badField } from '../http/answer.ts';
import type { Surroundings } from './route.ts';

export interface PageRequest {
  readonly pageSize: number;
  readonly pageNumber: number;
}

type Limits = Pick<Surroundings, 'maxPageSize' | 'refuseLargerPages'>;

/** Most entries of a page. @throws {Refusal} 400 for a larger page, if those are refused. */
export function pageLimit(pageSize: number, { maxPageSize, refuseLargerPages }: Limits): number {
  if (refuseLargerPages && pageSize > maxPageSize) throw badField('pageSize', `is at most ${maxPageSize}`);
  return Math.min(pageSize, maxPageSize);
}

/** Offset and limit of a page, with its size capped. @throws as `pageLimit`. */
export function pageBounds(request: PageRequest, limits: Limits): { offset: number; limit: number } {
  const limit = pageLimit(request.pageSize, limits);
  // Larger integers are none to the database.
  const offset = Math.min((request.pageNumber - 1) * limit, Number.MAX_SAFE_INTEGER);
  return { offset, limit };
}

/** The fields of an answer that tell where the list ends; `pageSize` is the capped one. */
export function pageInfo(request: PageRequest, limit: number, total: number) {
  return { total, pageNumber: request.pageNumber, pageSize: limit, totalPages: Math.ceil(total / limit) };
}
