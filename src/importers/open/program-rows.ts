/** Rows of a program as the bytes of a JSON manifest. */
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';

/** A value of a row. A list is for columns that take one, such as `media`; nothing is an empty cell. */
export type ManifestValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly (string | number | bigint)[];

/** A row of a program, by the names of columns: `{ creator: 'demo_anna', media: 'mug.mp4', ... }`. */
export type ManifestRow = Readonly<Record<string, ManifestValue>>;

/** Rows of a program: an array, or any other iterable, which is read once. */
export type ManifestRows = Iterable<ManifestRow> | AsyncIterable<ManifestRow>;

/** Rows are joined to pieces of about this many characters. */
const pieceLength = 64 * 1024;

export class RowsReading {
  readonly #rows: ManifestRows;
  /** What the rows, not their storage, failed with. */
  #failure: { readonly error: unknown } | undefined;

  constructor(rows: ManifestRows) {
    this.#rows = rows;
  }

  async *bytes(): AsyncGenerator<Buffer> {
    try {
      yield* this.#pieces();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  /** Throws the error of the rows, if it was theirs, else this one. */
  rethrow(error: unknown): never {
    throw this.#failure ? this.#failure.error : error;
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    let number = 0;
    let piece = '[';
    for await (const row of this.#rows) {
      number += 1;
      piece += `${number === 1 ? '' : ','}${lineOf(row, number)}\n`;
      if (piece.length < pieceLength) continue;
      yield Buffer.from(piece);
      piece = '';
    }
    yield Buffer.from(`${piece}]`);
  }
}

function lineOf(row: ManifestRow, number: number): string {
  // A program without types may send anything.
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw new UseCaseError('manifest_unreadable', `row ${number} is not an object of cells`, {
      fix: "Give each row as an object: { creator: 'anna', media: 'mug.mp4', ... }.",
    });
  }
  const cells = Object.entries(row).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map((one) => cellOf(one, name, number))];
    return [name, cellOf(value, name, number)];
  });
  return JSON.stringify(Object.fromEntries(cells));
}

/** JSON writes an invalid time or number as nothing, and a row without a time is posted at once: such values are refused. */
function cellOf(value: unknown, name: string, number: number): unknown {
  if (typeof value === 'bigint') return String(value);
  const isInvalid = value instanceof Date ? Number.isNaN(value.getTime()) : Number.isNaN(value);
  if (!isInvalid && value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY) return value;
  throw new UseCaseError(
    'manifest_unreadable',
    `row ${number}: ${name} is an invalid ${value instanceof Date ? 'time' : 'number'}`,
    {
      fix: 'Give a valid value, or leave it out.',
    },
  );
}
