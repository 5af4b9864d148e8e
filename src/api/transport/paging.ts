/** Reads lists page by page, with bounds on their number and size. */
import type { BudgetedOperation } from '../contract/operations.ts';
import { MalformedAnswerError } from '../errors.ts';

export interface ListBound {
  /** Bytes; 64 MB unless given. */
  readonly mostBytes?: number | undefined;
}

/** Options of calls that read page by page. */
export interface PagingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Runs the call of every page, to wait for the budget and to retry. */
  readonly through?: Through | undefined;
}

/** Runs the call of one page. */
export type Through = <T>(operation: BudgetedOperation, call: () => Promise<T>) => Promise<T>;

const directly: Through = (_operation, call) => call();

/** A list with more pages is taken as endless: even at one entry a page, no account holds more. */
const mostPages = 10_000;
/**
 * Size of a whole list, by the bytes of its answers. Most readers hold all of it in memory. An account or a product takes about 500 bytes,
 * and creators have at most some thousands of either.
 */
const mostListBytes = 64 * 1024 * 1024;
/** An entry costs at least this in memory, however short it is in the answer. */
const leastEntryBytes = 512;

export interface NumberedPage<T> {
  readonly entries: readonly T[];
  /** How many entries the service sent, which are more than `entries` where some are of no use; all are unless given. */
  readonly sent?: number | undefined;
  /** Size of the answer. */
  readonly bytes?: number | undefined;
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
  { through = directly, mostBytes = mostListBytes }: PagingOptions & ListBound,
  fetchPage: (pageNumber: number) => Promise<NumberedPage<T>>,
): AsyncGenerator<T> {
  let seen = 0;
  let bytes = 0;
  for (let pageNumber = 1; pageNumber <= mostPages; pageNumber += 1) {
    const page = await through(operation, () => fetchPage(pageNumber));
    bytes += costOf(page);
    if (bytes > mostBytes) throw tooLarge(operation, mostBytes);
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
  // A service that filters after it has cut pages may answer an empty one before the last.
  if (page.totalPages) return pageNumber >= page.totalPages;
  if (sent === 0) return true;
  if (page.total) return seen >= page.total;
  return sent < (page.pageSize || asked);
}

export interface TokenPage<T> extends Pick<NumberedPage<T>, 'entries' | 'sent' | 'bytes'> {
  readonly nextPageToken?: string | undefined;
}

/**
 * The entries of a list whose pages each name the next one, even an empty page.
 * @throws {MalformedAnswerError} for an endless list, and what `fetchPage` and `through` throw.
 */
export async function* tokenPages<T>(
  operation: BudgetedOperation,
  { through = directly, mostBytes = mostListBytes }: PagingOptions & ListBound,
  fetchPage: (pageToken: string | undefined) => Promise<TokenPage<T>>,
): AsyncGenerator<T> {
  const tokens = new Set<string>();
  let pageToken: string | undefined;
  let bytes = 0;
  for (let count = 0; count < mostPages; count += 1) {
    const page = await through(operation, () => fetchPage(pageToken));
    bytes += costOf(page);
    if (bytes > mostBytes) throw tooLarge(operation, mostBytes);
    yield* page.entries;
    pageToken = page.nextPageToken;
    if (!pageToken) return;
    if (tokens.has(pageToken)) throw endless(operation);
    tokens.add(pageToken);
  }
  throw endless(operation);
}

function costOf({ entries, sent = entries.length, bytes = 0 }: TokenPage<unknown>): number {
  return Math.max(bytes, sent * leastEntryBytes);
}

function tooLarge(operation: BudgetedOperation, most: number): MalformedAnswerError {
  const message = `${operation}: the list has more than ${most / 1024 / 1024} MB.`;
  return new MalformedAnswerError(message, { operation });
}

function endless(operation: BudgetedOperation): MalformedAnswerError {
  return new MalformedAnswerError(`${operation}: the list does not end.`, { operation });
}
