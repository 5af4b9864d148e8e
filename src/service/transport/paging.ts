/** Reads lists page by page, with bounds on their number and size. */
import type { LimitedOperation } from '../contract/operations.ts';
import {
  CreatorAuthorizationExpiredError,
  ForbiddenError,
  MalformedAnswerError,
  RefusedError,
} from '../errors.ts';

export interface ListBound {
  /** Bytes; 64 MB unless given. */
  readonly mostBytes?: number | undefined;
}

interface ListSizes {
  /** Pages to ask for before they are read, where the first one says how many there are; none unless given. For lists that are read to their end. */
  readonly ahead?: number | undefined;
  /** Finds a smaller size if the service refuses the one that is asked for; without it, the refusal stands. */
  readonly sizes?: PageSizes | undefined;
}

export interface PagingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Runs the call of every page, to wait for the rate limit and to retry. */
  readonly through?: Through | undefined;
  /** Called at the end of the list, unless its reader stops before. */
  readonly onEnd?: ((extent: ListExtent) => void) | undefined;
}

/** How much of a list was read, at its end. */
export interface ListExtent {
  /** Entries that the service sent. */
  readonly seen: number;
  /** Entries that the list has, if the service says so. */
  readonly total: number | undefined;
  /** Whether the service says that these are all. */
  readonly isWhole: boolean;
}

export type Through = <T>(operation: LimitedOperation, call: () => Promise<T>) => Promise<T>;

const directly: Through = (_operation, call) => call();

/** A list with more pages is taken as endless: even at one entry a page, no account holds more. */
const mostPages = 10_000;
/** By the bytes of its answers: most readers hold all in memory. An account or a product takes about 500 bytes. */
const mostListBytes = 64 * 1024 * 1024;
/** An entry costs at least this in memory, however short it is in the answer. */
const leastEntryBytes = 512;

export interface NumberedPage<T> {
  readonly entries: readonly T[];
  /** How many entries the service sent, which are more than `entries` where some are of no use; all are unless given. */
  readonly sent?: number | undefined;
  readonly bytes?: number | undefined;
  /** As answered; the service may give fewer entries a page than asked for. */
  readonly pageSize?: number | undefined;
  readonly totalPages?: number | undefined;
  readonly total?: number | undefined;
  /** No other page can be asked for, whatever the counts say. */
  readonly isOnly?: boolean | undefined;
}

/** @param pageSize the entries asked for. @throws {MalformedAnswerError} for an endless list; what `fetchPage` and `through` throw. */
export async function* numberedPages<T>(
  operation: LimitedOperation,
  pageSize: number,
  options: PagingOptions & ListBound & ListSizes,
  fetchPage: (pageNumber: number, pageSize: number) => Promise<NumberedPage<T>>,
): AsyncGenerator<T> {
  const { through = directly, mostBytes = mostListBytes, sizes, ahead = 0, onEnd } = options;
  let size = pageSize;
  let seen = 0;
  let bytes = 0;
  const coming: Promise<NumberedPage<T>>[] = [];
  const fetchIn = (asked: number, pageNumber = 1) => {
    size = asked;
    return through(operation, () => fetchPage(pageNumber, asked));
  };
  for (let pageNumber = 1; pageNumber <= mostPages; pageNumber += 1) {
    const page = await (pageNumber > 1
      ? (coming.shift() ?? fetchIn(size, pageNumber))
      : sizes
        ? sizes.find(operation, size, fetchIn)
        : fetchIn(size));
    const last = page.isOnly ? 0 : Math.min(page.totalPages ?? 0, mostPages);
    for (let next = pageNumber + coming.length + 1; next <= last && coming.length < ahead; next += 1) {
      const fetching = fetchIn(size, next);
      // Its reader may stop before it.
      fetching.catch(() => undefined);
      coming.push(fetching);
    }
    bytes += costOf(page);
    if (bytes > mostBytes) throw tooLarge(operation, mostBytes);
    yield* page.entries;
    const sent = page.sent ?? page.entries.length;
    seen += sent;
    if (isLast(page, { pageNumber, sent, seen, asked: size })) {
      onEnd?.({ seen, total: page.total || undefined, isWhole: isWhole(page, { pageNumber, seen }) });
      return;
    }
  }
  throw endless(operation);
}

interface Progress {
  readonly pageNumber: number;
  readonly sent: number;
  /** Entries of all pages so far. */
  readonly seen: number;
  readonly asked: number;
}

/** By `totalPages`, else the total, else a page that is not full. A page with entries belies a count of 0. */
function isLast(page: NumberedPage<unknown>, { pageNumber, sent, seen, asked }: Progress): boolean {
  if (page.isOnly) return true;
  // A service that filters after it has cut pages may answer an empty one before the last.
  if (page.totalPages) return pageNumber >= page.totalPages;
  if (sent === 0) return true;
  if (page.total) return seen >= page.total;
  return sent < (page.pageSize || asked);
}

/** The total decides, which a service may give although it shows fewer entries. Without any count, nobody knows. */
function isWhole(
  { total, totalPages }: NumberedPage<unknown>,
  { pageNumber, seen }: Pick<Progress, 'pageNumber' | 'seen'>,
): boolean {
  if (total) return seen >= total;
  if (totalPages) return pageNumber >= totalPages;
  return seen === 0 && (total === 0 || totalPages === 0);
}

