/** Reads answers of operations that the contract does not show, by the JSON pointers of the settings. */
import { incidentalCount, mostEntries } from '../contract/envelope.ts';
import type { ReferencedOperationId } from '../contract/operations.ts';
import type { OperationTemplate } from '../contract/templates.ts';
import { caption, longestUrl, message, pageToken, textual, wholeText } from '../contract/texts.ts';
import { answeredUrl } from '../contract/uri.ts';
import { MalformedAnswerError } from '../errors.ts';
import type { SkippedEntries } from './caller.ts';
import type { NumberedPage } from './paging.ts';
import type { Answered } from './transport.ts';

export class ReferencedAnswer {
  readonly #operation: ReferencedOperationId;
  readonly #content: unknown;
  readonly #pointers: OperationTemplate['result'];
  readonly #bytes: number;
  readonly #skipped: (found: SkippedEntries) => void;

  constructor(
    operation: ReferencedOperationId,
    { envelope, bytes }: Answered,
    pointers: OperationTemplate['result'],
    skipped: (found: SkippedEntries) => void,
  ) {
    this.#operation = operation;
    this.#content = envelope;
    this.#pointers = pointers;
    this.#bytes = bytes;
    this.#skipped = skipped;
  }

  /** The value that the pointer called `name` finds in the whole answer. */
  read(name: string): unknown {
    const pointer = this.#pointers[name];
    return pointer === undefined ? undefined : (readPointer(this.#content, pointer) ?? undefined);
  }

  /** The token of the next page; undefined if this is the last. @throws {MalformedAnswerError} for one of no use. */
  nextPageToken(): string | undefined {
    const token = this.read('nextPageToken');
    if (token === undefined) return undefined;
    return pageToken.safeParse(token).data ?? this.#missing('nextPageToken');
  }

  /** A URI of any kind, such as the storage's own. @throws {MalformedAnswerError} when there is none. */
  needUri(name: string): string {
    return anyUri.safeParse(this.read(name)).data || this.#missing(name);
  }

  /**
   * Readers for the entries of the list that the pointer `list` finds. Each takes the name of a field, and reads it by the
   * pointer of that name, relative to the entry; without such a pointer, the property of that name.
   * @throws {MalformedAnswerError} when there is no list, or one of more than 10,000 entries.
   */
  entries(): ReadonlyArray<(name: string) => unknown> {
    const list = this.read('list');
    if (!Array.isArray(list) || list.length > mostEntries) return this.#missing('list');
    return list.map(
      (entry: unknown) => (name: string) =>
        readPointer(entry, this.#pointers[name] ?? `/${name}`) ?? undefined,
    );
  }

  /**
   * Reads a page of that list, with the counts that the pointers `totalPages` and `total` find. Entries that `read` finds of no
   * use are left out, and counted.
   * @throws {MalformedAnswerError} when there is no list.
   */
  page<T>(read: (field: (name: string) => unknown) => T | undefined): NumberedPage<T> {
    const fields = this.entries();
    const entries = fields.map(read).filter((entry) => entry !== undefined);
    const sent = fields.length;
    const skipped = sent - entries.length;
    if (skipped > 0) this.#skipped({ operation: this.#operation, skipped, sent });
    const [totalPages, total] = ['totalPages', 'total'].map((name) => incidentalCount.parse(this.read(name)));
    return { entries, sent, bytes: this.#bytes, totalPages, total };
  }

  #missing(name: string): never {
    const operation = this.#operation;
    throw new MalformedAnswerError(
      `${operation}: the answer has no usable ${name} at ${this.#pointers[name] ?? `api.${operation}.result.${name}`}`,
      { operation },
    );
  }
}

/** An id or status; undefined if it is missing, or of no use (`contract/texts.ts`). */
export function asId(value: unknown): string | undefined {
  return textual.safeParse(value).data;
}

export function asUrl(value: unknown): string | undefined {
  return answeredUrl.safeParse(value).data;
}

const anyUri = wholeText(longestUrl);

/** Text for people; a number as a text. */
export function asMessage(value: unknown): string | undefined {
  return message.safeParse(typeof value === 'number' ? String(value) : value).data || undefined;
}

export function asCaption(value: unknown): string | undefined {
  return caption.safeParse(typeof value === 'number' ? String(value) : value).data || undefined;
}

/** @returns the value at a JSON pointer (RFC 6901), or undefined. Follows own properties only. */
export function readPointer(content: unknown, pointer: string): unknown {
  let value = content;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
