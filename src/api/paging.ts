/** Walks through lists page by page, as far as the answers say, and never without end. */
import type { BudgetedOperation } from './contract/operations.ts';
import { MalformedAnswerError } from './errors.ts';

export interface PagingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Carries out the call of every page: the place to wait for its turn, and to repeat it. */
  readonly through?: Through | undefined;
}

export type Through = <T>(operation: BudgetedOperation, call: () => Promise<T>) => Promise<T>;

const directly: Through = (_operation, call) => call();

/** A list with more pages than this has no end: at one entry a page it is still more than any account holds. */
const mostPages = 10_000;

export interface NumberedPage<T> {
  readonly entries: readonly T[];
  /** As answered; the service may give less a page than it was asked for. */
  readonly pageSize?: number | undefined;
  readonly totalPages?: number | undefined;
  readonly total?: number | undefined;
}

/**
 * The entries of a list with numbered pages.
 * @param pageSize what is asked for, per page.
 * @throws {MalformedAnswerError} for a list without end, and what `fetchPage` and `through` throw.
 */
export async function* numberedPages<T>(
  operation: BudgetedOperation,
  pageSize: number,
  { through = directly }: PagingOptions,
  fetchPage: (pageNumber: number) => Promise<NumberedPage<T>>,
): AsyncGenerator<T> {
  let seen = 0;
  for (let pageNumber = 1; pageNumber <= mostPages; pageNumber += 1) {
    const page = await through(operation, () => fetchPage(pageNumber));
    yield* page.entries;
    seen += page.entries.length;
    if (isLast(page, pageNumber, seen, pageSize)) return;
  }
  throw endless(operation);
}

/** Where `totalPages` is missing the total tells, and without that a page that is not full. */
function isLast(page: NumberedPage<unknown>, pageNumber: number, seen: number, asked: number): boolean {
  if (page.entries.length === 0) return true;
  if (page.totalPages !== undefined) return pageNumber >= page.totalPages;
  if (page.total !== undefined) return seen >= page.total;
  return page.entries.length < (page.pageSize ?? asked);
}

export interface TokenPage<T> {
  readonly entries: readonly T[];
  readonly nextPageToken?: string | undefined;
}

/**
 * The entries of a list whose every page names the next one. A page may be empty and still name one.
 * @throws {MalformedAnswerError} for a list without end, and what `fetchPage` and `through` throw.
 */
export async function* tokenPages<T>(
  operation: BudgetedOperation,
  { through = directly }: PagingOptions,
  fetchPage: (pageToken: string | undefined) => Promise<TokenPage<T>>,
): AsyncGenerator<T> {
  const tokens = new Set<string>();
  let pageToken: string | undefined;
  for (let count = 0; count < mostPages; count += 1) {
    const page = await through(operation, () => fetchPage(pageToken));
    yield* page.entries;
    pageToken = page.nextPageToken;
    if (!pageToken) return;
    if (tokens.has(pageToken)) throw endless(operation);
    tokens.add(pageToken);
  }
  throw endless(operation);
}

function endless(operation: BudgetedOperation): MalformedAnswerError {
  return new MalformedAnswerError(`${operation}: the list does not end.`, { operation });
}
