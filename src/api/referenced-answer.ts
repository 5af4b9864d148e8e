/** Reads answers of operations that the contract does not show, by the JSON pointers of the settings. */
import type { OperationTemplate } from '../../config/schema.ts';
import type { SkippedEntries } from './caller.ts';
import type { ReferencedOperationId } from './contract/operations.ts';
import { MalformedAnswerError } from './errors.ts';
import { readPointer } from './json-pointer.ts';

interface AnswerMeans {
  readonly redact: (text: string) => string;
  readonly skipped: (found: SkippedEntries) => void;
}

/** The answer of a referenced operation, read by the pointers of its setting. */
export class ReferencedAnswer {
  readonly #operation: ReferencedOperationId;
  readonly #content: unknown;
  readonly #pointers: OperationTemplate['result'];
  readonly #means: AnswerMeans;

  constructor(
    operation: ReferencedOperationId,
    content: unknown,
    pointers: OperationTemplate['result'],
    means: AnswerMeans,
  ) {
    this.#operation = operation;
    this.#content = content;
    this.#pointers = pointers;
    this.#means = means;
  }

  /** Takes the API key out of a text of the service. */
  redact(text: string): string {
    return this.#means.redact(text);
  }

  /** The value that the pointer called `name` finds in the whole answer. */
  read(name: string): unknown {
    const pointer = this.#pointers[name];
    return pointer === undefined ? undefined : (readPointer(this.#content, pointer) ?? undefined);
  }

  /** The number of pages: the value of `totalPages`, else 1. */
  totalPages(): number {
    return Number(this.read('totalPages')) || 1;
  }

  /** A text, or a number as a text. @throws {MalformedAnswerError} when there is none. */
  needText(name: string): string {
    const value = asText(this.read(name));
    return value ?? this.#missing(name);
  }

  /**
   * Readers for the entries of the list that the pointer `list` finds. Each takes the name of a field, and reads it by the
   * pointer of that name, relative to the entry; without such a pointer, the property of that name.
   * @throws {MalformedAnswerError} when there is no list.
   */
  entries(): ReadonlyArray<(name: string) => unknown> {
    const list = this.read('list');
    if (!Array.isArray(list)) return this.#missing('list');
    return list.map(
      (entry: unknown) => (name: string) =>
        readPointer(entry, this.#pointers[name] ?? `/${name}`) ?? undefined,
    );
  }

  /**
   * Reads the entries of that list. Those that `read` finds of no use are left out, and counted.
   * @throws {MalformedAnswerError} when there is no list.
   */
  list<T>(read: (field: (name: string) => unknown) => T | undefined): { entries: T[]; sent: number } {
    const fields = this.entries();
    const entries = fields.map(read).filter((entry) => entry !== undefined);
    const sent = fields.length;
    const skipped = sent - entries.length;
    if (skipped > 0) this.#means.skipped({ operation: this.#operation, skipped, sent });
    return { entries, sent };
  }

  #missing(name: string): never {
    const operation = this.#operation;
    throw new MalformedAnswerError(
      `${operation}: the answer has no usable ${name} at ${this.#pointers[name] ?? `api.${operation}.result.${name}`}`,
      { operation },
    );
  }
}

/** A text that is not empty, or a number as a text. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
