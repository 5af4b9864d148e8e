/** What the handlers of operations get, and the pages of lists. */
import type { z } from 'zod';
import type { ApiOperationId, apiOperations } from '../description/operations.ts';
import { type Answer, badField } from '../http.ts';
import type { Parts } from '../parts.ts';
import type { OpenCall } from '../record.ts';
import type { StoredFile } from '../store.ts';

/** The call that is being answered. If a fault delayed it, `at` is the time of its effect. */
export type CallFacts = Pick<OpenCall, 'number' | 'at' | 'faults'>;

/** Answers each operation, given a request that its schema accepts. @throws {Refusal} */
export type Handlers = {
  readonly [Operation in ApiOperationId]: (
    request: z.output<(typeof apiOperations)[Operation]['request']>,
    call: CallFacts,
    parts: Parts,
  ) => Answer | Promise<Answer>;
};

/** The public URL of an uploaded file, as `Downloads` serves it. */
export function fileUrl(origin: string, file: Pick<StoredFile, 'fileId' | 'name'>): string {
  return `${origin}/files/${file.fileId}/${encodeURIComponent(file.name.toWellFormed())}`;
}

/** Most entries of a page. @throws {Refusal} 400 for a larger page, if those are refused. */
export function pageLimit(pageSize: number, { maxPageSize, refuseLargerPages }: Parts): number {
  if (refuseLargerPages && pageSize > maxPageSize) throw badField('pageSize', `is at most ${maxPageSize}`);
  return Math.min(pageSize, maxPageSize);
}

/** One numbered page of a list, with the fields that tell where the list ends. @throws as `pageLimit`. */
export function pageOf<T>(
  all: readonly T[],
  { pageSize, pageNumber }: { readonly pageSize: number; readonly pageNumber: number },
  parts: Parts,
) {
  const limit = pageLimit(pageSize, parts);
  const list = all.slice((pageNumber - 1) * limit, pageNumber * limit);
  const total = all.length;
  return { list, total, pageNumber, pageSize: limit, totalPages: Math.ceil(total / limit) };
}