interface TokenPage<T> extends Pick<NumberedPage<T>, 'entries' | 'sent' | 'bytes' | 'total'> {
  readonly nextPageToken?: string | undefined;
}

/** Pages may be empty. @throws {MalformedAnswerError} for an endless list; what `fetchPage` and `through` throw. */
export async function* tokenPages<T>(
  operation: LimitedOperation,
  pageSize: number,
  { through = directly, mostBytes = mostListBytes, sizes, onEnd }: PagingOptions & ListBound & ListSizes,
  fetchPage: (pageToken: string | undefined, pageSize: number) => Promise<TokenPage<T>>,
): AsyncGenerator<T> {
  const tokens = new Set<string>();
  let size = pageSize;
  let pageToken: string | undefined;
  let seen = 0;
  let bytes = 0;
  for (let count = 0; count < mostPages; count += 1) {
    const fetchIn = (asked: number) => {
      size = asked;
      return through(operation, () => fetchPage(pageToken, asked));
    };
    const page = await (sizes && count === 0 ? sizes.find(operation, size, fetchIn) : fetchIn(size));
    bytes += costOf(page);
    if (bytes > mostBytes) throw tooLarge(operation, mostBytes);
    yield* page.entries;
    seen += page.sent ?? page.entries.length;
    pageToken = page.nextPageToken;
    if (!pageToken) {
      onEnd?.({ seen, total: page.total || undefined, isWhole: seen >= (page.total ?? 0) });
      return;
    }
    if (tokens.has(pageToken)) throw endless(operation);
    tokens.add(pageToken);
  }
  throw endless(operation);
}

/** The service refused pages of one size, and accepts those of a smaller one. */
export interface SmallerPages {
  readonly operation: LimitedOperation;
  readonly refused: number;
  readonly accepted: number;
}

const smallerSizes = [50, 20, 10];

/** The contract names no most: if a first page is refused, smaller ones are tried. What works is kept for the operation. */
export class PageSizes {
  /** Entries that a page is asked for at first. */
  readonly usual: number;
  readonly #onSmaller: (found: SmallerPages) => void;
  /** The largest size that was ever accepted. A refusal of such a page has another reason. */
  readonly #accepted = new Map<LimitedOperation, number>();
  /** Refusals, by operation, that smaller pages did not help: their words. */
  readonly #inVain = new Map<LimitedOperation, string>();
  /** The size found, for operations that refused a larger one. */
  readonly #found = new Map<LimitedOperation, number>();

  /** @param onSmaller is called when a smaller size is found. */
  constructor(usual: number, onSmaller: (found: SmallerPages) => void) {
    this.usual = usual;
    this.#onSmaller = onSmaller;
  }

  /** @throws what `fetchIn` throws; if smaller pages are refused, too, the first refusal. It is not searched again. */
  async find<T>(
    operation: LimitedOperation,
    asked: number,
    fetchIn: (pageSize: number) => Promise<T>,
  ): Promise<T> {
    const usual = Math.min(asked, this.#found.get(operation) ?? asked);
    try {
      return await this.#fetch(operation, usual, fetchIn);
    } catch (error) {
      const isProven = usual <= (this.#accepted.get(operation) ?? 0);
      if (isProven || !isInvalidRequest(error) || this.#inVain.get(operation) === error.message) throw error;
      const smallerOnes = smallerSizes.filter((size) => size < usual);
      for (const smaller of smallerOnes) {
        const page = await this.#fetch(operation, smaller, fetchIn).catch(unlessRefused);
        if (page === undefined) continue;
        this.#keep({ operation, refused: usual, accepted: smaller });
        return page;
      }
      this.#inVain.set(operation, error.message);
      if (smallerOnes.length === 0) throw error;
      const tried = `Pages of ${smallerOnes.join(', ')} entries were refused, too; if the service takes fewer, set api.pageSize.`;
      throw new RefusedError(`${error.message} ${tried}`, error);
    }
  }

  async #fetch<T>(operation: LimitedOperation, size: number, fetchIn: (pageSize: number) => Promise<T>) {
    const page = await fetchIn(size);
    this.#accepted.set(operation, Math.max(size, this.#accepted.get(operation) ?? 0));
    return page;
  }

  #keep(found: SmallerPages): void {
    const { operation, accepted } = found;
    if (this.#found.get(operation) === accepted) return;
    this.#found.set(operation, accepted);
    this.#onSmaller(found);
  }
}

function unlessRefused(error: unknown): undefined {
  if (!isInvalidRequest(error)) throw error;
}

/** HTTP 400, or with HTTP 2xx a code that has no other meaning: the contract does not list the codes. */
function isInvalidRequest(error: unknown): error is RefusedError {
  if (error instanceof CreatorAuthorizationExpiredError || error instanceof ForbiddenError) return false;
  if (!(error instanceof RefusedError)) return false;
  return error.status === 400 || (error.status !== undefined && error.status < 300);
}

function costOf({ entries, sent = entries.length, bytes = 0 }: TokenPage<unknown>): number {
  return Math.max(bytes, sent * leastEntryBytes);
}

function tooLarge(operation: LimitedOperation, most: number): MalformedAnswerError {
  const message = `${operation}: the list has more than ${most / 1024 / 1024} MB.`;
  return new MalformedAnswerError(message, { operation });
}

function endless(operation: LimitedOperation): MalformedAnswerError {
  return new MalformedAnswerError(`${operation}: the list does not end.`, { operation });
}
