/** Reads lists page by page, with a bound on their number. */
import type { BudgetedOperation } from './contract/operations.ts';
import { MalformedAnswerError } from './errors.ts';

export interface PagingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Runs the call of every page, to wait for the budget and to retry. */
  readonly through?: Through | undefined;
}

export type Through = <T>(operation: BudgetedOperation, call: () => Promise<T>) => Promise<T>;

const directly: Through = (_operation, call) => call();

/** A list with more pages is taken as endless: even at one entry a page, no account holds more. */
const mostPages = 10_000;

export interface NumberedPage<T> {
  readonly entries: readonly T[];
  /** How many entries the service sent, which are more than `entries` where some are of no use; all are unless given. */
  readonly sent?: number | undefined;
  /** As answered; the service may give fewer entries a page than asked for. */
  readonly pageSize?: number | undefined;
  readonly totalPages?: number | undefined;
  readonly total?: number | undefined;
}

/**
 * The entries of a list with numbered pages.
 * @param pageSize the entries asked for per page.
 * @throws {MalformedAnswerError} for an endless list, and what `fetchPage` and `through` throw.
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
    const sent = page.sent ?? page.entries.length;
    seen += sent;
    if (isLast(page, { pageNumber, sent, seen, asked: pageSize })) return;
  }
  throw endless(operation);
}

interface Progress {
  readonly pageNumber: number;
  /** Entries of this page. */
  readonly sent: number;
  /** Entries of all pages so far. */
  readonly seen: number;
  readonly asked: number;
}

/**
 * Without `totalPages` the total decides; without both, a page that is not full is the last. A page with entries belies a count
 * of 0, which some services give for one that they did not make.
 */
function isLast(page: NumberedPage<unknown>, { pageNumber, sent, seen, asked }: Progress): boolean {
  if (sent === 0) return true;
  if (page.totalPages) return pageNumber >= page.totalPages;
  if (page.total) return seen >= page.total;
  return sent < (page.pageSize || asked);
}

export interface TokenPage<T> {
  readonly entries: readonly T[];
  readonly nextPageToken?: string | undefined;
}

/**
 * The entries of a list whose pages each name the next one, even an empty page.
 * @throws {MalformedAnswerError} for an endless list, and what `fetchPage` and `through` throw.
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
